//===- TypedEdgesTest.cpp - The edges of blocks of rows, by type ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every edge once, in chunks and groups that keep to one type and one row.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

template <typename T>
using Getter = void (*)(clique::Memref1D<const T> *,
                        const clique_typed_edges *);
template <typename T>
static std::vector<T> read(Getter<T> get, const clique_typed_edges *edges) {
  clique::Memref1D<const T> array;
  get(&array, edges);
  return {array.aligned, array.aligned + array.size};
}

namespace {
struct TypedEdges {
  TypedEdges(const Graph &graph, std::vector<int32_t> types, int64_t rows,
             int64_t limit, int64_t perChunk, int64_t numTypes) {
    clique::Memref1D<const int32_t> array = {types.data(), types.data(), 0,
                                             int64_t(types.size()), 1};
    list = _mlir_ciface_clique_rt_edges_by_type(
        graph.get(), &array, rows, limit, perChunk, numTypes, true);
    blocks = read<int64_t>(_mlir_ciface_clique_rt_type_blocks, list);
    chunks = read<int64_t>(_mlir_ciface_clique_rt_type_chunks, list);
    groups = read<int64_t>(_mlir_ciface_clique_rt_type_groups, list);
    sources = read<int32_t>(_mlir_ciface_clique_rt_type_sources, list);
    ids = read<int64_t>(_mlir_ciface_clique_rt_type_edge_ids, list);
  }
  const clique_typed_edges *list;
  std::vector<int64_t> blocks, chunks, groups;
  std::vector<int32_t> sources;
  std::vector<int64_t> ids;
};
} // namespace

/// 300 nodes, some without edges and one with 100, in no order.
static Edges makeEdges() {
  std::mt19937 random(7);
  Edges edges;
  for (int32_t i = 0; i < 300; ++i)
    for (int32_t k = 0; k < (i == 50 ? 100 : int32_t(i % 7)); ++k)
      edges.emplace_back(i, random() % 300);
  std::shuffle(edges.begin(), edges.end(), random);
  return edges;
}

TEST(TypedEdges, EveryEdgeIsInOneGroupOfItsRowAndType) {
  constexpr int64_t numTypes = 5, limit = 90;
  const Edges edges = makeEdges();
  std::mt19937 random(8);
  std::vector<int32_t> types;
  types.reserve(edges.size());
  for (size_t k = 0; k < edges.size(); ++k)
    types.push_back(int32_t(random() % 9) - 2); // some below, some beyond
  Graph graph = makeGraph(300, 300, edges);
  for (int64_t rows : {1, 32, 300}) {
    for (int64_t perChunk : {1, 4, 100}) {
      TypedEdges typed(graph, types, rows, limit, perChunk, numTypes);
      clique::Memref1D<const int64_t> split;
      _mlir_ciface_clique_rt_row_blocks(&split, graph.get(), rows, limit, 0,
                                        false);
      ASSERT_EQ(int64_t(typed.blocks.size()), split.size);
      EXPECT_EQ(typed.blocks.front(), 0);
      EXPECT_EQ(typed.blocks.back() * 2 + 2, int64_t(typed.chunks.size()));
      std::vector<int> seen(edges.size(), 0);
      for (size_t b = 0; b + 1 < typed.blocks.size(); ++b)
        for (int64_t c = typed.blocks[b]; c < typed.blocks[b + 1]; ++c) {
          const int64_t first = typed.chunks[2 * c],
                        past = typed.chunks[2 * c + 2];
          EXPECT_GT(past, first);
          EXPECT_LE(past - first, perChunk);
          for (int64_t g = first; g < past; ++g) {
            const int64_t row = typed.groups[2 * g + 1];
            EXPECT_GE(row, split.aligned[b]);
            EXPECT_LT(row, split.aligned[b + 1]);
            EXPECT_GT(typed.groups[2 * g + 2], typed.groups[2 * g]);
            for (int64_t e = typed.groups[2 * g]; e < typed.groups[2 * g + 2];
                 ++e) {
              const int64_t id = typed.ids[e];
              ++seen[id];
              EXPECT_EQ(edges[id].first, row);
              EXPECT_EQ(edges[id].second, typed.sources[e]);
              EXPECT_EQ(std::clamp<int64_t>(types[id], 0, numTypes - 1),
                        typed.chunks[2 * c + 1]);
            }
          }
        }
      // All but those of the row of too many.
      for (size_t k = 0; k < edges.size(); ++k)
        EXPECT_EQ(seen[k], edges[k].first == 50 ? 0 : 1);
    }
  }
}

TEST(TypedEdges, AreKeptWhileTheTypesAreTheSame) {
  const Edges edges = makeEdges();
  Graph graph = makeGraph(300, 300, edges);
  std::vector<int32_t> types(edges.size(), 1);
  const clique_typed_edges *first =
      TypedEdges(graph, types, 32, 1000, 4, 3).list;
  EXPECT_EQ(TypedEdges(graph, types, 32, 1000, 4, 3).list, first);
  types.back() = 2;
  TypedEdges second(graph, types, 32, 1000, 4, 3);
  bool hasOther = false;
  for (size_t c = 0; 2 * c + 2 < second.chunks.size(); ++c)
    hasOther |= second.chunks[2 * c + 1] == 2;
  EXPECT_TRUE(hasOther);
}

/// Two arrays of types on one graph do not take the place of each other.
TEST(TypedEdges, OfTheLastTypesAreKept) {
  const Edges edges = makeEdges();
  Graph graph = makeGraph(300, 300, edges);
  // What the call has used stays until it ends: no other has its address.
  EXPECT_OK(invoke([&] {
    auto make = [&](int32_t type) {
      return TypedEdges(graph, std::vector<int32_t>(edges.size(), type), 32,
                        1000, 4, 9);
    };
    std::vector<const clique_typed_edges *> lists;
    for (int32_t type : {0, 1, 2, 3})
      lists.push_back(make(type).list);
    for (int32_t type : {0, 2, 1, 3}) {
      TypedEdges again = make(type);
      EXPECT_EQ(again.list, lists[type]);
      EXPECT_EQ(again.chunks[1], type);
    }
    make(4); // in place of the one that was used first
    EXPECT_EQ(make(2).list, lists[2]);
    EXPECT_NE(make(0).list, lists[0]);
  }));
}

TEST(TypedEdges, OfNoEdgeAreNoChunks) {
  Graph graph = makeGraph(3, 3, {});
  TypedEdges typed(graph, {}, 32, 1000, 4, 3);
  EXPECT_EQ(typed.blocks, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(typed.chunks, (std::vector<int64_t>{0, 0}));
}

/// A group's edges are summed one after the other.
TEST(TypedEdges, GroupsAreNotLong) {
  Edges edges;
  for (int32_t k = 0; k < 1000; ++k)
    edges.emplace_back(1, k % 3);
  Graph graph = makeGraph(3, 3, edges);
  TypedEdges typed(graph, std::vector<int32_t>(1000, 0), 3, 2000, 100, 1);
  EXPECT_EQ(typed.groups,
            (std::vector<int64_t>{0, 1, 256, 1, 512, 1, 768, 1, 1000, 0}));
  EXPECT_EQ(typed.chunks, (std::vector<int64_t>{0, 0, 4, 0}));
}
