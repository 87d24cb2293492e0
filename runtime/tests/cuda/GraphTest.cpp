//===- GraphTest.cpp - Graphs in CUDA layers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their arrays on the device, and graphs made from arrays of the device.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

using namespace clique;
using namespace clique::test;

template <typename T>
static std::vector<T> fetch(const Memref1D<const T> &array) {
  EXPECT_EQ(array.stride, 1);
  return download(array.aligned + array.offset, size_t(array.size));
}

TEST(CudaGraph, ArraysAreOnTheDevice) {
  Graph graph = makeGraph(3, 4, {{2, 3}, {0, 1}, {2, 0}});
  ASSERT_OK(inLayer([&] {
    Memref1D<const int64_t> indptr, ids, blocks, begin, end;
    Memref1D<const int32_t> indices;
    _mlir_ciface_clique_rt_indptr(&indptr, graph.get());
    _mlir_ciface_clique_rt_indices(&indices, graph.get());
    _mlir_ciface_clique_rt_edge_ids(&ids, graph.get());
    _mlir_ciface_clique_rt_row_blocks(&blocks, graph.get(), 2, 0, 0, false);
    EXPECT_EQ(fetch(indptr), (std::vector<int64_t>{0, 1, 1, 3}));
    EXPECT_EQ(fetch(indices), (std::vector<int32_t>{1, 0, 3}));
    EXPECT_EQ(fetch(ids), (std::vector<int64_t>{1, 0, 0, 0, 5, 1, 2, 0}));
    EXPECT_EQ(fetch(blocks), (std::vector<int64_t>{0, 2, 3}));
    // No intervals: all of them are empty.
    _mlir_ciface_clique_rt_row_begin(&begin, graph.get());
    _mlir_ciface_clique_rt_row_end(&end, graph.get());
    EXPECT_EQ(fetch(begin), (std::vector<int64_t>{0, 0, 0}));
    EXPECT_EQ(fetch(end), (std::vector<int64_t>{0, 0, 0}));
    const clique_tiles *tiles = clique_rt_tiles(graph.get(), 2, 2, 4);
    Memref1D<const int64_t> words;
    _mlir_ciface_clique_rt_tile_words(&words, tiles);
    EXPECT_EQ(fetch(words),
              (std::vector<int64_t>{0, 0, 0, 15, 15, 15, 2, 0, 2, 9, 0, 9}));
  }));
}

TEST(CudaGraph, ArraysAreCopiedOnce) {
  Graph graph = make(clique_graph_causal, int64_t(5), 0);
  const int64_t *first = nullptr;
  for (int k = 0; k < 2; ++k) {
    ASSERT_OK(inLayer([&] {
      Memref1D<const int64_t> end;
      _mlir_ciface_clique_rt_row_end(&end, graph.get());
      EXPECT_EQ(fetch(end), (std::vector<int64_t>{1, 2, 3, 4, 5}));
      // What is lent is not freed.
      _mlir_memref_to_llvm_free(const_cast<int64_t *>(end.allocated));
      EXPECT_TRUE(!first || first == end.aligned);
      first = end.aligned;
    }));
  }
  // A layer of the CPU gets the host's.
  ASSERT_OK(invokeAs(
      [&](void **) {
        Memref1D<const int64_t> end;
        _mlir_ciface_clique_rt_row_end(&end, graph.get());
        EXPECT_EQ(end.aligned[4], 5);
      },
      {}, {}, {}, nullptr, kDLCPU));
}

TEST(CudaGraph, EdgesByTypesThatChange) {
  constexpr int32_t count = 1000;
  std::vector<std::pair<int32_t, int32_t>> all;
  all.reserve(count);
  for (int32_t j = 0; j < count; ++j)
    all.emplace_back(0, j);
  Graph graph = makeGraph(1, count, all);
  // Lists of earlier types are gone, and their memory is used again.
  for (int32_t k = 0; k < 8; ++k) {
    std::vector<int32_t> types(count, 1), expected = {k};
    types[k] = 0;
    for (int32_t j = 0; j < count; ++j)
      if (j != k)
        expected.push_back(j);
    ASSERT_OK(inLayer([&] {
      Memref1D<const int32_t> given = {nullptr, upload(types), 0, count, 1};
      const clique_typed_edges *edges = _mlir_ciface_clique_rt_edges_by_type(
          graph.get(), &given, 4, 2 * count, 8, 2, false);
      Memref1D<const int32_t> sources;
      _mlir_ciface_clique_rt_type_sources(&sources, edges);
      EXPECT_EQ(fetch(sources), expected) << k;
    }));
  }
}

TEST(CudaGraph, MadeFromArraysOfTheDevice) {
  ASSERT_OK(inLayer([] {
    Memref1D<const int64_t> offsets = {nullptr, upload<int64_t>({0, 2, 2, 5}),
                                       0, 4, 1};
    EXPECT_EQ(_mlir_ciface_clique_rt_check_offsets(&offsets, 5), 3);
    clique_graph *cliques =
        _mlir_ciface_clique_rt_cliques(&offsets, false, false);
    EXPECT_EQ(clique_rt_num_edges(cliques), 13);
    Memref1D<const int64_t> begin;
    _mlir_ciface_clique_rt_row_begin(&begin, cliques);
    EXPECT_EQ(fetch(begin), (std::vector<int64_t>{0, 0, 2, 2, 2}));
    clique_rt_release(cliques);

    // Every second element of an array.
    Memref1D<const int32_t> dst = {nullptr, upload<int32_t>({1, 9, 0}), 0, 2,
                                   2};
    Memref1D<const int32_t> src = {nullptr, upload<int32_t>({9, 2, 1}), 1, 2,
                                   1};
    clique_graph *edges = _mlir_ciface_clique_rt_coo(&dst, &src, 2, 3);
    Memref1D<const int32_t> indices;
    _mlir_ciface_clique_rt_indices(&indices, edges);
    EXPECT_EQ(fetch(indices), (std::vector<int32_t>{1, 2}));
    // Released at the end of the invocation.
  }));
}

TEST(CudaGraph, ErrorsOfArraysOfTheDevice) {
  EXPECT_EQ(inLayer([] {
              Memref1D<const int64_t> offsets = {
                  nullptr, upload<int64_t>({0, 2, 1}), 0, 3, 1};
              _mlir_ciface_clique_rt_cliques(&offsets, false, false);
            }),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("layer: mp.cliques: "));
}
