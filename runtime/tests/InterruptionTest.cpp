//===- InterruptionTest.cpp - Work on large graphs that ends early --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime derives from a graph asks the caller on its way.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <random>

using namespace clique::test;

namespace {
/// Every question is answered with a request to stop.
class Interruption : public ::testing::Test {
protected:
  static constexpr int32_t kNodes = 200000, kDegree = 10;

  void SetUp() override {
    std::mt19937 random(5);
    Edges edges;
    for (int32_t i = 0; i < kNodes; ++i)
      for (int32_t k = 0; k < kDegree; ++k)
        edges.emplace_back(i, int32_t(random() % kNodes));
    graph = makeGraph(kNodes, kNodes, edges);
    inspect(graph.get());
    clique_set_interrupt([](void *) -> int32_t { return 1; }, nullptr);
  }
  void TearDown() override { clique_set_interrupt(nullptr, nullptr); }

  Graph graph;
};
} // namespace

// No order is worth it, so that no renumbered graph is made, which asks too.
TEST_F(Interruption, OrdersOfNodes) {
  std::vector<int32_t> newOfOld(kNodes);
  clique_graph *reordered = nullptr;
  EXPECT_EQ(clique_graph_reorder(graph.get(), CLIQUE_ORDER_AUTO, 256,
                                 newOfOld.data(), nullptr, &reordered),
            CLIQUE_INTERRUPTED);
  EXPECT_EQ(reordered, nullptr);
}

TEST_F(Interruption, TileLists) {
  expectFailure([&] { clique_rt_tiles(graph.get(), 64, 8, 64); }, "interrupted",
                CLIQUE_INTERRUPTED);
  // Nothing is left half done.
  clique_set_interrupt(nullptr, nullptr);
  EXPECT_OK(invoke([&] {
    EXPECT_TRUE(
        clique_rt_tiles_are_listed(clique_rt_tiles(graph.get(), 64, 8, 64)));
  }));
}

// Eight times as many edges, which take some times as long as it asks to wait.
TEST_F(Interruption, EdgesByType) {
  constexpr int64_t numNodes = 4000;
  Graph complete = make(clique_graph_complete, numNodes, 0);
  inspect(complete.get());
  std::vector<int32_t> types(size_t(numNodes * numNodes), 0);
  clique::Memref1D<const int32_t> array = {types.data(), types.data(), 0,
                                           int64_t(types.size()), 1};
  expectFailure(
      [&] {
        _mlir_ciface_clique_rt_edges_by_type(complete.get(), &array, 64, 4096,
                                             64, 1, true);
      },
      "interrupted", CLIQUE_INTERRUPTED);
}
