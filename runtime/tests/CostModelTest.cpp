//===- CostModelTest.cpp - Dense tiles or sparse rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among versions, its reasons, and the user's override.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

using namespace clique::test;

namespace {
/// What the compiler expects, in picoseconds.
struct Cost {
  int64_t edge, farEdge, sourceBytes, row, pair, maskedPair, tileEdge,
      registerBlock, tileRows = 8, evenSaving = 0;
};

/// Leaves the cost model as it was.
class Decisions : public ::testing::Test {
protected:
  ~Decisions() override { clique_set_lowering(CLIQUE_LOWERING_AUTO); }

  /// The decision for a graph, as the layer takes it.
  bool choose(const Graph &graph, int64_t versions = 3,
              Cost cost = kAttention) {
    static bool dense;
    static const clique_graph *g;
    static int64_t compiled;
    static Cost expected;
    g = graph.get();
    compiled = versions;
    expected = cost;
    EXPECT_OK(invoke([] {
      dense = clique_rt_choose_dense(
          g, "k_0", compiled, expected.edge, expected.farEdge,
          expected.sourceBytes, expected.row, expected.pair,
          expected.maskedPair, expected.tileEdge, expected.tileRows,
          expected.registerBlock, expected.evenSaving);
    }));
    return dense;
  }

  bool chooseCliques(int64_t size, Cost cost, int64_t count = 10) {
    std::vector<int64_t> offsets;
    for (int64_t k = 0; k <= count; ++k)
      offsets.push_back(k * size);
    return choose(make(clique_graph_cliques, count, offsets.data(), 0, 0), 3,
                  cost);
  }

  /// A complete graph of 1024 nodes, but for one edge of each.
  static Graph makeList() {
    Edges edges;
    for (int32_t i = 0; i < 1024; ++i)
      for (int32_t k = 0; k < 1024; ++k)
        if (k != (5 * i + 1) % 1024)
          edges.emplace_back(i, k);
    return makeGraph(1024, 1024, edges);
  }

  /// examples/attention.mlir, gat.mlir, edgeconv.mlir.
  static constexpr Cost kAttention = {9000, 0, 0, 10000, 3000, 4200, 0, 900000};
  static constexpr Cost kAdditive = {4000, 0, 0, 9000, 2500, 3500, 0, 400000};
  static constexpr Cost kMaximum = {2500, 0, 0, 4000, 9000, 12600, 0, 100000};

  Graph complete = make(clique_graph_complete, int64_t(256), 0);
  Graph small = make(clique_graph_complete, int64_t(7), 0);
  Graph sparse = makeGraph(3, 3, {{0, 1}, {2, 0}});
};
} // namespace

TEST_F(Decisions, AutoTakesTheFasterVersion) {
  EXPECT_TRUE(choose(complete));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: complete, dense tiles: 0.23 ms expected of one core, "
               "0.59 ms of rows\n");
  EXPECT_FALSE(choose(small));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: complete, sparse rows: 0.5 us expected of one core, "
               "1.4 us of tiles\n");
  EXPECT_FALSE(choose(sparse));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: sparse, sparse rows: 0.0 us expected of one core, "
               "2.0 us of tiles\n");
}

TEST_F(Decisions, LargeCliquesMakeTilesPay) {
  EXPECT_FALSE(chooseCliques(16, kAttention));
  EXPECT_TRUE(chooseCliques(64, kAttention));
  EXPECT_FALSE(chooseCliques(32, kAdditive));
  EXPECT_TRUE(chooseCliques(256, kAdditive));
  EXPECT_FALSE(chooseCliques(256, kMaximum));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: cliques of 10 graphs, sparse rows: 1.65 ms expected of "
               "one core, 5.93 ms of tiles\n");
}

TEST_F(Decisions, HalfATileCountsAsAWholeOne) {
  // 65 sources need a second tile, or a part of one.
  constexpr Cost cost = {1400, 0, 0, 0, 1000, 1400, 0, 0};
  EXPECT_TRUE(chooseCliques(64, cost));
  EXPECT_FALSE(chooseCliques(65, cost));
}

TEST_F(Decisions, WhatIsSavedOfEvenPairs) {
  // Of the pairs of a mask that cliques with their own nodes have, not of those
  // without.
  Cost cost = {500, 0, 0, 0, 100, 600, 0, 0};
  EXPECT_FALSE(chooseCliques(16, cost));
  cost.evenSaving = 200;
  EXPECT_TRUE(chooseCliques(16, cost));
  const int64_t offsets[] = {0, 16, 32};
  EXPECT_FALSE(
      choose(make(clique_graph_cliques, int64_t(2), offsets, 0, 1), 3, cost));
}

TEST_F(Decisions, EveryTimeCounts) {
  // 1e-9 ms for each of 49 edges and of the pairs at the border (8 x 16), 7
  // rows and one register block.
  EXPECT_TRUE(choose(small, 3, {110, 0, 0, 0, 10, 42, 0, 0}));
  EXPECT_FALSE(choose(small, 3, {100, 0, 0, 0, 10, 42, 0, 0}));
  EXPECT_TRUE(choose(small, 3, {100, 0, 0, 0, 10, 36, 0, 0}));
  EXPECT_TRUE(choose(small, 3, {100, 0, 0, 70, 10, 42, 0, 0}));
  EXPECT_FALSE(choose(small, 3, {100, 0, 0, 70, 10, 42, 10, 0}));
  EXPECT_FALSE(choose(small, 3, {110, 0, 0, 0, 10, 42, 0, 100}));
}

TEST_F(Decisions, AGraphWithoutEdges) {
  EXPECT_FALSE(choose(make(clique_graph_complete, int64_t(1), 1)));
  EXPECT_FALSE(choose(make(clique_graph_complete, int64_t(0), 0)));
}

TEST_F(Decisions, NameTheCliques) {
  const std::vector<int64_t> offsets = {0, 3, 6};
  choose(make(clique_graph_cliques, int64_t(2), offsets.data(), 0, 1));
  EXPECT_EQ(
      std::string(clique_last_decisions())
          .rfind("k_0: cliques of 2 graphs without self-loops, sparse rows: ",
                 0),
      0u);
}

TEST_F(Decisions, TheOnlyVersionIsTaken) {
  EXPECT_FALSE(choose(complete, 1));
  EXPECT_TRUE(choose(small, 2));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: complete, dense tiles: the only version compiled\n");
}

TEST_F(Decisions, CanBeOverridden) {
  clique_set_lowering(CLIQUE_LOWERING_SPARSE);
  EXPECT_FALSE(choose(complete));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: complete, sparse rows: as asked for\n");
  clique_set_lowering(CLIQUE_LOWERING_DENSE);
  EXPECT_TRUE(choose(small));
}

TEST_F(Decisions, OnlyWhatIsALoweringOverrides) {
  clique_set_lowering(CLIQUE_LOWERING_SPARSE);
  for (int number : {-1, 4, 1000}) {
    EXPECT_EQ(clique_set_lowering(clique_lowering(number)),
              CLIQUE_INVALID_ARGUMENT);
    EXPECT_TRUE(lastErrorHas("clique_set_lowering: lowering " +
                             std::to_string(number) +
                             ", expected a clique_lowering, 0 to 3"));
  }
  EXPECT_FALSE(choose(complete)); // as before
}

TEST_F(Decisions, ParallelEdgesHaveNoTiles) {
  static Graph parallel = makeGraph(3, 3, {{0, 1}, {2, 0}, {0, 1}});
  clique_set_lowering(CLIQUE_LOWERING_DENSE);
  expectFailure(
      [] {
        clique_rt_choose_dense(parallel.get(), "k_0", 3, 900, 0, 0, 90, 300,
                               420, 0, 8, 9000, 0);
      },
      "k_0: the dense lowering was asked for, but the graph of 3 nodes and 3 "
      "edges has parallel edges");
  EXPECT_TRUE(choose(sparse));
  clique_set_lowering(CLIQUE_LOWERING_AUTO);
  expectFailure(
      [] {
        clique_rt_choose_dense(parallel.get(), "k_0", 2, 900, 0, 0, 90, 300,
                               420, 0, 8, 9000, 0);
      },
      "k_0: only a dense version was compiled");
}

/// The edges of a complete graph of `n` nodes with every `step`-th block of 64.
static Edges denseBlocks(int32_t n, int32_t step) {
  Edges edges;
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j < n; ++j)
      if ((i / 64 - j / 64) % step == 0)
        edges.emplace_back(i, j);
  return edges;
}

TEST_F(Decisions, FullTilesOfAnyGraphPay) {
  Edges edges = denseBlocks(512, 4);
  EXPECT_TRUE(choose(makeGraph(512, 512, edges)));
  // A few edges elsewhere do not matter, a doubled one does.
  edges.emplace_back(0, 100);
  EXPECT_TRUE(choose(makeGraph(512, 512, edges)));
  edges.emplace_back(0, 100);
  EXPECT_FALSE(choose(makeGraph(512, 512, edges)));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: sparse, sparse rows: parallel edges\n");
}

TEST_F(Decisions, EdgesFarApartDoNotPay) {
  // As many as in the blocks above, each in a tile of its own.
  Edges edges;
  for (int32_t i = 0; i < 8192; ++i)
    for (int32_t k = 0; k < 128; ++k)
      edges.emplace_back(i, (64 * k + 7 * i) % 8192);
  EXPECT_FALSE(choose(makeGraph(8192, 8192, edges)));
}

TEST_F(Decisions, SourcesThatNoNearCacheHoldsMakeRowsSlower) {
  // A gigabyte of sources, a kilobyte, and a gigabyte of which a row and its
  // neighbours have a kilobyte.
  constexpr Cost far = {900, 1000, 1 << 20, 0, 1000, 1000, 0, 0},
                 near = {900, 1000, 1, 0, 1000, 1000, 0, 0};
  Graph large = make(clique_graph_complete, int64_t(1024), 0);
  EXPECT_TRUE(choose(large, 3, far));
  EXPECT_FALSE(choose(large, 3, near));
  // Tiles of a window have pairs that are no edges: more than twice the cost of
  // a near edge, less than that of a far one.
  Graph window = make(clique_graph_window, int64_t(1 << 20), int64_t(64), 0);
  constexpr Cost row = {900, 5000, 8, 0, 800, 800, 0, 0};
  EXPECT_FALSE(choose(window, 3, row));
  constexpr Cost all = {900, 5000, 1 << 14, 0, 1200, 1200, 0, 0};
  EXPECT_TRUE(choose(makeList(), 3, all));
}

TEST_F(Decisions, NeighboursShareSourcesThatLieCloseToEachOther) {
  // Eight sources of few lines next to each row and the first one, or anywhere.
  constexpr int32_t count = 32768;
  Edges close, scattered;
  for (int32_t i = 0; i < count; ++i) {
    close.emplace_back(i, 0);
    for (int32_t k = 1; k <= 8; ++k) {
      close.emplace_back(i, 1 + (i + k) % (count - 1));
      scattered.emplace_back(i, (i + 3593 * k) % count);
    }
  }
  constexpr Cost cost = {900, 1000, 768, 0, 0, 0, 1200, 0};
  EXPECT_FALSE(choose(makeGraph(count, count, close), 3, cost));
  EXPECT_TRUE(choose(makeGraph(count, count, scattered), 3, cost));
}

TEST_F(Decisions, TheFirstUseOfAWideSourceIsSlowInRows) {
  // 16 KiB of each source, of 256 MiB in all; near caches hold a clique's.
  constexpr Cost wide = {100, 1000, 1 << 14, 0, 150, 150, 0, 0};
  EXPECT_TRUE(chooseCliques(8, wide, 2048));
  EXPECT_FALSE(chooseCliques(8, wide));
  // A few lines are streamed.
  constexpr Cost narrow = {100, 1000, 512, 0, 150, 150, 0, 0};
  EXPECT_FALSE(chooseCliques(8, narrow, 65536));
}

TEST_F(Decisions, ACacheHoldsNothingOfAnIntervalThatIsLarger) {
  // From how many bytes of sources on a far line counts for more than `share`.
  auto findBytes = [&](const Graph &graph, int64_t share) {
    int64_t bytes = 1;
    while (!choose(graph, 3,
                   {100, 1000, bytes, 0, 100 + share, 100 + share, 0, 0}))
      bytes += (bytes + 15) / 16;
    return bytes;
  };
  Graph intervals = make(clique_graph_complete, int64_t(1024), 0);
  EXPECT_EQ(findBytes(intervals, 200), findBytes(intervals, 450));
  // Nor of lists that name most of the sources.
  Graph list = makeList();
  EXPECT_EQ(findBytes(list, 200), findBytes(list, 450));
  // It does of lists that name half of them.
  Edges edges;
  for (int32_t i = 0; i < 1024; ++i)
    for (int32_t k = i % 2; k < 1024; k += 2)
      edges.emplace_back(i, k);
  Graph half = makeGraph(1024, 1024, edges);
  EXPECT_LT(findBytes(half, 100), findBytes(half, 300));
}

TEST_F(Decisions, APartOfALargeGraphStandsForAll) {
  // More register blocks than are looked at.
  const int32_t n = 20000;
  Edges banded, scattered;
  for (int32_t i = 0; i < n; ++i)
    for (int32_t k = 0; k < 192; ++k) {
      if (k != 5)
        banded.emplace_back(i, std::min(i / 64 * 64, n - 192) + k);
      scattered.emplace_back(i, (i + 101 * k) % n);
    }
  EXPECT_TRUE(choose(makeGraph(n, n, banded)));
  EXPECT_FALSE(choose(makeGraph(n, n, scattered)));
}

TEST_F(Decisions, TilesOfAPartAreCountedOnlyWhereTheyMayPay) {
  auto chooseForPart = [&](Cost cost) {
    static Graph whole = makeGraph(512, 512, denseBlocks(512, 4));
    static Cost expected;
    static bool dense;
    expected = cost;
    EXPECT_OK(invoke([] {
      clique_graph *part = clique_rt_rows(whole.get(), 64, 128);
      dense = clique_rt_choose_dense(
          part, "k_0", 3, expected.edge, expected.farEdge, expected.sourceBytes,
          expected.row, expected.pair, expected.maskedPair, expected.tileEdge,
          expected.tileRows, expected.registerBlock, expected.evenSaving);
      clique_rt_release(part);
    }));
    return dense;
  };
  EXPECT_TRUE(chooseForPart(kAttention));
  EXPECT_FALSE(chooseForPart({3000, 0, 0, 0, 2000, 2800, 1000, 0}));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: parts of a graph, sparse rows: tiles take longer, however "
               "the edges lie\n");
}

TEST_F(Decisions, SparseIsAnErrorWhereOnlyTilesWereCompiled) {
  clique_set_lowering(CLIQUE_LOWERING_SPARSE);
  EXPECT_FALSE(choose(complete, 1));
  expectFailure(
      [this] {
        clique_rt_choose_dense(complete.get(), "k_0", 2, 900, 0, 0, 90, 300,
                               420, 0, 8, 9000, 0);
      },
      "k_0: the sparse lowering was asked for, but only dense tiles were "
      "compiled, as the type of the graph suggests: compile the layer with "
      "--lowering=sparse, or leave the choice to the cost model");
}

TEST_F(Decisions, DenseDoesNotConcernAKernelThatIsSparseOnly) {
  clique_set_lowering(CLIQUE_LOWERING_DENSE);
  EXPECT_FALSE(choose(sparse, 1));
  EXPECT_STREQ(clique_last_decisions(),
               "k_0: sparse, sparse rows, though dense tiles were asked for: "
               "its graph has no dense tiles by its type\n");
  EXPECT_FALSE(choose(makeGraph(3, 3, {{0, 1}, {0, 1}}), 1));
}

TEST_F(Decisions, AreThoseOfTheLastInvocation) {
  choose(complete);
  EXPECT_OK(invoke([] {}));
  EXPECT_STREQ(clique_last_decisions(), "");
}
