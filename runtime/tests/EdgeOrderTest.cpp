//===- EdgeOrderTest.cpp - Reversed graphs and added self-loops ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derived graphs list their edges in the order of the original.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <set>

using namespace clique::test;

/// One graph of each implicit class, square but for the bipartite one.
static std::vector<Graph> implicitGraphs(int32_t noSelf) {
  static const std::vector<int64_t> offsets = {0, 3, 3, 4, 7};
  const int64_t n = 7;
  std::vector<Graph> graphs;
  graphs.push_back(make(clique_graph_complete, n, noSelf));
  graphs.push_back(make(clique_graph_causal, n, noSelf));
  graphs.push_back(make(clique_graph_window, n, int64_t(2), noSelf));
  graphs.push_back(
      make(clique_graph_cliques, int64_t(4), offsets.data(), 0, noSelf));
  graphs.push_back(
      make(clique_graph_cliques, int64_t(4), offsets.data(), 1, noSelf));
  if (!noSelf)
    graphs.push_back(make(clique_graph_bipartite, n, int64_t(4)));
  return graphs;
}

static Edges turned(const Edges &edges) {
  Edges result;
  for (auto [i, j] : edges)
    result.emplace_back(j, i);
  return result;
}

static Graph reverse(const Graph &graph) {
  return make(clique_graph_reverse,
              static_cast<const clique_graph *>(graph.get()));
}

static Graph withLoops(const Graph &graph) {
  return make(clique_graph_add_self_loops,
              static_cast<const clique_graph *>(graph.get()));
}

TEST(EdgeOrder, ReverseTurnsEachEdgeInItsPlace) {
  Graph graph = makeGraph(3, 4, {{2, 1}, {0, 3}, {2, 0}, {0, 3}});
  Graph reversed = reverse(graph);
  EXPECT_EQ(clique_graph_num_dst(reversed.get()), 4);
  EXPECT_EQ(edgesOf(reversed.get()), turned(edgesOf(graph.get())));
}

TEST(EdgeOrder, ReverseOfImplicitGraphs) {
  for (int32_t noSelf : {0, 1})
    for (const Graph &graph : implicitGraphs(noSelf)) {
      const Edges edges = edgesOf(graph.get());
      Graph once = reverse(graph), twice = reverse(once);
      EXPECT_EQ(edgesOf(once.get()), turned(edges));
      EXPECT_EQ(edgesOf(twice.get()), edges);
    }
}

TEST(EdgeOrder, ReverseOfASymmetricClassKeepsTheClass) {
  Graph window = make(clique_graph_window, int64_t(9), int64_t(2), 1);
  clique_graph_info info = inspect(reverse(window).get());
  EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_WINDOW);
  EXPECT_FALSE(edgesInOrder(reverse(window).get()));
  EXPECT_TRUE(edgesInOrder(reverse(reverse(window)).get()));
}

// Rows of the reverse are intervals too: no edge is listed, of graphs either
// whose edges no machine holds.
TEST(EdgeOrder, ReverseOfACausalGraphListsNoEdge) {
  const int64_t n = 2'000'000;
  for (int32_t noSelf : {0, 1}) {
    Graph reversed = reverse(make(clique_graph_causal, n, noSelf));
    const clique_graph_info info = inspect(reversed.get());
    EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_SPARSE);
    EXPECT_EQ(info.num_edges, n * (n + 1) / 2 - noSelf * n);
    EXPECT_EQ(info.no_self, noSelf);
    EXPECT_EQ(info.max_degree, n - noSelf);
    EXPECT_EQ(info.num_isolated, noSelf);
    const clique_tiles *tiles = clique_rt_tiles(reversed.get(), 64, 8, 64);
    EXPECT_FALSE(clique_rt_tiles_are_listed(tiles));
  }
}

/// Compiled code numbers the edges as clique_graph_csr does; returns from how
/// many entries.
static int64_t expectSameNumbers(const clique_graph *graph) {
  clique::Memref1D<const int64_t> numbering;
  _mlir_ciface_clique_rt_edge_ids(&numbering, graph);
  const int64_t *indptr, *ids;
  const int32_t *indices;
  EXPECT_OK(clique_graph_csr(graph, &indptr, &indices, &ids));
  for (int64_t i = 0; i < clique_graph_num_dst(graph); ++i)
    for (int64_t k = indptr[i]; k < indptr[i + 1]; ++k)
      EXPECT_EQ(edgeNumber(numbering, k, i), ids ? ids[k] : k);
  return numbering.size - 5;
}

TEST(EdgeOrder, CompiledCodeGetsTheSameNumbers) {
  for (int32_t noSelf : {0, 1})
    for (const Graph &graph : implicitGraphs(noSelf)) {
      EXPECT_EQ(expectSameNumbers(graph.get()), 1);
      Graph reversed = reverse(graph);
      EXPECT_EQ(expectSameNumbers(reversed.get()),
                noSelf ? clique_graph_num_edges(graph.get())
                       : clique_graph_num_dst(graph.get()) +
                             clique_graph_num_src(graph.get()) - 1);
      EXPECT_EQ(expectSameNumbers(reverse(reversed).get()), 1);
      if (clique_graph_num_dst(graph.get()) ==
          clique_graph_num_src(graph.get()))
        expectSameNumbers(withLoops(graph).get());
    }
  Graph listed = makeGraph(3, 4, {{2, 1}, {0, 3}, {2, 0}, {0, 3}});
  EXPECT_EQ(expectSameNumbers(listed.get()), 4);
  EXPECT_EQ(expectSameNumbers(reverse(listed).get()), 4);
  EXPECT_EQ(expectSameNumbers(makeGraph(2, 2, {{1, 0}}).get()), 1);
  Graph empty = makeGraph(2, 2, {});
  EXPECT_EQ(expectSameNumbers(empty.get()), 1);
  EXPECT_EQ(expectSameNumbers(reverse(empty).get()), 1);
  EXPECT_EQ(expectSameNumbers(make(clique_graph_complete, int64_t(0), 0).get()),
            1);
}

// Neither a causal graph of that many edges nor its reverse could list them.
TEST(EdgeOrder, NumbersOfImplicitGraphsAreNotListed) {
  const int64_t n = 2'000'000;
  Graph graph = make(clique_graph_causal, n, 0);
  clique::Memref1D<const int64_t> ids;
  _mlir_ciface_clique_rt_edge_ids(&ids, graph.get());
  EXPECT_EQ(ids.size, 6);
  Graph reversed = reverse(graph);
  _mlir_ciface_clique_rt_edge_ids(&ids, reversed.get());
  EXPECT_EQ(ids.size, 4 + 2 * n);
  EXPECT_EQ(edgeNumber(ids, n * (n + 1) / 2 - 1, n - 1), n * (n + 1) / 2 - 1);
}

TEST(EdgeOrder, OneNodeIsItsOwnReverse) {
  Graph one = make(clique_graph_causal, int64_t(1), 0);
  EXPECT_EQ(inspect(reverse(one).get()).topology, CLIQUE_TOPOLOGY_CAUSAL);
}

/// The listed edges, then a loop for each node that lacks one.
static Edges expectedWithLoops(int64_t n, Edges edges) {
  const std::set<std::pair<int32_t, int32_t>> present(edges.begin(),
                                                      edges.end());
  for (int32_t i = 0; i < n; ++i)
    if (!present.count({i, i}))
      edges.emplace_back(i, i);
  return edges;
}

TEST(EdgeOrder, SelfLoopsAreListedLast) {
  Graph graph = makeGraph(4, 4, {{2, 1}, {1, 1}, {0, 3}, {2, 0}});
  EXPECT_EQ(edgesOf(withLoops(graph).get()),
            (Edges{{2, 1}, {1, 1}, {0, 3}, {2, 0}, {0, 0}, {2, 2}, {3, 3}}));
}

TEST(EdgeOrder, SelfLoopsOfImplicitGraphs) {
  for (int32_t noSelf : {0, 1})
    for (const Graph &graph : implicitGraphs(noSelf)) {
      if (clique_graph_num_src(graph.get()) != 7)
        continue;
      const Edges expected = expectedWithLoops(7, edgesOf(graph.get()));
      Graph loops = withLoops(graph);
      EXPECT_EQ(edgesOf(loops.get()), expected);
      EXPECT_EQ(edgesOf(withLoops(loops).get()), expected);
      EXPECT_EQ(edgesOf(reverse(loops).get()), turned(expected));
      EXPECT_EQ(edgesOf(withLoops(reverse(graph)).get()),
                expectedWithLoops(7, turned(edgesOf(graph.get()))));
      EXPECT_EQ(inspect(loops.get()).topology, inspect(graph.get()).topology);
      EXPECT_EQ(inspect(loops.get()).no_self, 0);
    }
}

TEST(EdgeOrder, SelfLoopsNeedOneSetOfNodes) {
  Graph graph = make(clique_graph_bipartite, int64_t(2), int64_t(3));
  clique_graph *loops = nullptr;
  EXPECT_EQ(clique_graph_add_self_loops(graph.get(), &loops),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("2 destinations and 3 sources"));
}
