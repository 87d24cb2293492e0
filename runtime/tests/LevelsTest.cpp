//===- LevelsTest.cpp - Acyclic graphs level by level, parts of graphs ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

template <typename T>
static std::vector<T> copy(void (*get)(clique::Memref1D<const T> *,
                                       const clique_graph *),
                           const clique_graph *graph) {
  clique::Memref1D<const T> array;
  get(&array, graph);
  return {array.aligned, array.aligned + array.size};
}

static std::vector<int32_t> nodesOf(const clique_graph *g) {
  return copy(_mlir_ciface_clique_rt_level_nodes, g);
}
static std::vector<int32_t> placesOf(const clique_graph *g) {
  return copy(_mlir_ciface_clique_rt_level_places, g);
}
static std::vector<int64_t> offsetsOf(const clique_graph *g) {
  return copy(_mlir_ciface_clique_rt_level_offsets, g);
}

TEST(Levels, OfATree) {
  // 4 from 0 and 1, 5 from 2, 6 from 4, 5 and 3; 8 from 7. By height, then
  // by number: 0 1 2 3 7 | 4 5 8 | 6.
  Graph graph =
      makeGraph(9, 9, {{6, 4}, {4, 0}, {4, 1}, {5, 2}, {6, 5}, {6, 3}, {8, 7}});
  EXPECT_OK(invoke([&] {
    clique_graph *levels = clique_rt_levels(graph.get());
    EXPECT_EQ(nodesOf(levels),
              (std::vector<int32_t>{0, 1, 2, 3, 7, 4, 5, 8, 6}));
    EXPECT_EQ(placesOf(levels),
              (std::vector<int32_t>{0, 1, 2, 3, 5, 6, 8, 4, 7}));
    EXPECT_EQ(offsetsOf(levels), (std::vector<int64_t>{0, 5, 8, 9}));
    // Edges keep their numbers.
    EXPECT_EQ(edgesOf(levels),
              (Edges{{8, 5}, {5, 0}, {5, 1}, {6, 2}, {8, 6}, {8, 3}, {7, 4}}));
    // Kept with the caller's graph.
    EXPECT_EQ(clique_rt_levels(graph.get()), levels);
    clique_rt_release(levels);
  }));
}

TEST(Levels, OfNothingOfOneNodeAndWithoutEdges) {
  Graph empty = makeGraph(0, 0, {}), one = makeGraph(1, 1, {}),
        loose = makeGraph(3, 3, {});
  EXPECT_OK(invoke([&] {
    EXPECT_EQ(offsetsOf(clique_rt_levels(empty.get())),
              (std::vector<int64_t>{0}));
    EXPECT_EQ(offsetsOf(clique_rt_levels(one.get())),
              (std::vector<int64_t>{0, 1}));
    EXPECT_EQ(offsetsOf(clique_rt_levels(loose.get())),
              (std::vector<int64_t>{0, 3}));
  }));
}

TEST(Levels, OfAGraphThatTheLayerMadeAreItsOwn) {
  EXPECT_OK(invoke([] {
    // Every node is a level.
    clique_graph *causal = clique_rt_causal(4, true);
    clique_graph *levels = clique_rt_levels(causal);
    clique_rt_release(causal);
    EXPECT_EQ(offsetsOf(levels), (std::vector<int64_t>{0, 1, 2, 3, 4}));
    clique_rt_release(levels);
  }));
}

/// Each edge goes to a higher level, and from the level below to each node that
/// has edges.
TEST(Levels, AreLongestPaths) {
  std::mt19937 random(5);
  Edges edges;
  std::vector<int32_t> names(500);
  for (int32_t k = 0; k < 500; ++k)
    names[k] = k;
  std::shuffle(names.begin(), names.end(), random);
  for (int k = 0; k < 2000; ++k) {
    const int32_t a = int32_t(random() % 500), b = int32_t(random() % 500);
    if (a != b)
      edges.emplace_back(names[std::max(a, b)], names[std::min(a, b)]);
  }
  Graph graph = makeGraph(500, 500, edges);
  EXPECT_OK(invoke([&] {
    clique_graph *levels = clique_rt_levels(graph.get());
    const std::vector<int64_t> offsets = offsetsOf(levels);
    auto levelOf = [&](int32_t place) {
      return std::upper_bound(offsets.begin(), offsets.end(), place) -
             offsets.begin() - 1;
    };
    std::vector<int64_t> highest(500, -1);
    for (auto [dst, src] : edgesOf(levels)) {
      EXPECT_LT(levelOf(src), levelOf(dst));
      highest[dst] = std::max(highest[dst], int64_t(levelOf(src)));
    }
    for (int32_t place = 0; place < 500; ++place)
      EXPECT_EQ(levelOf(place), highest[place] + 1) << place;
  }));
}

TEST(Levels, OfADeepChain) {
  // Against the order of its nodes, so that the search goes down all of it.
  constexpr int32_t depth = 200000;
  Edges edges;
  for (int32_t k = 0; k + 1 < depth; ++k)
    edges.emplace_back(k, k + 1);
  Graph graph = makeGraph(depth, depth, edges);
  EXPECT_OK(invoke([&] {
    const auto nodes = nodesOf(clique_rt_levels(graph.get()));
    EXPECT_EQ(nodes.front(), depth - 1);
    EXPECT_EQ(nodes.back(), 0);
  }));
}

TEST(Levels, CyclesAreNamed) {
  auto expect = [](int32_t count, const Edges &edges, const char *text) {
    Graph graph = makeGraph(count, count, edges);
    expectFailure([&] { clique_rt_levels(graph.get()); }, text);
  };
  expect(4, {{1, 0}, {2, 1}, {3, 2}, {1, 3}},
         "mp.levels: the graph has a cycle through node 1: 1 -> 2 -> 3 -> 1; "
         "levels are those of an acyclic graph");
  expect(2, {{1, 0}, {1, 1}}, "a cycle through node 1: 1 -> 1;");
  Edges ring;
  for (int32_t k = 0; k < 100; ++k)
    ring.emplace_back((k + 1) % 100, k);
  expect(100, ring,
         "a cycle through node 0: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... "
         "(100 nodes) -> 0;");
  Graph bipartite = makeGraph(2, 3, {{0, 1}});
  expectFailure([&] { clique_rt_levels(bipartite.get()); },
                "mp.levels: the graph has 2 destinations and 3 sources; levels "
                "need the same number of both");
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static std::vector<int64_t> numbersOf(const clique_graph *part) {
  return copy(_mlir_ciface_clique_rt_row_edges, part);
}

TEST(Rows, OfAGraph) {
  // Not in the order of a CSR, with parallel edges.
  Graph graph =
      makeGraph(4, 5, {{3, 1}, {1, 4}, {1, 0}, {2, 3}, {1, 4}, {0, 0}});
  EXPECT_OK(invoke([&] {
    clique_graph *part = clique_rt_rows(graph.get(), 1, 2);
    EXPECT_EQ(clique_rt_num_dst(part), 2);
    EXPECT_EQ(clique_rt_num_src(part), 5);
    EXPECT_EQ(edgesOf(part), (Edges{{0, 0}, {0, 4}, {0, 4}, {1, 3}}));
    EXPECT_EQ(numbersOf(part), (std::vector<int64_t>{2, 1, 4, 3}));
    // A part of a part.
    clique_graph *inner = clique_rt_rows(part, 1, 1);
    EXPECT_EQ(edgesOf(inner), (Edges{{0, 3}}));
    EXPECT_EQ(numbersOf(inner), (std::vector<int64_t>{3}));
    clique_rt_release(inner);
    clique_graph *none = clique_rt_rows(graph.get(), 4, 0);
    EXPECT_EQ(clique_rt_num_dst(none), 0);
    EXPECT_EQ(numbersOf(none), (std::vector<int64_t>{}));
    clique_rt_release(none);
    clique_rt_release(part);
  }));
}

TEST(Rows, OfImplicitGraphs) {
  EXPECT_OK(invoke([] {
    clique_graph *complete = clique_rt_complete(4, false);
    clique_graph *part = clique_rt_rows(complete, 1, 2);
    EXPECT_EQ(inspect(part).topology, CLIQUE_TOPOLOGY_BIPARTITE);
    EXPECT_EQ(numbersOf(part),
              (std::vector<int64_t>{4, 5, 6, 7, 8, 9, 10, 11}));
    clique_rt_release(part);
    clique_rt_release(complete);
    clique_graph *causal = clique_rt_causal(4, true);
    part = clique_rt_rows(causal, 2, 2);
    EXPECT_EQ(edgesOf(part), (Edges{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}));
    EXPECT_EQ(numbersOf(part), (std::vector<int64_t>{1, 2, 3, 4, 5}));
    clique_rt_release(part);
    clique_rt_release(causal);
  }));
}

TEST(Rows, OutsideTheGraph) {
  Graph graph = makeGraph(3, 3, {{0, 1}});
  for (auto [first, count] :
       {std::pair{-1, 1}, std::pair{0, -1}, std::pair{2, 2}, std::pair{4, 0}})
    expectFailure(
        [&, first = first, count = count] {
          clique_rt_rows(graph.get(), first, count);
        },
        "mp.rows: " + std::to_string(count) + " rows from " +
            std::to_string(first) +
            " on, but the graph has 3 destinations; expected a part "
            "of them");
}
