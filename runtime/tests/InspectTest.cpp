//===- InspectTest.cpp - The inspector -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each class is found from its shuffled edges, and no near miss is.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

/// The same edges as data, in any order.
static Graph shuffled(const Graph &graph) {
  Edges edges = edgesOf(graph.get());
  std::shuffle(edges.begin(), edges.end(), std::mt19937(7));
  return makeGraph(clique_graph_num_dst(graph.get()),
                   clique_graph_num_src(graph.get()), edges);
}

static std::vector<int64_t> rowBegin(const Graph &graph) {
  clique::Memref1D<const int64_t> rows;
  _mlir_ciface_clique_rt_row_begin(&rows, graph.get());
  return {rows.aligned, rows.aligned + rows.size};
}

static std::vector<int64_t> rowEnd(const Graph &graph) {
  clique::Memref1D<const int64_t> rows;
  _mlir_ciface_clique_rt_row_end(&rows, graph.get());
  return {rows.aligned, rows.aligned + rows.size};
}

/// The inspector finds what the constructor said.
static void expectFound(const Graph &graph) {
  const clique_graph_info said = inspect(graph.get());
  Graph data = shuffled(graph);
  const clique_graph_info found = inspect(data.get());
  EXPECT_EQ(found.topology, said.topology);
  EXPECT_EQ(found.param, said.param);
  EXPECT_EQ(found.no_self, said.no_self);
  EXPECT_EQ(found.num_components, said.num_components);
  EXPECT_EQ(found.max_degree, said.max_degree);
  EXPECT_EQ(found.num_isolated, said.num_isolated);
  EXPECT_EQ(found.num_edges, said.num_edges);
  EXPECT_EQ(rowBegin(data), rowBegin(graph));
  EXPECT_EQ(rowEnd(data), rowEnd(graph));
}

/// With one edge missing, added or doubled the graph is sparse.
static void expectNearMissesAreSparse(const Graph &graph) {
  const int64_t numDst = clique_graph_num_dst(graph.get());
  const int64_t numSrc = clique_graph_num_src(graph.get());
  const Edges edges = edgesOf(graph.get());
  for (size_t k = 0; k < edges.size(); ++k) {
    Edges missing = edges, doubled = edges;
    missing.erase(missing.begin() + k);
    doubled.push_back(edges[k]);
    EXPECT_EQ(inspect(makeGraph(numDst, numSrc, missing).get()).topology,
              CLIQUE_TOPOLOGY_SPARSE)
        << "without edge " << k;
    Graph twice = makeGraph(numDst, numSrc, doubled);
    EXPECT_EQ(inspect(twice.get()).topology, CLIQUE_TOPOLOGY_SPARSE);
    EXPECT_EQ(rowBegin(twice), std::vector<int64_t>(numDst, 0));
    EXPECT_EQ(rowEnd(twice), std::vector<int64_t>(numDst, 0));
  }
  for (int32_t i = 0; i < numDst; ++i)
    for (int32_t j = 0; j < numSrc; ++j) {
      if (std::count(edges.begin(), edges.end(), std::make_pair(i, j)))
        continue;
      Edges added = edges;
      added.emplace_back(i, j);
      EXPECT_EQ(inspect(makeGraph(numDst, numSrc, added).get()).topology,
                CLIQUE_TOPOLOGY_SPARSE)
          << "with " << i << ", " << j;
    }
}

class Inspect : public ::testing::TestWithParam<int32_t> {};
INSTANTIATE_TEST_SUITE_P(SelfLoops, Inspect, ::testing::Values(0, 1));

TEST_P(Inspect, Complete) {
  Graph graph = make(clique_graph_complete, int64_t(6), GetParam());
  expectFound(graph);
  EXPECT_EQ(inspect(graph.get()).topology, CLIQUE_TOPOLOGY_COMPLETE);
  expectNearMissesAreSparse(graph);
}

TEST_P(Inspect, Causal) {
  Graph graph = make(clique_graph_causal, int64_t(6), GetParam());
  expectFound(graph);
  EXPECT_EQ(inspect(graph.get()).topology, CLIQUE_TOPOLOGY_CAUSAL);
  expectNearMissesAreSparse(graph);
}

TEST_P(Inspect, Window) {
  for (int64_t halfWidth : {1, 2, 4}) {
    Graph graph = make(clique_graph_window, int64_t(7), halfWidth, GetParam());
    expectFound(graph);
    EXPECT_EQ(inspect(graph.get()).param, halfWidth);
    expectNearMissesAreSparse(graph);
  }
}

TEST_P(Inspect, Cliques) {
  // A causal graph of two nodes would become two of one without its edge.
  const std::vector<int64_t> offsets = {0, 3, 6, 6, 10};
  for (int32_t causal : {0, 1}) {
    Graph graph = make(clique_graph_cliques, int64_t(4), offsets.data(), causal,
                       GetParam());
    expectFound(graph);
    EXPECT_EQ(inspect(graph.get()).num_components, 3);
    expectNearMissesAreSparse(graph);
  }
}

TEST_P(Inspect, CliquesWithIsolatedNodes) {
  const std::vector<int64_t> offsets = {0, 1, 4, 5, 6, 8};
  Graph graph =
      make(clique_graph_cliques, int64_t(5), offsets.data(), 0, GetParam());
  expectFound(graph);
  EXPECT_EQ(inspect(graph.get()).num_isolated, GetParam() ? 3 : 0);
}

TEST_P(Inspect, OneNode) {
  Graph graph = make(clique_graph_complete, int64_t(1), GetParam());
  expectFound(graph);
}

TEST(InspectBipartite, Found) {
  for (auto [numDst, numSrc] :
       {std::pair<int64_t, int64_t>{3, 5}, {5, 3}, {1, 4}, {4, 1}, {3, 0}}) {
    Graph graph = make(clique_graph_bipartite, numDst, numSrc);
    expectFound(graph);
    EXPECT_EQ(inspect(graph.get()).topology, CLIQUE_TOPOLOGY_BIPARTITE);
  }
  expectNearMissesAreSparse(
      make(clique_graph_bipartite, int64_t(3), int64_t(4)));
}

TEST(InspectBipartite, ASquareOneIsComplete) {
  Graph data = shuffled(make(clique_graph_bipartite, int64_t(4), int64_t(4)));
  EXPECT_EQ(inspect(data.get()).topology, CLIQUE_TOPOLOGY_COMPLETE);
}

/// Of blocks of `size`, those with (row + 2 column) % 3 == 0.
static Edges blocksOf(int32_t size, int32_t numDst, int32_t numSrc) {
  Edges edges;
  for (int32_t i = 0; i < numDst; ++i)
    for (int32_t j = 0; j < numSrc; ++j)
      if ((i / size + 2 * (j / size)) % 3 == 0)
        edges.emplace_back(i, j);
  return edges;
}

TEST(InspectBlocks, WholeBlocksAlsoCutOff) {
  for (auto [size, numDst, numSrc] :
       {std::tuple(8, 32, 32), {16, 70, 70}, {64, 200, 130}, {12, 40, 100}}) {
    Edges edges = blocksOf(size, numDst, numSrc);
    std::shuffle(edges.begin(), edges.end(), std::mt19937(7));
    const clique_graph_info info =
        inspect(makeGraph(numDst, numSrc, edges).get());
    EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_BLOCKS);
    EXPECT_EQ(info.param, size);
    EXPECT_EQ(info.no_self, 0);
  }
}

TEST(InspectBlocks, NearMissesAreSparse) {
  const Edges edges = blocksOf(8, 20, 30);
  ASSERT_EQ(inspect(makeGraph(20, 30, edges).get()).topology,
            CLIQUE_TOPOLOGY_BLOCKS);
  for (size_t k = 0; k < edges.size(); ++k) {
    Edges missing = edges, doubled = edges;
    missing.erase(missing.begin() + int64_t(k));
    doubled.push_back(edges[k]);
    for (const Edges &changed : {missing, doubled})
      EXPECT_EQ(inspect(makeGraph(20, 30, changed).get()).topology,
                CLIQUE_TOPOLOGY_SPARSE)
          << k;
  }
  for (int32_t i = 0; i < 20; ++i)
    for (int32_t j = 0; j < 30; ++j) {
      Edges added = edges;
      added.emplace_back(i, j);
      EXPECT_EQ(inspect(makeGraph(20, 30, added).get()).topology,
                CLIQUE_TOPOLOGY_SPARSE)
          << i << ", " << j;
    }
}

TEST(InspectBlocks, SmallBlocksAndIntervalsAreNone) {
  EXPECT_EQ(inspect(makeGraph(30, 30, blocksOf(7, 30, 30)).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
  EXPECT_EQ(inspect(makeGraph(16, 16, blocksOf(16, 16, 16)).get()).topology,
            CLIQUE_TOPOLOGY_COMPLETE);
}

TEST(InspectSparse, OtherGraphs) {
  // A ring, a path in one direction, a star, and mixed self-loops.
  EXPECT_EQ(
      inspect(makeGraph(4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}).get()).topology,
      CLIQUE_TOPOLOGY_SPARSE);
  EXPECT_EQ(inspect(makeGraph(4, 4, {{1, 0}, {2, 1}, {3, 2}}).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
  EXPECT_EQ(inspect(makeGraph(4, 4, {{0, 1}, {0, 2}, {0, 3}}).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
  EXPECT_EQ(inspect(makeGraph(2, 2, {{0, 0}, {0, 1}, {1, 0}}).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
  // Whole intervals that are no class: the reversed causal graph.
  EXPECT_EQ(
      inspect(makeGraph(3, 3, {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}})
                  .get())
          .topology,
      CLIQUE_TOPOLOGY_SPARSE);
}

TEST(InspectSparse, ParallelEdgesThatLookFull) {
  // As many edges as a complete graph of two nodes, but two of them coincide.
  EXPECT_EQ(
      inspect(makeGraph(2, 2, {{0, 0}, {0, 0}, {1, 0}, {1, 1}}).get()).topology,
      CLIQUE_TOPOLOGY_SPARSE);
  // Row 1 has span 3 and three edges, one of them double.
  EXPECT_EQ(inspect(makeGraph(3, 3,
                              {{0, 0},
                               {0, 1},
                               {0, 2},
                               {1, 0},
                               {1, 2},
                               {1, 2},
                               {2, 0},
                               {2, 1},
                               {2, 2}})
                        .get())
                .topology,
            CLIQUE_TOPOLOGY_SPARSE);
}

TEST(InspectSparse, BlocksHaveNoParallelEdges) {
  // Whole blocks of 16 but for the last source, which each row has twice.
  Edges edges;
  for (int32_t i = 0; i < 17; ++i)
    edges.insert(edges.end(), {{i, 16}, {i, 16}});
  EXPECT_EQ(inspect(makeGraph(17, 17, edges).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
}

TEST(InspectSparse, ASelfLoopDoesNotFillAnotherHole) {
  // Complete without self-loops, but row 0 has itself in place of node 2.
  Edges edges = edgesOf(make(clique_graph_complete, int64_t(4), 1).get());
  std::replace(edges.begin(), edges.end(), std::make_pair(0, 2),
               std::make_pair(0, 0));
  EXPECT_EQ(inspect(makeGraph(4, 4, edges).get()).topology,
            CLIQUE_TOPOLOGY_SPARSE);
}

TEST(InspectSparse, NoEdgesAreCliquesOfOne) {
  const clique_graph_info info = inspect(makeGraph(5, 5, {}).get());
  EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_CLIQUES);
  EXPECT_EQ(info.num_components, 5);
  EXPECT_EQ(info.no_self, 1);
  EXPECT_EQ(info.num_isolated, 5);
}

TEST(InspectSparse, ImplicitDegreesAreExact) {
  for (int32_t noSelf : {0, 1})
    for (int64_t n : {0, 1, 2, 3, 5})
      for (int64_t halfWidth : {0, 1, 2, 9}) {
        Graph graph = make(clique_graph_window, n, halfWidth, noSelf);
        const clique_graph_info said = inspect(graph.get());
        const clique_graph_info counted = inspect(shuffled(graph).get());
        EXPECT_EQ(said.num_edges, counted.num_edges);
        EXPECT_EQ(said.max_degree, counted.max_degree);
        EXPECT_EQ(said.num_isolated, counted.num_isolated);
      }
}
