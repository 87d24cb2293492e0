//===- ReorderTest.cpp - Graphs with renumbered nodes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same edges under new numbers, and an order that is worth it.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace clique::test;

namespace {
struct Reordered {
  Graph graph; ///< null: the given order
  std::vector<int32_t> newOfOld;
  clique_order_info info = {};
};
} // namespace

static Reordered reorder(const Graph &graph, clique_node_order order,
                         int64_t bytesPerNode = 256) {
  Reordered result;
  result.newOfOld.assign(clique_graph_num_dst(graph.get()), -1);
  clique_graph *made = nullptr;
  EXPECT_OK(clique_graph_reorder(graph.get(), order, bytesPerNode,
                                 result.newOfOld.data(), &result.info, &made));
  result.graph.reset(made);
  return result;
}

static std::vector<int32_t> firstNumbers(size_t count) {
  std::vector<int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

static Edges renamed(const Edges &edges, const std::vector<int32_t> &names) {
  Edges result;
  for (auto [i, j] : edges)
    result.emplace_back(names[i], names[j]);
  return result;
}

/// Neighbours are far apart; for counts without a factor of 617.
static std::vector<int32_t> spreadNumbers(size_t count) {
  std::vector<int32_t> numbers(count);
  for (size_t k = 0; k < count; ++k)
    numbers[k] = int32_t(k * 617 % count);
  return numbers;
}

/// A path in both directions whose nodes are numbered so.
static Graph makePath(const std::vector<int32_t> &names) {
  Edges edges;
  for (int32_t i = 0; i + 1 < int32_t(names.size()); ++i) {
    edges.emplace_back(i, i + 1);
    edges.emplace_back(i + 1, i);
  }
  return makeGraph(int64_t(names.size()), int64_t(names.size()),
                   renamed(edges, names));
}

static int64_t bandwidth(const clique_graph *graph) {
  int64_t width = 0;
  for (auto [i, j] : edgesOf(graph))
    width = std::max<int64_t>(width, std::abs(int64_t(i) - j));
  return width;
}

/// Parallel edges, a self-loop, isolated nodes 4 and 7.
static Graph makeMixed() {
  return makeGraph(
      9, 9,
      {{8, 1}, {0, 3}, {2, 1}, {2, 1}, {6, 6}, {3, 0}, {5, 6}, {1, 5}, {0, 2}});
}

TEST(Reorder, EveryEdgeKeepsItsNumberUnderNewNames) {
  const Graph graph = makeMixed();
  for (clique_node_order order : {CLIQUE_ORDER_DEGREE, CLIQUE_ORDER_RCM}) {
    Reordered result = reorder(graph, order);
    ASSERT_TRUE(result.graph);
    EXPECT_EQ(result.info.order, order);
    EXPECT_EQ(edgesOf(result.graph.get()),
              renamed(edgesOf(graph.get()), result.newOfOld));
    std::sort(result.newOfOld.begin(), result.newOfOld.end());
    EXPECT_EQ(result.newOfOld, firstNumbers(9));
  }
}

TEST(Reorder, DegreePutsTheMostUsedSourcesFirst) {
  const std::vector<int32_t> newOfOld =
      reorder(makeMixed(), CLIQUE_ORDER_DEGREE).newOfOld;
  // Node 1 is a source three times, 6 twice, 0, 2, 3 and 5 once.
  EXPECT_EQ(newOfOld, (std::vector<int32_t>{2, 0, 3, 4, 6, 5, 1, 7, 8}));
}

TEST(Reorder, CuthillMcKeeFindsThePath) {
  const Graph path = makePath(spreadNumbers(1000));
  EXPECT_GT(bandwidth(path.get()), 100);
  EXPECT_EQ(bandwidth(reorder(path, CLIQUE_ORDER_RCM).graph.get()), 1);
}

TEST(Reorder, CuthillMcKeeKeepsComponentsTogether) {
  // Pairs of nodes k and k + 500: a thousand nodes, none alone.
  Edges edges;
  for (int32_t k = 0; k < 500; ++k)
    edges.emplace_back(k, k + 500);
  const Graph pairs = makeGraph(1000, 1000, edges);
  EXPECT_EQ(bandwidth(reorder(pairs, CLIQUE_ORDER_RCM).graph.get()), 1);
}

TEST(Reorder, WithoutEdgesOrNodesTheOrderStays) {
  for (int64_t n : {0, 5})
    for (clique_node_order order :
         {CLIQUE_ORDER_GIVEN, CLIQUE_ORDER_DEGREE, CLIQUE_ORDER_AUTO}) {
      Reordered result = reorder(makeGraph(n, n, {}), order);
      EXPECT_FALSE(result.graph);
      EXPECT_EQ(result.info.order, CLIQUE_ORDER_GIVEN);
      EXPECT_EQ(result.newOfOld, firstNumbers(size_t(n)));
    }
}

/// So wide that the largest caches hold some hundred rows, whatever the
/// machine.
static constexpr int64_t kWideRows = int64_t(1) << 22;

TEST(Reorder, AutoTakesWhatBringsNeighboursTogether) {
  const Graph path = makePath(spreadNumbers(5000));
  Reordered result = reorder(path, CLIQUE_ORDER_AUTO, kWideRows);
  EXPECT_EQ(result.info.order, CLIQUE_ORDER_RCM);
  ASSERT_TRUE(result.graph);
  EXPECT_EQ(bandwidth(result.graph.get()), 1);
  EXPECT_LT(result.info.gather[CLIQUE_ORDER_RCM],
            0.7 * result.info.gather[CLIQUE_ORDER_GIVEN]);
}

TEST(Reorder, AutoLeavesWhatLiesTogether) {
  Edges edges;
  for (int32_t i = 0; i < 4998; ++i)
    edges.emplace_back(i, i + 2);
  Reordered ordered =
      reorder(makeGraph(5000, 5000, edges), CLIQUE_ORDER_AUTO, kWideRows);
  EXPECT_EQ(ordered.info.order, CLIQUE_ORDER_GIVEN);
  EXPECT_FALSE(ordered.graph);
  EXPECT_GT(ordered.info.gather[CLIQUE_ORDER_GIVEN], 0);
  // All rows fit into the nearest cache, in any order.
  Reordered small = reorder(makePath(spreadNumbers(500)), CLIQUE_ORDER_AUTO, 4);
  EXPECT_EQ(small.info.order, CLIQUE_ORDER_GIVEN);
}

TEST(Reorder, AutoLeavesGraphsThatHaveNoOtherOrder) {
  EXPECT_FALSE(
      reorder(makeGraph(2, 3, {{1, 2}, {0, 0}}), CLIQUE_ORDER_AUTO).graph);
  EXPECT_FALSE(
      reorder(make(clique_graph_complete, int64_t(5), 0), CLIQUE_ORDER_AUTO)
          .graph);
}

static void expectRefused(const Graph &graph, const std::string &why) {
  std::vector<int32_t> newOfOld(clique_graph_num_dst(graph.get()));
  clique_graph *made = nullptr;
  EXPECT_EQ(clique_graph_reorder(graph.get(), CLIQUE_ORDER_RCM, 256,
                                 newOfOld.data(), nullptr, &made),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_FALSE(made);
  EXPECT_TRUE(lastErrorHas(why));
}

TEST(Reorder, RefusesGraphsThatHaveNoOtherOrder) {
  expectRefused(makeGraph(2, 3, {{1, 2}, {0, 0}}),
                "the graph of 2 edges has 2 destinations and 3 sources, which "
                "are not the same nodes; the order 'rcm' is for sparse graphs");
  expectRefused(make(clique_graph_complete, int64_t(5), 0),
                "is 'complete': sources lie together already");
  // Given by its edges, and as regular.
  expectRefused(makeGraph(2, 2, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}),
                "is 'complete'");
}

TEST(Reorder, RefusesWrongArguments) {
  const Graph graph = makeMixed();
  std::vector<int32_t> newOfOld(9);
  clique_graph *made = nullptr;
  auto attempt = [&](clique_node_order order, int64_t bytes,
                     int32_t *newOfOld) {
    return clique_graph_reorder(graph.get(), order, bytes, newOfOld, nullptr,
                                &made);
  };
  EXPECT_EQ(attempt(clique_node_order(9), 256, newOfOld.data()),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("order 9, expected a clique_node_order, 0 to 3"));
  EXPECT_EQ(attempt(CLIQUE_ORDER_RCM, 0, newOfOld.data()),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("0 bytes per node, expected 1 or more"));
  EXPECT_EQ(attempt(CLIQUE_ORDER_RCM, 256, nullptr), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("'new_of_old' is NULL"));
  EXPECT_STREQ(clique_node_order_name(CLIQUE_ORDER_DEGREE), "degree");
}

//===----------------------------------------------------------------------===//
// Classes under other numbers
//===----------------------------------------------------------------------===//

/// Cliques of these sizes under mixed numbers.
static Edges makeMixedCliques(const std::vector<int32_t> &sizes, bool noSelf) {
  int32_t count = std::accumulate(sizes.begin(), sizes.end(), 0);
  std::vector<int32_t> names = firstNumbers(size_t(count));
  std::shuffle(names.begin(), names.end(), std::mt19937(7));
  Edges edges;
  int32_t first = 0;
  for (int32_t size : sizes) {
    for (int32_t i = first; i < first + size; ++i)
      for (int32_t j = first; j < first + size; ++j)
        if (i != j || !noSelf)
          edges.emplace_back(names[i], names[j]);
    first += size;
  }
  return edges;
}

static constexpr int32_t kNumMixed = 20 + 33 + 9 + 41 + 20;

static Reordered reorderMixed(const Edges &edges) {
  return reorder(makeGraph(kNumMixed, kNumMixed, edges), CLIQUE_ORDER_AUTO);
}

TEST(Reorder, AutoFindsCliquesUnderMixedNumbers) {
  for (bool noSelf : {false, true}) {
    const Edges edges = makeMixedCliques({20, 33, 9, 41, 20}, noSelf);
    EXPECT_EQ(inspect(makeGraph(kNumMixed, kNumMixed, edges).get()).topology,
              CLIQUE_TOPOLOGY_SPARSE);
    Reordered found = reorderMixed(edges);
    EXPECT_EQ(found.info.order, CLIQUE_ORDER_RCM);
    ASSERT_TRUE(found.graph);
    const clique_graph_info info = inspect(found.graph.get());
    EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_CLIQUES);
    EXPECT_EQ(info.num_components, 5);
    EXPECT_EQ(info.no_self, noSelf);
    EXPECT_EQ(edgesOf(found.graph.get()), renamed(edges, found.newOfOld));
  }
}

TEST(Reorder, AutoLosesNoEdgeOfChangedCliques) {
  // One edge less, one more, or one twice: no cliques, and every edge is there.
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    Edges edges = makeMixedCliques({20, 33, 9, 41, 20}, round % 2);
    const size_t chosen = random() % edges.size();
    if (round % 3 == 0) {
      edges.erase(edges.begin() + int64_t(chosen));
    } else if (round % 3 == 1) {
      edges.push_back(edges[chosen]);
    } else {
      std::pair<int32_t, int32_t> more;
      do
        more = {int32_t(random() % kNumMixed), int32_t(random() % kNumMixed)};
      while (std::count(edges.begin(), edges.end(), more) ||
             more.first == more.second);
      edges.push_back(more);
    }
    Reordered found = reorderMixed(edges);
    if (!found.graph)
      continue;
    EXPECT_EQ(inspect(found.graph.get()).topology, CLIQUE_TOPOLOGY_SPARSE);
    EXPECT_EQ(edgesOf(found.graph.get()), renamed(edges, found.newOfOld));
  }
}
