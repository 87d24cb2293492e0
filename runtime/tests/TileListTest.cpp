//===- TileListTest.cpp - The dense tiles of any graph --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list holds each edge once, and no tile without an edge.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <algorithm>
#include <random>
#include <set>

using namespace clique::test;

namespace {
using Numbers = std::vector<int64_t>;

struct Shape {
  int64_t rows, tileRows, columns;
};

/// The arrays of a list, as compiled code gets them.
struct Tiles {
  Tiles(const Graph &graph, Shape shape) : shape(shape) {
    const clique_tiles *t =
        clique_rt_tiles(graph.get(), shape.rows, shape.tileRows, shape.columns);
    areListed = clique_rt_tiles_are_listed(t);
    auto fetch = [&](auto *function) {
      clique::Memref1D<const int64_t> array;
      function(&array, t);
      return Numbers(array.aligned, array.aligned + array.size);
    };
    blocks = fetch(_mlir_ciface_clique_rt_tile_blocks);
    tiles = fetch(_mlir_ciface_clique_rt_tile_list);
    registerBlocks = fetch(_mlir_ciface_clique_rt_tile_register_blocks);
    words = fetch(_mlir_ciface_clique_rt_tile_words);
    firstEdges = fetch(_mlir_ciface_clique_rt_tile_first_edges);
    clique::Memref1D<const int64_t> array;
    _mlir_ciface_clique_rt_row_blocks(&array, graph.get(), shape.rows, 0, 0,
                                      true);
    split.assign(array.aligned, array.aligned + array.size);
  }

  int64_t none() const { return 0; }
  int64_t full() const { return shape.tileRows + 1; }
  /// Calls a function for each register block of a listed tile: its first row
  /// and the one past its last, the tile's first source and the one past its
  /// last, and the register block's place.
  template <typename Fn>
  void forEachRegisterBlock(Fn &&fn) const {
    for (size_t b = 0; b + 1 < split.size(); ++b)
      for (int64_t t = blocks[b]; t < blocks[b + 1]; ++t)
        for (int64_t row = split[b], place = tiles[3 * t + 2];
             row < split[b + 1]; row += shape.tileRows, ++place)
          fn(row, std::min(row + shape.tileRows, split[b + 1]), tiles[3 * t],
             tiles[3 * t + 1], place);
  }

  Shape shape;
  bool areListed;
  Numbers blocks, tiles, registerBlocks, words, firstEdges, split;
};
} // namespace

/// The listed pairs, each with its CSR position.
static std::vector<std::pair<std::pair<int32_t, int32_t>, int64_t>>
readPairs(const Tiles &tiles) {
  std::vector<std::pair<std::pair<int32_t, int32_t>, int64_t>> pairs;
  tiles.forEachRegisterBlock([&](int64_t first, int64_t last, int64_t source,
                                 int64_t pastSource, int64_t place) {
    const int64_t words = tiles.registerBlocks[place];
    for (int64_t i = first; i < last; ++i) {
      int64_t edge = tiles.firstEdges[place * tiles.shape.tileRows + i - first];
      for (int64_t j = source; j < pastSource; ++j)
        if (uint64_t(tiles.words[words + i - first]) >> (j - source) & 1)
          pairs.push_back({{int32_t(i), int32_t(j)}, edge++});
    }
  });
  return pairs;
}

static void expectEdges(const Graph &graph, Shape shape) {
  const int64_t *indptr;
  const int32_t *indices;
  ASSERT_OK(clique_graph_csr(graph.get(), &indptr, &indices, nullptr));
  const Tiles tiles(graph, shape);
  ASSERT_TRUE(tiles.areListed);
  ASSERT_EQ(tiles.blocks.size(), tiles.split.size());
  auto pairs = readPairs(tiles);
  std::sort(pairs.begin(), pairs.end());
  ASSERT_EQ(int64_t(pairs.size()), clique_graph_num_edges(graph.get()));
  for (size_t k = 0; k < pairs.size(); ++k) {
    auto [pair, edge] = pairs[k];
    EXPECT_EQ(edge, int64_t(k));
    EXPECT_EQ(pair.second, indices[k]);
    EXPECT_TRUE(indptr[pair.first] <= edge && edge < indptr[pair.first + 1]);
  }
}

/// What compiled code takes for granted.
static void expectTidy(const Tiles &tiles) {
  std::set<int64_t> tilesWithEdges;
  tiles.forEachRegisterBlock([&](int64_t first, int64_t last, int64_t source,
                                 int64_t pastSource, int64_t place) {
    const int64_t words = tiles.registerBlocks[place];
    int64_t any = 0, all = -1;
    for (int64_t i = first; i < last; ++i) {
      any |= tiles.words[words + i - first];
      all &= tiles.words[words + i - first];
    }
    EXPECT_EQ(any == 0, words == tiles.none());
    EXPECT_EQ(tiles.words[words + tiles.shape.tileRows], any);
    // Whole register blocks have no words of their own; one that is cut off is
    // not whole.
    const bool isWhole = pastSource - source == tiles.shape.columns &&
                         any == all &&
                         __builtin_popcountll(any) == int(tiles.shape.columns);
    EXPECT_EQ(isWhole, words == tiles.full());
    if (any)
      tilesWithEdges.insert(first / tiles.shape.rows * (int64_t(1) << 32) +
                            source);
  });
  EXPECT_EQ(tilesWithEdges.size() * 3, tiles.tiles.size());
}

/// Some blocks of 16, without some of their edges, and some edges elsewhere.
static Graph makeBlocks(int64_t numDst, int64_t numSrc, int missing,
                        int stray) {
  std::mt19937 random(unsigned(numDst + 7 * numSrc + missing));
  std::set<std::pair<int32_t, int32_t>> edges;
  for (int64_t i = 0; i < numDst; ++i)
    for (int64_t j = 0; j < numSrc; ++j)
      if ((i / 16 * 5 + j / 16 * 3) % 4 == 0)
        edges.emplace(i, j);
  for (int k = 0; k < missing && !edges.empty(); ++k)
    edges.erase(std::next(edges.begin(), int64_t(random() % edges.size())));
  for (int k = 0; k < stray; ++k)
    edges.emplace(random() % numDst, random() % numSrc);
  return makeGraph(numDst, numSrc, Edges(edges.begin(), edges.end()));
}

TEST(TileList, HoldsEachEdgeOnce) {
  for (auto [numDst, numSrc] : {std::pair(64, 64),
                                {100, 37},
                                {37, 100},
                                {200, 200},
                                {1, 70},
                                {70, 1},
                                {5, 5}})
    for (int changes : {0, 1, 20})
      for (Shape shape : {Shape{48, 12, 64},
                          {384, 12, 64},
                          {64, 64, 64},
                          {36, 12, 32},
                          {12, 6, 16},
                          {7, 7, 5}}) {
        Graph graph = makeBlocks(numDst, numSrc, changes, changes);
        if (inspect(graph.get()).topology != CLIQUE_TOPOLOGY_SPARSE &&
            inspect(graph.get()).topology != CLIQUE_TOPOLOGY_BLOCKS)
          continue;
        SCOPED_TRACE(::testing::Message()
                     << numDst << " x " << numSrc << ", " << changes
                     << " changes, " << shape.tileRows << " x " << shape.columns
                     << " in " << shape.rows);
        expectEdges(graph, shape);
        expectTidy(Tiles(graph, shape));
      }
}

TEST(TileList, OneEdgeIsOneTile) {
  Graph graph = makeGraph(100, 300, {{57, 130}});
  const Tiles tiles(graph, {48, 12, 64});
  EXPECT_EQ(tiles.blocks, (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(tiles.tiles, (Numbers{128, 192, 0}));
  const int64_t words = 2 * tiles.full();
  EXPECT_EQ(tiles.registerBlocks, (Numbers{words, 0, 0, 0}));
  EXPECT_EQ(tiles.words[words + 9], 4);
}

TEST(TileList, WholeRegisterBlocksTakeNoWords) {
  // Two blocks of 24 rows receive from 64 sources each.
  Edges edges;
  for (int32_t i = 0; i < 48; ++i)
    for (int32_t j = 0; j < 64; ++j)
      edges.emplace_back(i, 64 * (i / 24) + j);
  const Tiles tiles(makeGraph(48, 200, edges), {48, 12, 64});
  const int64_t full = tiles.full();
  EXPECT_EQ(tiles.tiles, (Numbers{0, 64, 0, 64, 128, 4}));
  EXPECT_EQ(tiles.registerBlocks,
            (Numbers{full, full, 0, 0, 0, 0, full, full}));
  EXPECT_EQ(int64_t(tiles.words.size()), 2 * full);
}

TEST(TileList, AGraphWithoutEdgesHasNoTiles) {
  const Tiles tiles(makeGraph(30, 40, {}), {12, 12, 64});
  EXPECT_TRUE(tiles.areListed);
  EXPECT_EQ(tiles.blocks, (Numbers{0, 0, 0, 0}));
  EXPECT_TRUE(tiles.tiles.empty());
}

TEST(TileList, IntervalsAreNotListed) {
  for (const Graph &graph : {make(clique_graph_complete, int64_t(200), 0),
                             make(clique_graph_causal, int64_t(200), 1)}) {
    const Tiles tiles(graph, {48, 12, 64});
    EXPECT_FALSE(tiles.areListed);
    EXPECT_EQ(tiles.blocks, (Numbers{0, 0}));
    EXPECT_EQ(tiles.tiles, Numbers(3, 0));
    EXPECT_EQ(tiles.registerBlocks, Numbers(1, 0));
    EXPECT_EQ(tiles.words, Numbers(13, 0));
  }
}

TEST(TileList, IsMadeOnce) {
  Graph graph = makeBlocks(100, 100, 3, 3);
  const clique_tiles *first = clique_rt_tiles(graph.get(), 48, 12, 64);
  EXPECT_EQ(clique_rt_tiles(graph.get(), 48, 12, 64), first);
  EXPECT_NE(clique_rt_tiles(graph.get(), 48, 12, 32), first);
}

TEST(TileList, ARowIsAWord) {
  static Graph graph = makeBlocks(20, 20, 1, 1);
  expectFailure([] { clique_rt_tiles(graph.get(), 48, 12, 65); },
                "tiles of 12 x 65 in blocks of 48 rows, expected sizes from 1 "
                "and at most 64 columns");
}
