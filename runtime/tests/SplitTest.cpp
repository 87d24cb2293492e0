//===- SplitTest.cpp - Division of the rows into blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks cover the rows once, within their limits, the same every time.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

static std::vector<int64_t> split(const Graph &graph, int64_t rows,
                                  int64_t edges, bool aligned,
                                  int64_t longest = 0) {
  clique::Memref1D<const int64_t> blocks;
  _mlir_ciface_clique_rt_row_blocks(&blocks, graph.get(), rows, edges, longest,
                                    aligned);
  return {blocks.aligned, blocks.aligned + blocks.size};
}

/// A graph with two hubs among nodes of few edges.
static Graph hubs() {
  std::mt19937 random(3);
  Edges edges;
  for (int32_t i = 0; i < 200; ++i)
    for (int32_t k = 0; k < (i == 40 || i == 199 ? 500 : int32_t(i % 5)); ++k)
      edges.emplace_back(i, random() % 200);
  return makeGraph(200, 200, edges);
}

TEST(Split, CoversAllRowsOnceWithinTheLimits) {
  Graph graph = hubs();
  const int64_t *indptr;
  ASSERT_OK(clique_graph_csr(graph.get(), &indptr, nullptr, nullptr));
  for (int64_t rows : {0, 1, 7, 64, 1000})
    for (int64_t edges : {0, 1, 20, 100000}) {
      const std::vector<int64_t> blocks = split(graph, rows, edges, false);
      ASSERT_GE(blocks.size(), 2u);
      EXPECT_EQ(blocks.front(), 0);
      EXPECT_EQ(blocks.back(), 200);
      for (size_t k = 0; k + 1 < blocks.size(); ++k) {
        const int64_t count = blocks[k + 1] - blocks[k];
        EXPECT_GT(count, 0);
        if (rows) {
          EXPECT_LE(count, rows);
        }
        if (edges && count > 1) {
          EXPECT_LE(indptr[blocks[k + 1]] - indptr[blocks[k]], edges);
        }
      }
    }
}

TEST(Split, HubsAreAlone) {
  const std::vector<int64_t> blocks = split(hubs(), 0, 50, false);
  for (int64_t hub : {40, 199}) {
    auto found = std::find(blocks.begin(), blocks.end(), hub);
    ASSERT_NE(found, blocks.end());
    EXPECT_EQ(*(found + 1), hub + 1);
  }
}

TEST(Split, LongRowsAreAloneInLargeBlocks) {
  EXPECT_EQ(split(hubs(), 0, 0, false, 499),
            (std::vector<int64_t>{0, 40, 41, 199, 200}));
  EXPECT_EQ(split(hubs(), 100, 1000, false, 499),
            (std::vector<int64_t>{0, 40, 41, 141, 199, 200}));
  // One of as many is not.
  EXPECT_EQ(split(hubs(), 0, 0, false, 500), (std::vector<int64_t>{0, 200}));
}

TEST(Split, NoLimitIsOneBlock) {
  EXPECT_EQ(split(hubs(), 0, 0, false), (std::vector<int64_t>{0, 200}));
}

TEST(Split, BlocksAreAsFullAsTheLimitAllows) {
  Graph graph = make(clique_graph_complete, int64_t(10), 0);
  EXPECT_EQ(split(graph, 4, 0, false), (std::vector<int64_t>{0, 4, 8, 10}));
  EXPECT_EQ(split(graph, 0, 30, false), (std::vector<int64_t>{0, 3, 6, 9, 10}));
}

TEST(Split, AlignedBlocksEndWithTheirClique) {
  const std::vector<int64_t> offsets = {0, 3, 3, 8, 9};
  for (int32_t causal : {0, 1}) {
    Graph graph =
        make(clique_graph_cliques, int64_t(4), offsets.data(), causal, 0);
    EXPECT_EQ(split(graph, 4, 0, true), (std::vector<int64_t>{0, 3, 7, 8, 9}));
    EXPECT_EQ(split(graph, 4, 0, false), (std::vector<int64_t>{0, 4, 8, 9}));
  }
}

TEST(Split, NoRowsNoBlocks) {
  EXPECT_EQ(split(makeGraph(0, 3, {}), 4, 4, true), (std::vector<int64_t>{0}));
}

TEST(Split, DeterministicAndCached) {
  Graph graph = hubs(), again = hubs();
  EXPECT_EQ(split(graph, 16, 30, false), split(again, 16, 30, false));
  clique::Memref1D<const int64_t> first, second;
  _mlir_ciface_clique_rt_row_blocks(&first, graph.get(), 16, 30, 0, false);
  _mlir_ciface_clique_rt_row_blocks(&second, graph.get(), 16, 30, 0, false);
  EXPECT_EQ(first.aligned, second.aligned);
}

TEST(Split, HubsInChunks) {
  // Rows of 3, 7 and 4 edges.
  Edges edges;
  for (auto [row, degree] : {std::pair(0, 3), std::pair(1, 7), std::pair(3, 4)})
    for (int32_t k = 0; k < degree; ++k)
      edges.emplace_back(row, k);
  Graph graph = makeGraph(5, 7, edges);
  clique::Memref1D<const int64_t> chunks, hubs;
  auto get = [&](int64_t limit) {
    _mlir_ciface_clique_rt_hub_chunks(&chunks, graph.get(), limit);
    _mlir_ciface_clique_rt_hubs(&hubs, graph.get(), limit);
    return std::pair(
        std::vector<int64_t>(chunks.aligned, chunks.aligned + chunks.size),
        std::vector<int64_t>(hubs.aligned, hubs.aligned + hubs.size));
  };
  using Chunks = std::pair<std::vector<int64_t>, std::vector<int64_t>>;
  EXPECT_EQ(get(3), (Chunks{{1, 3, 1, 6, 1, 9, 3, 10, 3, 13}, {0, 3, 5}}));
  EXPECT_EQ(get(4), (Chunks{{1, 3, 1, 7}, {0, 2}}));
  EXPECT_EQ(get(7), (Chunks{{}, {0}}));
}
