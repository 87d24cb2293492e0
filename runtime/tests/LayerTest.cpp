//===- LayerTest.cpp - Invocation of layers -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer written by hand: its arguments arrive, its results come back, and
// each wrong argument is named.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/LayerMatrices.h"

#include <cstring>
#include <limits>
#include <omp.h>

using namespace clique::test;

namespace {

const DLDataType kIndex = {kDLInt, 64, 1};

clique_arg graphArg() {
  clique_arg arg = {};
  arg.name = "g";
  arg.kind = CLIQUE_ARG_GRAPH;
  arg.graph = -1;
  arg.topology = CLIQUE_TOPOLOGY_UNKNOWN;
  return arg;
}

clique_arg scalarArg() {
  clique_arg arg = {};
  arg.name = "scale";
  arg.kind = CLIQUE_ARG_SCALAR;
  arg.graph = -1;
  arg.dtype = kIndex;
  return arg;
}

/// out[i] = scale * sum of h over the sources of i, plus the edges' features.
void sumEntry(void **args) {
  auto *g = *static_cast<const clique_graph **>(args[0]);
  const Matrix &h = *static_cast<Matrix *>(args[1]);
  const Matrix &e = *static_cast<Matrix *>(args[2]);
  const int64_t scale = *static_cast<int64_t *>(args[3]);
  clique::Memref1D<const int64_t> indptr, ids;
  clique::Memref1D<const int32_t> indices;
  _mlir_ciface_clique_rt_indptr(&indptr, g);
  _mlir_ciface_clique_rt_indices(&indices, g);
  _mlir_ciface_clique_rt_edge_ids(&ids, g);
  Matrix out = allocateMatrix(clique_rt_num_dst(g));
  for (int64_t i = 0; i < out.sizes[0]; ++i)
    for (int64_t f = 0; f < kWidth; ++f) {
      float sum = 0;
      for (int64_t k = indptr.aligned[i]; k < indptr.aligned[i + 1]; ++k)
        sum += float(scale) *
                   h.aligned[h.offset + indices.aligned[k] * h.strides[0] + f] +
               e.aligned[e.offset + edgeNumber(ids, k, i) * e.strides[0] + f];
      out.aligned[i * kWidth + f] = sum;
    }
  *static_cast<Matrix *>(args[4]) = out;
}

/// The sum layer with good arguments for a graph of 4 destinations, 5 sources
/// and 3 edges.
class SumLayer : public ::testing::Test {
protected:
  SumLayer() {
    for (int64_t k = 0; k < 15; ++k)
      h.floats()[k] = float(k);
    for (int64_t k = 0; k < 9; ++k)
      e.floats()[k] = k < 3 ? 0 : k < 6 ? 0.5f : 1;
    *reinterpret_cast<int64_t *>(scale.storage.data()) = 10;
    values[0].graph = graph.get();
    values[1].tensor = &h.tensor;
    values[2].tensor = &e.tensor;
    values[3].tensor = &scale.tensor;
  }

  clique_status invoke() {
    DLManagedTensor *out = nullptr;
    clique_status status = clique_layer_invoke(&layer, values, 4, &out, 1);
    result.reset(out);
    return status;
  }

  /// The invocation is refused with exactly this message.
  void expectRefused(const std::string &message) {
    EXPECT_EQ(invoke(), CLIQUE_INVALID_ARGUMENT);
    EXPECT_EQ(clique_last_error(), message);
    EXPECT_EQ(result, nullptr);
  }

  Graph graph = makeGraph(4, 5, {{2, 4}, {0, 1}, {2, 0}});
  Input h{{5, 3}}, e{{3, 3}}, scale{{}, kIndex};
  clique_value values[4];
  clique_arg args[4] = {
      graphArg(), matrixArg("h", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_SRC),
      matrixArg("e", CLIQUE_ARG_EDGES, CLIQUE_EXTENT_EDGES), scalarArg()};
  clique_arg results[1] = {
      matrixArg("out", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_DST)};
  clique_variant variants[2] = {{"no_such_feature", nullptr}, {"", sumEntry}};
  clique_layer layer = {
      CLIQUE_ABI_VERSION, 4,      1, 2,      "sum", args, results,
      variants,           kDLCPU, 0, nullptr};
  Tensor result;
};

} // namespace

TEST_F(SumLayer, Runs) {
  ASSERT_OK(invoke());
  ASSERT_EQ(result->dl_tensor.ndim, 2);
  EXPECT_EQ(result->dl_tensor.shape[0], 4);
  EXPECT_EQ(result->dl_tensor.shape[1], 3);
  auto *out = static_cast<float *>(result->dl_tensor.data);
  // Edge 0 is (2, 4), edge 1 is (0, 1), edge 2 is (2, 0).
  EXPECT_EQ(
      std::vector<float>(out, out + 12),
      (std::vector<float>{30.5, 40.5, 50.5, 0, 0, 0, 121, 141, 161, 0, 0, 0}));
}

TEST_F(SumLayer, HonoursByteOffsetAndExplicitStrides) {
  Input shifted({6, 3});
  std::memcpy(shifted.floats() + 3, h.floats(), 15 * sizeof(float));
  std::vector<int64_t> strides = {3, 1};
  shifted.shape = {5, 3};
  shifted.tensor.shape = shifted.shape.data();
  shifted.tensor.byte_offset = 3 * sizeof(float);
  shifted.tensor.strides = strides.data();
  values[1].tensor = &shifted.tensor;
  ASSERT_OK(invoke());
  EXPECT_EQ(static_cast<float *>(result->dl_tensor.data)[0], 30.5f);
}

TEST_F(SumLayer, WrongCounts) {
  DLManagedTensor *out = nullptr;
  EXPECT_EQ(clique_layer_invoke(&layer, values, 3, &out, 1),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("sum: called with 3 arguments and memory for 1 "
                           "results, expected 4 and 1"));
  EXPECT_EQ(clique_layer_invoke(nullptr, values, 4, &out, 1),
            CLIQUE_INVALID_ARGUMENT);
}

TEST_F(SumLayer, MissingArguments) {
  values[0].graph = nullptr;
  expectRefused("sum: argument 'g': is NULL, expected a graph");
  values[0].graph = graph.get();
  values[1].tensor = nullptr;
  expectRefused("sum: argument 'h': is NULL, expected a tensor of f32");
}

TEST_F(SumLayer, WrongType) {
  h.tensor.dtype = {kDLBfloat, 16, 1};
  expectRefused("sum: argument 'h': has element type bf16, expected f32");
  const std::pair<DLDataType, const char *> others[] = {
      {{kDLFloat, 16, 1}, "f16"},
      {{kDLInt, 32, 1}, "i32"},
      {{kDLUInt, 8, 1}, "u8"},
      {{CLIQUE_DL_BOOL, 8, 1}, "i1"},
      {{CLIQUE_DL_BOOL, 8, 4}, "bool8x4"},
      {{kDLComplex, 64, 1}, "complex64"},
      {{kDLOpaqueHandle, 64, 1}, "type64"}};
  for (auto [type, name] : others) {
    h.tensor.dtype = type;
    expectRefused("sum: argument 'h': has element type " + std::string(name) +
                  ", expected f32");
  }
}

TEST_F(SumLayer, WrongDevice) {
  h.tensor.device.device_type = kDLCUDA;
  expectRefused("sum: argument 'h': is on CUDA device 0, expected the CPU: the "
                "layer was compiled for the CPU; copy it there, with "
                "clique_tensor_copy for example");
}

TEST_F(SumLayer, WrongShape) {
  h.shape = {5, 4};
  expectRefused("sum: argument 'h': has shape [5, 4], expected [n, 3]");
  h.tensor.ndim = 1;
  expectRefused("sum: argument 'h': has shape [5], expected [n, 3]");
  e.shape = {3, 2};
  h.tensor.ndim = 2;
  h.shape = {5, 3};
  expectRefused("sum: argument 'e': has shape [3, 2], expected [edges, 3]");
  e.shape = {3, 3};
  scale.shape = {1};
  scale.tensor.ndim = 1;
  scale.tensor.shape = scale.shape.data();
  expectRefused("sum: argument 'scale': has shape [1], expected []");
}

TEST_F(SumLayer, NoShape) {
  h.tensor.ndim = -1;
  expectRefused("sum: argument 'h': has -1 dimensions, expected 0 or more");
  h.tensor.ndim = 2;
  h.shape = {int64_t(1) << 62, 3};
  expectRefused("sum: argument 'h': has shape [4611686018427387904, 3], "
                "expected sizes of 0 or more, and no more elements than 63 "
                "bits count");
  h.tensor.shape = nullptr;
  expectRefused("sum: argument 'h': has 2 dimensions, and NULL in place of "
                "their sizes");
}

TEST_F(SumLayer, WrongExtent) {
  h.shape = {4, 3};
  expectRefused("sum: argument 'h': has 4 rows, expected 5: graph 'g' has 5 "
                "sources");
  h.shape = {5, 3};
  e.shape = {2, 3};
  expectRefused("sum: argument 'e': has 2 rows, expected 3: graph 'g' has 3 "
                "edges");
}

TEST_F(SumLayer, WrongMemory) {
  std::vector<int64_t> strides = {1, 5};
  h.tensor.strides = strides.data();
  expectRefused("sum: argument 'h': has strides [1, 5], expected a contiguous "
                "row-major tensor; copy it first");
  h.tensor.strides = nullptr;
  h.tensor.byte_offset = 2;
  expectRefused("sum: argument 'h': its data is not aligned to the 4 bytes of "
                "an element; copy it to aligned memory");
  h.tensor.byte_offset = 0;
  h.tensor.data = nullptr;
  expectRefused("sum: argument 'h': has no data, expected 15 elements");
}

TEST_F(SumLayer, EmptyGraph) {
  Graph empty = makeGraph(0, 0, {});
  values[0].graph = empty.get();
  h.shape[0] = e.shape[0] = 0;
  h.tensor.data = e.tensor.data = nullptr;
  ASSERT_OK(invoke());
  EXPECT_EQ(result->dl_tensor.shape[0], 0);
}

TEST_F(SumLayer, OtherAbiVersion) {
  layer.abi_version = CLIQUE_ABI_VERSION + 1;
  EXPECT_EQ(invoke(), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("layer compiled for ABI version " +
                           std::to_string(CLIQUE_ABI_VERSION + 1)));
  EXPECT_TRUE(lastErrorHas("compile the layer again"));
}

TEST_F(SumLayer, OtherDevice) {
  layer.device_type = kDLVulkan;
  EXPECT_EQ(invoke(), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("sum: device type 7, expected one of this "
                           "runtime's: the CPU (1) or CUDA (2)"));
}

TEST(TensorCopy, RefusesWhatItCannotCopy) {
  int64_t shape[] = {3};
  DLTensor tensor = {nullptr, {kDLCPU, 0}, 1, {kDLInt, 4, 1},
                     shape,   nullptr,     0};
  DLManagedTensor *copy = nullptr;
  EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(
      lastErrorHas("clique_tensor_copy: a tensor of shape [3] and type "
                   "i4, expected elements of whole bytes, and no more than "
                   "there can be"));
  tensor.dtype.bits = 32;
  int64_t shapes[][2] = {{-1, -3}, {0, -3}, {int64_t(1) << 62, 4}};
  tensor.ndim = 2;
  for (auto &wrong : shapes) {
    tensor.shape = wrong;
    EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
              CLIQUE_INVALID_ARGUMENT);
    EXPECT_TRUE(lastErrorHas("clique_tensor_copy: the tensor: has shape [" +
                             std::to_string(wrong[0]) + ", "));
  }
  int64_t most[] = {int64_t(1) << 62, 1};
  tensor.shape = most;
  EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_tensor_copy: a tensor of shape ["));
  tensor.shape = nullptr;
  EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("the tensor: has 2 dimensions, and NULL in place of "
                           "their sizes"));
  tensor.ndim = 1;
  tensor.shape = shape;
  EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_tensor_copy: no data, expected 3 elements"));
  int32_t numbers[] = {1, 2, 3, 4, 5};
  int64_t strides[] = {2};
  tensor.data = numbers;
  tensor.strides = strides;
  EXPECT_EQ(clique_tensor_copy(&tensor, kDLCPU, &copy),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_tensor_copy: strides [2], expected a "
                           "contiguous row-major tensor"));
  EXPECT_EQ(copy, nullptr);
}

TEST(TensorCopy, OnTheHost) {
  int32_t numbers[] = {1, 2, 3};
  int64_t shape[] = {2};
  const DLTensor tensor = {numbers, {kDLCPU, 0},    1, {kDLInt, 32, 1}, shape,
                           nullptr, sizeof(int32_t)};
  DLManagedTensor *copy = nullptr;
  ASSERT_OK(clique_tensor_copy(&tensor, kDLCPU, &copy));
  Tensor owned(copy);
  auto *copied = static_cast<int32_t *>(copy->dl_tensor.data);
  numbers[1] = 7;
  EXPECT_EQ(copied[0], 2);
  EXPECT_EQ(copied[1], 3);
}

TEST_F(SumLayer, OtherCpu) {
  layer.num_variants = 1;
  EXPECT_EQ(invoke(), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("sum: this CPU lacks 'no_such_feature'"));
}

TEST_F(SumLayer, ResultMemoryIsCountedAndFreed) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  ASSERT_OK(invoke());
  EXPECT_EQ(clique_peak_memory() - base, 48);
  result.reset();
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
}

#if defined(__x86_64__)
TEST_F(SumLayer, FeaturesThatEveryX86Has) {
  variants[0] = {"sse2,+cmov", sumEntry};
  layer.num_variants = 1;
  EXPECT_OK(invoke());
}

TEST_F(SumLayer, AvoidedFeatures) {
  variants[0] = {"sse2,cmov", sumEntry};
  layer.num_variants = 1;
  setenv("CLIQUE_AVOID_FEATURES", "avx2,cmov", 1);
  EXPECT_EQ(invoke(), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("sum: this CPU lacks 'cmov'"));
  // The next version is taken.
  layer.num_variants = 2;
  EXPECT_OK(invoke());
  setenv("CLIQUE_AVOID_FEATURES", "sse4,cmov", 1);
  EXPECT_EQ(invoke(), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("CLIQUE_AVOID_FEATURES: 'sse4' is no feature"));
  unsetenv("CLIQUE_AVOID_FEATURES");
}
#endif

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static int threadsSeen;

static void countThreads(void **) { threadsSeen = omp_get_max_threads(); }

TEST(LayerThreads, AsSetAndPutBackAfterwards) {
  const clique_variant variant = {"", countThreads};
  const clique_layer layer = {
      CLIQUE_ABI_VERSION, 0,      0, 1,      "threads", nullptr, nullptr,
      &variant,           kDLCPU, 0, nullptr};
  omp_set_num_threads(5);
  clique_set_num_threads(3);
  EXPECT_OK(clique_layer_invoke(&layer, nullptr, 0, nullptr, 0));
  EXPECT_EQ(threadsSeen, 3);
  EXPECT_EQ(omp_get_max_threads(), 5);
  clique_set_num_threads(0);
  EXPECT_OK(clique_layer_invoke(&layer, nullptr, 0, nullptr, 0));
  EXPECT_EQ(threadsSeen, omp_get_num_procs());
  for (int32_t count : {-1, 1025}) {
    EXPECT_EQ(clique_set_num_threads(count), CLIQUE_INVALID_ARGUMENT);
    EXPECT_TRUE(
        lastErrorHas("clique_set_num_threads: " + std::to_string(count) +
                     " threads, expected 1 to 1024, or 0 for all"));
  }
}
