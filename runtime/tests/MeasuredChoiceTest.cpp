//===- MeasuredChoiceTest.cpp - Rows or tiles by the clock ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/MeasuredChoice.h"
#include "runtime/CostModel.h"
#include "runtime/tests/InvokeUtil.h"

#include <chrono>
#include <limits>
#include <thread>

using namespace clique;
using namespace clique::test;

/// Runs the kernel once, with rows and tiles that take so long.
static bool runOnce(MeasuredChoice &choice, double rows, double tiles,
                    bool &isTrial) {
  const bool dense = choice.choose(isTrial);
  choice.add(dense, dense ? tiles : rows);
  return dense;
}

TEST(MeasuredChoice, TakesTurnsAndStaysWithTheFasterOne) {
  for (bool expected : {false, true}) {
    MeasuredChoice choice(expected);
    bool isTrial = false;
    int tiles = 0;
    EXPECT_EQ(choice.getLeast(true), std::numeric_limits<double>::infinity());
    for (int call = 0; call < 8; ++call) {
      const bool dense = runOnce(choice, 1.0, 1.2, isTrial);
      EXPECT_TRUE(isTrial) << call;
      if (call == 0) // what is expected to be faster is first
        EXPECT_EQ(dense, expected);
      tiles += dense;
    }
    EXPECT_EQ(tiles, 4);
    for (int call = 0; call < 3; ++call) {
      EXPECT_FALSE(runOnce(choice, 9.0, 0.1, isTrial)); // comes too late
      EXPECT_FALSE(isTrial);
    }
    EXPECT_EQ(choice.getLeast(false), 1.0);
    EXPECT_EQ(choice.getLeast(true), 1.2);
  }
}

TEST(MeasuredChoice, RunsWhatIsMuchSlowerTwiceOnly) {
  MeasuredChoice choice(/*dense=*/true);
  bool isTrial = false;
  for (int call = 0; call < 4; ++call)
    runOnce(choice, 1.0, 2.0, isTrial);
  EXPECT_TRUE(isTrial);
  EXPECT_FALSE(runOnce(choice, 1.0, 2.0, isTrial));
  EXPECT_FALSE(isTrial);
}

TEST(MeasuredChoice, TheLeastTimeCounts) {
  MeasuredChoice choice(/*dense=*/false);
  bool isTrial = false;
  for (int call = 0; call < 8; ++call)
    runOnce(choice, 1.0 + call, call == 5 ? 0.9 : 1.3, isTrial);
  EXPECT_TRUE(choice.choose(isTrial));
  EXPECT_FALSE(isTrial);
}

TEST(MeasuredChoice, IsKeptByKernelCostAndThreads) {
  MeasuredChoices all;
  const KernelCost cost{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  KernelCost other = cost;
  other.pair = 50;
  auto first = all.get("k_0", cost, 2, true);
  EXPECT_EQ(all.get("k_0", cost, 2, false), first);
  EXPECT_NE(all.get("k_1", cost, 2, true), first);
  EXPECT_NE(all.get("k_0", other, 2, true), first);
  EXPECT_NE(all.get("k_0", cost, 1, true), first);
}

TEST(MeasuredChoice, AClockAddsWhatItWasStartedFor) {
  auto choice = std::make_shared<MeasuredChoice>(true);
  KernelClock clock;
  clock.stop(); // nothing runs
  EXPECT_EQ(choice->getLeast(true), std::numeric_limits<double>::infinity());
  clock.start(choice, true);
  clock.stop();
  EXPECT_LT(choice->getLeast(true), std::numeric_limits<double>::infinity());
  EXPECT_EQ(choice->getLeast(false), std::numeric_limits<double>::infinity());
}

namespace {
/// A layer of one kernel, whose tiles take 30 ms and whose rows take none.
class MeasuredLayer : public ::testing::Test {
protected:
  MeasuredLayer() { clique_set_lowering(CLIQUE_LOWERING_MEASURED); }
  ~MeasuredLayer() override { clique_set_lowering(CLIQUE_LOWERING_AUTO); }

  /// `pair`: picoseconds that are expected of a pair; an edge of rows has 1000.
  static std::string run(const Graph &graph, int64_t pair) {
    static const clique_graph *g;
    static int64_t ofPair;
    g = graph.get();
    ofPair = pair;
    EXPECT_OK(invoke([] {
      if (clique_rt_choose_dense(g, "k_0", 3, 1000, 0, 0, 0, ofPair, ofPair, 0,
                                 8, 0, 0))
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }));
    return clique_last_decisions();
  }
};
} // namespace

static bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

TEST_F(MeasuredLayer, GetsTheFasterVersion) {
  Graph graph = make(clique_graph_complete, 64, 0);
  std::string first = run(graph, 900);
  EXPECT_EQ(first, "k_0: complete, dense tiles: to be measured\n");
  std::string last;
  for (int call = 0; call < 8; ++call)
    last = run(graph, 900);
  EXPECT_TRUE(has(last, "k_0: complete, sparse rows: ")) << last;
  EXPECT_TRUE(has(last, " measured, ")) << last;
  EXPECT_TRUE(has(last, " of tiles")) << last;
}

TEST_F(MeasuredLayer, IsNotMeasuredWhereTheModelIsSure) {
  Graph graph = make(clique_graph_complete, 64, 0);
  for (int call = 0; call < 9; ++call)
    EXPECT_TRUE(has(run(graph, 100), "dense tiles: "));
  EXPECT_TRUE(has(run(graph, 100), "expected of one core"));
}

TEST_F(MeasuredLayer, HasRowsOnParallelEdges) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {0, 1}, {1, 0}, {1, 1}});
  for (int call = 0; call < 9; ++call)
    EXPECT_TRUE(has(run(graph, 500), "sparse rows: "));
}
