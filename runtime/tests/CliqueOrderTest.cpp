//===- CliqueOrderTest.cpp - Graphs in the order of their cliques ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixed cliques are taken one after the other, and nothing else is.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

static std::vector<int32_t> orderOf(const clique_graph *graph) {
  clique::Memref1D<const int32_t> order;
  _mlir_ciface_clique_rt_node_order(&order, graph);
  return {order.aligned, order.aligned + order.size};
}

/// The edges among nodes of the same part, by destination.
static Edges joinParts(const std::vector<int32_t> &parts, bool noSelf) {
  Edges edges;
  for (int32_t i = 0; i < int32_t(parts.size()); ++i)
    for (int32_t j = 0; j < int32_t(parts.size()); ++j)
      if (parts[i] == parts[j] && (!noSelf || i != j))
        edges.emplace_back(i, j);
  return edges;
}

static Graph makeOf(const std::vector<int32_t> &parts, const Edges &edges) {
  return makeGraph(int64_t(parts.size()), int64_t(parts.size()), edges);
}

static std::vector<int32_t> makeParts(int32_t count, int32_t most) {
  std::mt19937 random(3);
  std::vector<int32_t> parts;
  for (int32_t part = 0; part < count; ++part)
    parts.insert(parts.end(), 1 + random() % most, part);
  std::shuffle(parts.begin(), parts.end(), random);
  return parts;
}

/// Whether tiles take the graph's nodes as they are numbered.
static ::testing::AssertionResult staysAsItIs(const Graph &graph) {
  bool stays = false;
  EXPECT_OK(invoke([&] {
    const clique_graph *ordered = clique_rt_in_order(graph.get());
    stays = ordered == graph.get() && orderOf(ordered).empty();
  }));
  return stays ? ::testing::AssertionSuccess() : ::testing::AssertionFailure();
}

TEST(CliqueOrder, TwoMixedCliques) {
  Graph graph = makeOf({0, 1, 0, 1, 1}, joinParts({0, 1, 0, 1, 1}, false));
  EXPECT_OK(invoke([&] {
    const clique_graph *ordered = clique_rt_in_order(graph.get());
    EXPECT_EQ(orderOf(ordered), (std::vector<int32_t>{0, 2, 1, 3, 4}));
    EXPECT_EQ(edgesOf(ordered), joinParts({0, 0, 1, 1, 1}, false));
    EXPECT_EQ(inspect(ordered).topology, CLIQUE_TOPOLOGY_CLIQUES);
    EXPECT_EQ(inspect(ordered).no_self, 0);
    // Kept with the graph.
    EXPECT_EQ(clique_rt_in_order(graph.get()), ordered);
  }));
}

TEST(CliqueOrder, SameEdgesUnderOtherNumbers) {
  for (bool noSelf : {false, true}) {
    const std::vector<int32_t> parts = makeParts(20, 40);
    Graph graph = makeOf(parts, joinParts(parts, noSelf));
    EXPECT_OK(invoke([&] {
      const clique_graph *ordered = clique_rt_in_order(graph.get());
      const std::vector<int32_t> order = orderOf(ordered);
      ASSERT_EQ(order.size(), parts.size());
      Edges edges = edgesOf(ordered);
      for (auto &[i, j] : edges) {
        i = order[i];
        j = order[j];
      }
      std::sort(edges.begin(), edges.end());
      EXPECT_EQ(edges, joinParts(parts, noSelf));
      EXPECT_EQ(inspect(ordered).no_self, noSelf);
    }));
  }
}

TEST(CliqueOrder, OneEdgeMoreOrLess) {
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    const std::vector<int32_t> parts = makeParts(6, 9);
    const auto count = int32_t(parts.size());
    Edges edges = joinParts(parts, /*noSelf=*/round % 2);
    const std::pair<int32_t, int32_t> edge(random() % count, random() % count);
    auto at = std::find(edges.begin(), edges.end(), edge);
    if (at == edges.end())
      edges.push_back(edge);
    else
      edges.erase(at);
    EXPECT_TRUE(staysAsItIs(makeOf(parts, edges))) << round;
  }
}

TEST(CliqueOrder, WhatIsNoneStays) {
  // In order, of another class, without edges, two edges of the same ends, of
  // two sets of nodes.
  const Edges mixed = joinParts({0, 1, 0}, false);
  Edges twice = mixed;
  twice.push_back(mixed.front());
  EXPECT_TRUE(
      staysAsItIs(makeOf({0, 0, 1, 1}, joinParts({0, 0, 1, 1}, false))));
  EXPECT_TRUE(staysAsItIs(make(clique_graph_complete, int64_t(5), 0)));
  EXPECT_TRUE(staysAsItIs(makeGraph(4, 4, {})));
  EXPECT_TRUE(staysAsItIs(makeGraph(0, 0, {})));
  EXPECT_TRUE(staysAsItIs(makeGraph(3, 3, twice)));
  EXPECT_TRUE(staysAsItIs(makeGraph(3, 4, mixed)));
  EXPECT_FALSE(staysAsItIs(makeGraph(3, 3, mixed)));
}

TEST(CliqueOrder, TilesAreCountedInOrder) {
  const std::vector<int32_t> parts = makeParts(100, 60);
  Graph graph = makeOf(parts, joinParts(parts, false));
  // Tiles of the graph as it is are nearly empty; those in order are not.
  for (bool inOrder : {false, true}) {
    EXPECT_OK(invoke([&] {
      EXPECT_EQ(clique_rt_choose_dense(graph.get(), "k_0", inOrder ? 7 : 3,
                                       1000, 0, 256, 100, 100, 120, 0, 8, 1000,
                                       0),
                inOrder);
    }));
    const std::string decision = clique_last_decisions();
    EXPECT_EQ(decision.find("its nodes clique by clique") != std::string::npos,
              inOrder)
        << decision;
  }
}
