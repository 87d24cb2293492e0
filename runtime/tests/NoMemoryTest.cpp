//===- NoMemoryTest.cpp - Allocations that fail, one after the other ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation runs with its first allocation failing, its second, and so on,
// alone and with all that follow it: either it reports that memory is out and
// leaves nothing behind, or it does without.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/LayerMatrices.h"

#include <array>
#include <functional>
#include <new>
#include <thread>

using namespace clique::test;

namespace {
/// Of this thread, while one is set: how many allocations succeed until one
/// fails, and whether all after it do.
struct Fault {
  int64_t left = -1;
  bool isLasting = false;
  bool hasStruck = false;
};
thread_local Fault fault;

bool strikes() {
  if (fault.left < 0)
    return false;
  if (fault.left > 0) {
    --fault.left;
    return false;
  }
  fault.hasStruck = true;
  if (!fault.isLasting)
    fault.left = -1;
  return true;
}
} // namespace

// In the place of the library's, also for the runtime.
void *operator new(size_t bytes) {
  void *memory = strikes() ? nullptr : std::malloc(bytes ? bytes : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {
/// Runs `operation` until none of its allocations fails.
void failEachAllocation(const std::function<clique_status()> &operation) {
  for (bool isLasting : {false, true}) {
    constexpr int64_t most = 5000;
    int64_t count = 0;
    for (; count < most; ++count) {
      clique_reset_peak_memory();
      const int64_t before = clique_peak_memory();
      fault = {count, isLasting, false};
      const clique_status status = operation();
      const bool hasStruck = fault.hasStruck;
      fault = {};
      clique_reset_peak_memory();
      ASSERT_EQ(clique_peak_memory(), before) << "allocation " << count;
      if (!hasStruck) {
        ASSERT_OK(status);
        break;
      }
      if (status == CLIQUE_OK)
        continue;
      ASSERT_EQ(status, CLIQUE_OUT_OF_MEMORY) << clique_last_error();
      ASSERT_TRUE(lastErrorHas("out of memory: use a smaller graph") ||
                  lastErrorHas("no memory for "));
    }
    EXPECT_LT(count, most);
    EXPECT_GT(count, 0);
  }
}

/// The status of a function that makes a graph, which `use` is called with.
template <typename Make, typename Use>
clique_status with(Make make, Use use) {
  clique_graph *graph = nullptr;
  const clique_status status = make(&graph);
  if (status != CLIQUE_OK) {
    EXPECT_EQ(graph, nullptr);
    return status;
  }
  const clique_status used = use(graph);
  clique_graph_free(graph);
  return used;
}

clique_status freeAtOnce(clique_graph *) { return CLIQUE_OK; }

/// What the runtime finds out about a graph when it is asked for.
clique_status examine(clique_graph *graph) {
  const int64_t *indptr, *ids;
  const int32_t *indices;
  clique_graph_info info;
  if (clique_status status = clique_graph_csr(graph, &indptr, &indices, &ids))
    return status;
  EXPECT_EQ(indptr[clique_graph_num_dst(graph)], clique_graph_num_edges(graph));
  if (clique_status status = clique_graph_inspect(graph, &info))
    return status;
  EXPECT_EQ(info.num_edges, clique_graph_num_edges(graph));
  auto reverse = [&](clique_graph **out) {
    return clique_graph_reverse(graph, out);
  };
  auto addLoops = [&](clique_graph **out) {
    return clique_graph_add_self_loops(graph, out);
  };
  if (clique_status status = with(reverse, freeAtOnce))
    return status;
  return with(addLoops, freeAtOnce);
}

constexpr std::array<int32_t, 6> kDst = {2, 0, 1, 0, 2, 3},
                                 kSrc = {1, 2, 0, 1, 2, 3};

clique_status makeList(clique_graph **graph) {
  return clique_graph_from_coo(4, 4, int64_t(kDst.size()), kDst.data(),
                               kSrc.data(), graph);
}
} // namespace

/// On a thread that had no error yet there is no memory for its text either.
TEST(NoMemory, TheTextOfTheError) {
  std::thread([] {
    clique_graph *graph = nullptr;
    fault = {0, /*isLasting=*/true, false};
    const clique_status status = clique_graph_complete(-1, 0, &graph);
    fault = {};
    EXPECT_EQ(status, CLIQUE_OUT_OF_MEMORY);
    EXPECT_TRUE(lastErrorHas("out of memory: use a smaller graph"));
    EXPECT_EQ(clique_graph_complete(-1, 0, &graph), CLIQUE_INVALID_ARGUMENT);
    EXPECT_TRUE(lastErrorHas("-1 nodes"));
  }).join();
}

TEST(NoMemory, GraphsFromEdges) {
  failEachAllocation([] { return with(makeList, examine); });
}

TEST(NoMemory, GraphsOfAClass) {
  static const int64_t offsets[] = {0, 2, 5};
  failEachAllocation([] {
    return with([](auto *out) { return clique_graph_window(6, 2, 1, out); },
                examine);
  });
  failEachAllocation([] {
    return with(
        [](auto *out) { return clique_graph_cliques(2, offsets, 1, 0, out); },
        examine);
  });
}

TEST(NoMemory, OrdersOfNodes) {
  Edges edges;
  for (int32_t i = 0; i < 50; ++i)
    edges.push_back({i, i * 7 % 50});
  Graph graph = makeGraph(50, 50, edges);
  for (clique_node_order order : {CLIQUE_ORDER_DEGREE, CLIQUE_ORDER_RCM})
    failEachAllocation([&] {
      int32_t places[50];
      clique_order_info info;
      return with(
          [&](auto *out) {
            return clique_graph_reorder(graph.get(), order, 256, places, &info,
                                        out);
          },
          freeAtOnce);
    });
}

TEST(NoMemory, GraphFiles) {
  TempFolder folder;
  Graph graph = makeGraph(3, 3, {{0, 1}, {0, 2}, {2, 0}});
  for (clique_graph_format format :
       {CLIQUE_GRAPH_MTX, CLIQUE_GRAPH_MTX_GZ, CLIQUE_GRAPH_NPZ}) {
    const std::string path = folder.path("graph");
    failEachAllocation(
        [&] { return clique_graph_write(path.c_str(), format, graph.get()); });
    EXPECT_EQ(folder.count(), 1u) << "no temporary file is left";
    failEachAllocation([&] {
      return with(
          [&](auto *out) { return clique_graph_read(path.c_str(), out); },
          freeAtOnce);
    });
  }
}

TEST(NoMemory, ArrayFiles) {
  TempFolder folder;
  const std::string path = folder.path("x.npy");
  float values[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {2, 3};
  const DLTensor tensor = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                           shape,  nullptr,     0};
  failEachAllocation([&] { return clique_npy_write(path.c_str(), &tensor); });
  EXPECT_EQ(folder.count(), 1u) << "no temporary file is left";
  failEachAllocation([&] {
    DLManagedTensor *read = nullptr;
    const clique_status status = clique_npy_read(path.c_str(), 0, &read);
    if (status == CLIQUE_OK)
      EXPECT_EQ(static_cast<float *>(Tensor(read)->dl_tensor.data)[5], 6);
    return status;
  });
}

TEST(NoMemory, CopiesOfTensors) {
  double values[] = {1, 2};
  int64_t shape[] = {2};
  const DLTensor tensor = {values, {kDLCPU, 0}, 1, {kDLFloat, 64, 1},
                           shape,  nullptr,     0};
  failEachAllocation([&] {
    DLManagedTensor *copy = nullptr;
    const clique_status status = clique_tensor_copy(&tensor, kDLCPU, &copy);
    if (status == CLIQUE_OK)
      EXPECT_EQ(static_cast<double *>(Tensor(copy)->dl_tensor.data)[1], 2);
    return status;
  });
}

/// Asks for what compiled code does, and returns where something failed, as it
/// does.
static void runLayer(void **args) {
  auto *given = *static_cast<const clique_graph **>(args[0]);
  clique_graph *graph = clique_rt_window(40, 3, false);
  if (clique_rt_has_failed())
    return;
  clique::Memref1D<const int64_t> array;
  _mlir_ciface_clique_rt_row_blocks(&array, graph, 8, 0, 0, true);
  if (clique_rt_has_failed())
    return;
  _mlir_ciface_clique_rt_hub_chunks(&array, given, 4);
  if (clique_rt_has_failed())
    return;
  const clique_tiles *tiles = clique_rt_tiles(given, 8, 4, 16);
  if (clique_rt_has_failed())
    return;
  _mlir_ciface_clique_rt_tile_list(&array, tiles);
  EXPECT_GT(array.size, 0);
  clique_rt_choose_dense(given, "a kernel of a rather long name", 3, 900, 0, 0,
                         90, 300, 420, 0, 8, 9000, 0);
  if (clique_rt_has_failed())
    return;
  Matrix out = allocateMatrix(4);
  if (clique_rt_has_failed())
    return;
  clique_rt_release(graph);
  *static_cast<Matrix *>(args[1]) = out;
}

TEST(NoMemory, WhatALayerAsksFor) {
  clique_arg graphArg = {};
  graphArg.name = "g";
  graphArg.kind = CLIQUE_ARG_GRAPH;
  graphArg.graph = -1;
  graphArg.topology = CLIQUE_TOPOLOGY_UNKNOWN;
  const clique_arg result =
      matrixArg("out", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_DST);
  const clique_variant variant = {"", runLayer};
  const clique_layer layer = {
      CLIQUE_ABI_VERSION, 1,      1, 1,      "layer", &graphArg, &result,
      &variant,           kDLCPU, 0, nullptr};
  failEachAllocation([&] {
    return with(
        [](auto *out) {
          return clique_graph_from_coo(4, 4, 3, kDst.data(), kSrc.data(), out);
        },
        [&](clique_graph *graph) {
          clique_value value;
          value.graph = graph;
          DLManagedTensor *out = nullptr;
          const clique_status status =
              clique_layer_invoke(&layer, &value, 1, &out, 1);
          EXPECT_EQ(out != nullptr, status == CLIQUE_OK);
          Tensor owned(out);
          return status;
        });
  });
}

static void writeOver(void **args) {
  Matrix &x = *static_cast<Matrix *>(args[0]);
  *static_cast<Matrix *>(args[1]) =
      clique_rt_take_argument(x.aligned, 0) ? x : allocateMatrix(2);
}

TEST(NoMemory, ArgumentsThatAreGivenAway) {
  const clique_arg matrix =
      matrixArg("x", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE);
  const clique_variant variant = {"", writeOver};
  const clique_layer layer = {
      CLIQUE_ABI_VERSION, 1,      1, 1,      "layer", &matrix, &matrix,
      &variant,           kDLCPU, 0, nullptr};
  Input input{{2, kWidth}};
  auto bytesInUse = [] {
    clique_reset_peak_memory();
    return clique_peak_memory();
  };
  const int64_t base = bytesInUse();
  failEachAllocation([&] {
    DLManagedTensor *x = nullptr, *out = nullptr;
    clique_status status = clique_tensor_copy(&input.tensor, kDLCPU, &x);
    if (status == CLIQUE_OK) {
      clique_value value;
      value.tensor = &x->dl_tensor;
      status = clique_layer_invoke_donating(&layer, &value, 1, &x, &out, 1);
      EXPECT_EQ(out != nullptr, status == CLIQUE_OK);
      Tensor owned(out);
    }
    EXPECT_EQ(bytesInUse(), base);
    return status;
  });
}
