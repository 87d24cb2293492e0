//===- TopologyTest.cpp - Which graph a layer takes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of topologies, through layers compiled for each of them.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/EdgeSets.h"
#include "runtime/tests/TestUtil.h"

#include <map>
#include <tuple>

using namespace clique::test;

static void doNothing(void **) {}

/// Whether a layer compiled for the class takes the graph.
static bool accepts(clique_topology topology, int64_t param, int32_t noSelf,
                    const Graph &graph) {
  clique_arg arg = {};
  arg.name = "g";
  arg.kind = CLIQUE_ARG_GRAPH;
  arg.graph = -1;
  arg.topology = topology;
  arg.param = param;
  arg.no_self = noSelf;
  const clique_variant variant = {"", doNothing};
  const clique_layer layer = {
      CLIQUE_ABI_VERSION, 1,      0, 1,      "layer", &arg, nullptr,
      &variant,           kDLCPU, 0, nullptr};
  clique_value value;
  value.graph = graph.get();
  return clique_layer_invoke(&layer, &value, 1, nullptr, 0) == CLIQUE_OK;
}

static bool accepts(clique_topology topology, const Graph &graph) {
  return accepts(topology, 2, 0, graph);
}

static Graph cliques(std::vector<int64_t> offsets, int32_t causal = 0,
                     int32_t noSelf = 0) {
  return make(clique_graph_cliques, int64_t(offsets.size() - 1),
              static_cast<const int64_t *>(offsets.data()), causal, noSelf);
}

TEST(Topology, AnyGraphIsSparse) {
  for (clique_topology any :
       {CLIQUE_TOPOLOGY_SPARSE, CLIQUE_TOPOLOGY_UNKNOWN}) {
    EXPECT_TRUE(accepts(any, makeGraph(3, 3, {{0, 1}, {2, 0}})));
    EXPECT_TRUE(accepts(any, make(clique_graph_complete, int64_t(4), 1)));
  }
}

TEST(Topology, CompleteIsTheOneCliqueAndTheSquareBipartite) {
  Graph complete = make(clique_graph_complete, int64_t(4), 0);
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_COMPLETE, complete));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_BIPARTITE, complete));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CLIQUES, complete));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_WINDOW, 3, 0, complete));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_WINDOW, 2, 0, complete));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_CAUSAL, complete));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_CAUSAL_CLIQUES, complete));
  Graph square = make(clique_graph_bipartite, int64_t(4), int64_t(4));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_COMPLETE, square));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_COMPLETE, cliques({0, 4})));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_COMPLETE,
                      make(clique_graph_window, int64_t(4), int64_t(5), 0)));
}

TEST(Topology, CompleteTakesNothingElse) {
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE, cliques({0, 2, 4})));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE,
                       make(clique_graph_causal, int64_t(4), 0)));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE,
                       make(clique_graph_bipartite, int64_t(4), int64_t(5))));
  EXPECT_FALSE(
      accepts(CLIQUE_TOPOLOGY_COMPLETE, makeGraph(2, 2, {{0, 1}, {1, 1}})));
  EXPECT_TRUE(lastErrorHas("layer: argument 'g': the layer was compiled for "
                           "the topology 'complete'"));
}

TEST(Topology, SelfLoopsSetTheClassesApart) {
  Graph with = make(clique_graph_complete, int64_t(4), 0);
  Graph without = make(clique_graph_complete, int64_t(4), 1);
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_COMPLETE, 0, 1, without));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CLIQUES, 0, 1, without));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE, 0, 1, with));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE, 0, 0, without));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_BIPARTITE, 0, 0, without));
}

TEST(Topology, CausalIsTheOneCausalClique) {
  Graph causal = make(clique_graph_causal, int64_t(4), 0);
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CAUSAL, causal));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CAUSAL_CLIQUES, causal));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_CLIQUES, causal));
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CAUSAL, cliques({0, 4, 4}, 1)));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_CAUSAL, cliques({0, 2, 4}, 1)));
}

TEST(Topology, SingletonsBelongToAllKindsOfCliques) {
  for (int32_t causal : {0, 1}) {
    Graph singletons = cliques({0, 1, 2, 3}, causal);
    EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CLIQUES, singletons));
    EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CAUSAL_CLIQUES, singletons));
    EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_WINDOW, 0, 0, singletons));
    EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_WINDOW, 1, 0, singletons));
    EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_COMPLETE, singletons));
  }
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_CLIQUES, 0, 1, makeGraph(3, 3, {})));
}

TEST(Topology, WindowsOfOtherWidthsAreOtherClasses) {
  Graph window = make(clique_graph_window, int64_t(9), int64_t(2), 0);
  EXPECT_TRUE(accepts(CLIQUE_TOPOLOGY_WINDOW, 2, 0, window));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_WINDOW, 3, 0, window));
  EXPECT_FALSE(accepts(CLIQUE_TOPOLOGY_WINDOW, 2, 1, window));
}

static bool isOfBlocks(int64_t size, const Graph &graph) {
  return accepts(CLIQUE_TOPOLOGY_BLOCKS, size, 0, graph);
}

TEST(Topology, BlocksOfADivisorOfTheSize) {
  Edges edges;
  for (int32_t i = 0; i < 20; ++i)
    for (int32_t j = 0; j < 30; ++j)
      if ((i / 12 + j / 12) % 2)
        edges.emplace_back(i, j);
  Graph blocks = makeGraph(20, 30, edges);
  for (int64_t size : {1, 2, 3, 4, 6, 12})
    EXPECT_TRUE(isOfBlocks(size, blocks)) << size;
  for (int64_t size : {0, 5, 8, 24})
    EXPECT_FALSE(isOfBlocks(size, blocks)) << size;
  EXPECT_TRUE(lastErrorHas("compiled for the topology 'blocks 24', but the "
                           "graph of 20 nodes and 288 edges is 'blocks 12'"));
  edges.push_back(edges.front());
  EXPECT_FALSE(isOfBlocks(1, makeGraph(20, 30, edges)));
}

TEST(Topology, IntervalsOfWholeBlocks) {
  for (int64_t size : {1, 7, 64}) {
    EXPECT_TRUE(isOfBlocks(size, make(clique_graph_complete, int64_t(20), 0)));
    EXPECT_TRUE(isOfBlocks(
        size, make(clique_graph_bipartite, int64_t(20), int64_t(30))));
  }
  EXPECT_FALSE(isOfBlocks(8, make(clique_graph_complete, int64_t(20), 1)));
  EXPECT_FALSE(isOfBlocks(8, make(clique_graph_causal, int64_t(20), 0)));
  EXPECT_TRUE(isOfBlocks(8, cliques({0, 8, 24, 30})));
  EXPECT_FALSE(isOfBlocks(8, cliques({0, 8, 23, 30})));
  EXPECT_FALSE(
      accepts(CLIQUE_TOPOLOGY_COMPLETE, makeGraph(16, 16, {{0, 0}, {1, 1}})));
}

TEST(Topology, NoNodeAndOneNodeBelongToAll) {
  for (int topology = CLIQUE_TOPOLOGY_COMPLETE;
       topology <= CLIQUE_TOPOLOGY_BLOCKS; ++topology) {
    EXPECT_TRUE(accepts(clique_topology(topology), makeGraph(0, 0, {})));
    EXPECT_TRUE(accepts(clique_topology(topology), makeGraph(1, 1, {{0, 0}})));
  }
}

/// All classes, with parameters that tell graphs of few nodes apart.
static std::vector<GraphClass> listClasses() {
  std::vector<GraphClass> classes = {{CLIQUE_TOPOLOGY_BIPARTITE},
                                     {CLIQUE_TOPOLOGY_SPARSE},
                                     {CLIQUE_TOPOLOGY_BLOCKS, 2},
                                     {CLIQUE_TOPOLOGY_BLOCKS, 3}};
  for (bool noSelf : {false, true}) {
    for (clique_topology topology :
         {CLIQUE_TOPOLOGY_COMPLETE, CLIQUE_TOPOLOGY_CAUSAL,
          CLIQUE_TOPOLOGY_CLIQUES, CLIQUE_TOPOLOGY_CAUSAL_CLIQUES})
      classes.push_back({topology, 0, noSelf});
    for (int64_t halfWidth : {0, 1, 2, 3})
      classes.push_back({CLIQUE_TOPOLOGY_WINDOW, halfWidth, noSelf});
  }
  return classes;
}

static Graph makeOfSet(int64_t numDst, int64_t numSrc, EdgeSet set) {
  Edges edges;
  for (int64_t i = 0; i < numDst; ++i)
    for (int64_t j = 0; j < numSrc; ++j)
      if ((set >> (i * numSrc + j)) & 1)
        edges.emplace_back(int32_t(i), int32_t(j));
  return makeGraph(numDst, numSrc, edges);
}

/// Expects layers of all classes to take the graph where it is one of theirs.
static void expectItsClasses(int64_t numDst, int64_t numSrc, EdgeSet set) {
  static const std::vector<GraphClass> classes = listClasses();
  static std::map<std::tuple<size_t, int64_t, int64_t>, EdgeSets> lists;
  const Graph graph = makeOfSet(numDst, numSrc, set);
  for (size_t k = 0; k < classes.size(); ++k) {
    const GraphClass &of = classes[k];
    auto [place, isNew] = lists.try_emplace({k, numDst, numSrc});
    if (isNew)
      place->second = listGraphs(of, numDst, numSrc);
    ASSERT_EQ(accepts(of.topology, of.param, of.noSelf, graph),
              place->second.contains({false, {set}}))
        << clique_topology_name(of.topology) << " " << of.param << " "
        << of.noSelf << ": " << numDst << " x " << numSrc << ", edges "
        << std::hex << set;
  }
}

TEST(Topology, AllGraphsOfUpToThreeNodes) {
  for (int64_t numDst = 0; numDst <= 3; ++numDst)
    for (int64_t numSrc = 0; numSrc <= 3; ++numSrc)
      for (EdgeSet set = 0; set < EdgeSet(1) << (numDst * numSrc); ++set)
        expectItsClasses(numDst, numSrc, set);
}

TEST(Topology, OneEdgeMoreOrLess) {
  for (const GraphClass &of : listClasses())
    for (auto [numDst, numSrc] : {std::pair(4, 4), {5, 5}, {3, 5}, {5, 4}}) {
      const bool isSmall = numDst * numSrc <= 16;
      if (of.topology == CLIQUE_TOPOLOGY_BLOCKS && !isSmall)
        continue;
      for (EdgeSet set : listGraphs(of, numDst, numSrc).sets) {
        expectItsClasses(numDst, numSrc, set);
        for (int64_t k = 0; k < numDst * numSrc; ++k)
          expectItsClasses(numDst, numSrc, set ^ (EdgeSet(1) << k));
      }
    }
}

TEST(Topology, Names) {
  EXPECT_STREQ(clique_topology_name(CLIQUE_TOPOLOGY_CAUSAL_CLIQUES),
               "causal_cliques");
  EXPECT_STREQ(clique_topology_name(CLIQUE_TOPOLOGY_UNKNOWN), "unknown");
}
