//===- CompiledTest.cpp - What compiled code calls ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiled.h as a layer calls them: graphs made in the spec,
// checks, and the early end of an invocation that fails.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <stdexcept>
#include <thread>

using namespace clique::test;

namespace {

template <typename T>
clique::Memref1D<const T> memref(const std::vector<T> &values,
                                 int64_t stride = 1, int64_t offset = 0) {
  return {values.data(), values.data(), offset,
          (int64_t(values.size()) - offset + stride - 1) / stride, stride};
}

} // namespace

//===----------------------------------------------------------------------===//
// Graphs made in the spec
//===----------------------------------------------------------------------===//

TEST(Compiled, GraphsOfEachKind) {
  static const std::vector<int64_t> indptr = {0, 1, 3}, offsets = {0, 2, 5};
  static const std::vector<int32_t> indices = {2, 0, 1};
  EXPECT_OK(invoke([] {
    auto rows = memref(indptr), parts = memref(offsets);
    auto columns = memref(indices);
    clique_graph *graphs[] = {
        clique_rt_complete(4, true),
        clique_rt_bipartite(2, 3),
        clique_rt_causal(4, false),
        clique_rt_window(5, 1, false),
        _mlir_ciface_clique_rt_cliques(&parts, true, false),
        _mlir_ciface_clique_rt_csr(&rows, &columns, 3),
        _mlir_ciface_clique_rt_coo(&columns, &columns, 3, 3),
    };
    const int64_t edges[] = {12, 6, 10, 13, 9, 3, 3};
    for (int k = 0; k < 7; ++k) {
      EXPECT_EQ(clique_rt_num_edges(graphs[k]), edges[k]) << k;
      clique_graph *reversed = clique_rt_reverse(graphs[k]);
      EXPECT_EQ(clique_rt_num_dst(reversed), clique_rt_num_src(graphs[k]));
      clique_rt_release(reversed);
      clique_rt_release(graphs[k]);
    }
    clique_graph *bare = clique_rt_complete(4, true);
    clique_graph *loops = clique_rt_self_loops(bare);
    EXPECT_TRUE(clique_rt_no_self(bare));
    EXPECT_FALSE(clique_rt_no_self(loops));
    clique_rt_release(bare);
    clique_rt_release(loops);
  }));
}

TEST(Compiled, WhatIsDerivedFromACallersGraphStaysWithIt) {
  static const clique_graph *graph;
  static const clique_graph *loops, *reversed, *both;
  clique_graph *owned;
  const int32_t dst[] = {0, 0, 2}, src[] = {1, 2, 2};
  ASSERT_OK(clique_graph_from_coo(3, 3, 3, dst, src, &owned));
  graph = owned;
  auto derive = [] {
    clique_graph *withLoops = clique_rt_self_loops(graph);
    clique_graph *turned = clique_rt_reverse(graph);
    clique_graph *turnedWithLoops = clique_rt_self_loops(turned);
    clique_rt_release(withLoops);
    clique_rt_release(turned);
    // Still there: the caller's graph holds them.
    EXPECT_EQ(clique_rt_num_edges(withLoops), 5);
    EXPECT_EQ(clique_rt_num_edges(turned), 3);
    EXPECT_EQ(clique_rt_num_edges(turnedWithLoops), 5);
    clique_rt_release(turnedWithLoops);
    loops = withLoops;
    reversed = turned;
    both = turnedWithLoops;
  };
  EXPECT_OK(invoke(derive));
  const clique_graph *first[] = {loops, reversed, both};
  EXPECT_OK(invoke(derive));
  EXPECT_EQ(loops, first[0]);
  EXPECT_EQ(reversed, first[1]);
  EXPECT_EQ(both, first[2]);
  clique_graph_free(owned);
}

TEST(Compiled, ArraysMayBeStrided) {
  static const std::vector<int64_t> spread = {9, 0, 9, 2, 9, 5};
  EXPECT_OK(invoke([] {
    auto offsets = memref(spread, 2, 1);
    clique_graph *graph =
        _mlir_ciface_clique_rt_cliques(&offsets, false, false);
    EXPECT_EQ(clique_rt_num_dst(graph), 5);
    EXPECT_EQ(clique_rt_num_edges(graph), 13);
    clique_rt_release(graph);
    EXPECT_EQ(_mlir_ciface_clique_rt_check_offsets(&offsets, 5), 2);
  }));
}

TEST(Compiled, BadGraphsFail) {
  static const std::vector<int64_t> none, falls = {0, 3, 2}, rows = {0, 1, 3};
  static const std::vector<int32_t> two = {0, 1}, three = {0, 1, 5};
  expectFailure([] { clique_rt_complete(-3, false); }, "mp.complete: -3 nodes");
  expectFailure([] { clique_rt_bipartite(2, -1); }, "mp.bipartite: -1 sources");
  expectFailure([] { clique_rt_window(2, -1, false); },
                "mp.window: half width");
  expectFailure(
      [] {
        auto offsets = memref(falls);
        _mlir_ciface_clique_rt_cliques(&offsets, false, false);
      },
      "mp.cliques: offsets[2] = 2 is smaller");
  expectFailure(
      [] {
        auto offsets = memref(none);
        _mlir_ciface_clique_rt_cliques(&offsets, false, false);
      },
      "mp.cliques: offsets are empty, expected one offset more than cliques");
  expectFailure(
      [] {
        auto indptr = memref(none);
        auto indices = memref(two);
        _mlir_ciface_clique_rt_csr(&indptr, &indices, 3);
      },
      "mp.csr: indptr is empty, expected one entry more than rows");
  expectFailure(
      [] {
        auto indptr = memref(rows);
        auto indices = memref(two);
        _mlir_ciface_clique_rt_csr(&indptr, &indices, 3);
      },
      "mp.csr: indptr ends with 3, but there are 2 indices");
  expectFailure(
      [] {
        auto indptr = memref(rows);
        auto indices = memref(three);
        _mlir_ciface_clique_rt_csr(&indptr, &indices, 3);
      },
      "mp.csr: indices[2] is 5");
  expectFailure(
      [] {
        auto dst = memref(two);
        auto src = memref(three);
        _mlir_ciface_clique_rt_coo(&dst, &src, 3, 3);
      },
      "mp.coo: 2 destinations and 3 sources, expected one of each for every "
      "edge");
  static clique_graph *bipartite;
  expectFailure(
      [] {
        bipartite = clique_rt_bipartite(2, 3);
        clique_rt_self_loops(bipartite);
      },
      "mp.self_loops: a graph of 2 destinations and 3 sources");
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

TEST(Compiled, Checks) {
  EXPECT_OK(invoke([] {
    clique_rt_check(5, 5, 5, "h");
    clique_rt_check(0, 0, 7, "h");
    clique_rt_check(7, 0, 7, "h");
  }));
  expectFailure([] { clique_rt_check(4, 5, 5, "rows of h"); },
                "rows of h: given 4, expected 5");
  expectFailure([] { clique_rt_check(8, 0, 7, "an index"); },
                "an index: given 8, expected 0 to 7");
  expectFailure([] { clique_rt_check(-1, 0, INT64_MAX, "a size"); },
                "a size: given -1, expected 0 or more");
  expectFailure([] { clique_rt_check(0, 0, -1, "an index"); },
                "an index: given 0, expected none");
}

TEST(Compiled, Offsets) {
  static const std::vector<int64_t> good = {0, 2, 2, 5}, none;
  EXPECT_OK(invoke([] {
    auto offsets = memref(good);
    EXPECT_EQ(_mlir_ciface_clique_rt_check_offsets(&offsets, 5), 3);
  }));
  expectFailure(
      [] {
        auto offsets = memref(good);
        _mlir_ciface_clique_rt_check_offsets(&offsets, 6);
      },
      "batch: the last offset is 5, expected 6, the number of nodes");
  expectFailure(
      [] {
        auto offsets = memref(none);
        _mlir_ciface_clique_rt_check_offsets(&offsets, 0);
      },
      "batch: offsets are empty, expected one offset more than graphs");
  static const std::vector<int64_t> late = {1, 5};
  expectFailure(
      [] {
        auto offsets = memref(late);
        _mlir_ciface_clique_rt_check_offsets(&offsets, 5);
      },
      "batch: offsets[0] is 1, expected 0");
}

TEST(Compiled, ExceptionsOfTheLibraries) {
  EXPECT_EQ(invoke([] { throw std::bad_alloc(); }), CLIQUE_OUT_OF_MEMORY);
  EXPECT_TRUE(lastErrorHas("out of memory: use a smaller graph or fewer "
                           "features, or free results that are no longer "
                           "needed"));
  EXPECT_EQ(invoke([] { throw std::length_error("vector"); }),
            CLIQUE_OUT_OF_MEMORY);
  EXPECT_TRUE(lastErrorHas("out of memory: use a smaller graph"));
  EXPECT_EQ(invoke([] { throw std::runtime_error("of a library"); }),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_STREQ(clique_last_error(), "of a library");
  EXPECT_EQ(invoke([] { throw 1; }), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("unknown error in the runtime"));
  EXPECT_OK(invoke([] {}));
}

TEST(Compiled, AFailureGivesEverythingBack) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  for (int round = 0; round < 3; ++round)
    expectFailure(
        [] {
          _mlir_memref_to_llvm_alloc(12345);
          clique_rt_complete(100, false);
          clique_rt_check(2, 1, 1, "h");
        },
        "h: given 2, expected 1");
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
  // The thread is as good as new.
  EXPECT_OK(invoke([] {}));
}

TEST(Compiled, NoMemoryForAThread) {
  // A thread of a parallel region goes on, and the invocation ends after it.
  EXPECT_EQ(clique_rt_try_alloc(64, uint64_t(-8)), nullptr);
  void *block = clique_rt_try_alloc(64, 100);
  EXPECT_NE(block, nullptr);
  _mlir_memref_to_llvm_free(block);
  expectFailure([] { clique_rt_out_of_memory(100); },
                "no memory for 100 bytes: use a smaller graph or fewer "
                "features",
                CLIQUE_OUT_OF_MEMORY);
}

TEST(Compiled, InterruptedByTheCaller) {
  static int asked;
  EXPECT_OK(invoke([] {
    EXPECT_EQ(clique_rt_interruption(), nullptr);
    EXPECT_TRUE(clique_rt_goes_on(nullptr));
    clique_rt_fail_if_interrupted(nullptr);
  }));
  // The data says after how many questions to stop.
  int most = 2;
  clique_set_interrupt(
      [](void *data) { return int32_t(++asked > *static_cast<int *>(data)); },
      &most);
  expectFailure(
      [] {
        clique_interruption *interruption = clique_rt_interruption();
        while (clique_rt_goes_on(interruption))
          // Other threads only look.
          std::thread([&] { clique_rt_goes_on(interruption); }).join();
        EXPECT_EQ(asked, 3);
        std::thread([&] {
          EXPECT_FALSE(clique_rt_goes_on(interruption));
        }).join();
        EXPECT_EQ(asked, 3);
        clique_rt_fail_if_interrupted(interruption);
      },
      "interrupted", CLIQUE_INTERRUPTED);
  clique_set_interrupt(nullptr, nullptr);
  EXPECT_OK(invoke([] { EXPECT_EQ(clique_rt_interruption(), nullptr); }));
}

TEST(Compiled, NoMemory) {
  expectFailure([] { _mlir_memref_to_llvm_alloc(uint64_t(-8)); },
                "no memory for 18446744073709551608 bytes: use a smaller graph "
                "or fewer features",
                CLIQUE_OUT_OF_MEMORY);
  static clique_graph *huge;
  expectFailure(
      [] {
        huge = clique_rt_complete(2000000000, false);
        clique::Memref1D<const int32_t> indices;
        _mlir_ciface_clique_rt_indices(&indices, huge);
      },
      "4000000000000000000 edges", CLIQUE_OUT_OF_MEMORY);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

TEST(Compiled, RowPointersOfImplicitGraphs) {
  Graph graph = make(clique_graph_window, int64_t(5), int64_t(1), 1);
  clique::Memref1D<const int64_t> indptr, begin, end;
  _mlir_ciface_clique_rt_indptr(&indptr, graph.get());
  _mlir_ciface_clique_rt_row_begin(&begin, graph.get());
  _mlir_ciface_clique_rt_row_end(&end, graph.get());
  EXPECT_EQ(std::vector<int64_t>(indptr.aligned, indptr.aligned + 6),
            (std::vector<int64_t>{0, 1, 3, 5, 7, 8}));
  EXPECT_EQ(std::vector<int64_t>(begin.aligned, begin.aligned + 5),
            (std::vector<int64_t>{0, 0, 1, 2, 3}));
  EXPECT_EQ(std::vector<int64_t>(end.aligned, end.aligned + 5),
            (std::vector<int64_t>{2, 3, 4, 5, 5}));
  EXPECT_EQ(indptr.stride, 1);
  EXPECT_EQ(indptr.offset, 0);
}

/// The sources of each row as sparse rows read them.
static std::vector<std::vector<int32_t>> getRows(const Graph &graph) {
  clique::Memref1D<const int64_t> indptr, rowSources;
  clique::Memref1D<const int32_t> sources;
  _mlir_ciface_clique_rt_indptr(&indptr, graph.get());
  _mlir_ciface_clique_rt_row_sources(&rowSources, graph.get());
  _mlir_ciface_clique_rt_sources(&sources, graph.get());
  std::vector<std::vector<int32_t>> rows;
  for (int64_t i = 0; i + 1 < indptr.size; ++i) {
    const int32_t *first = sources.aligned + rowSources.aligned[i];
    rows.emplace_back(first, first + indptr.aligned[i + 1] - indptr.aligned[i]);
  }
  return rows;
}

TEST(Compiled, RowsOfImplicitGraphsShareSources) {
  using Rows = std::vector<std::vector<int32_t>>;
  Graph causal = make(clique_graph_causal, int64_t(3), 0);
  EXPECT_EQ(getRows(causal), (Rows{{0}, {0, 1}, {0, 1, 2}}));
  clique::Memref1D<const int32_t> sources;
  _mlir_ciface_clique_rt_sources(&sources, causal.get());
  EXPECT_EQ(sources.size, 3);
  EXPECT_EQ(getRows(make(clique_graph_causal, int64_t(3), 1)),
            (Rows{{}, {0}, {0, 1}}));
  EXPECT_EQ(getRows(make(clique_graph_window, int64_t(4), int64_t(1), 0)),
            (Rows{{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3}}));
  EXPECT_EQ(getRows(makeGraph(3, 3, {{0, 1}, {2, 0}, {2, 2}})),
            (Rows{{1}, {}, {0, 2}}));
}
