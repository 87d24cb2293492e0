//===- LayerResultsTest.cpp - Results of layers in all conditions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer returns belongs to the caller, whatever memory it lies in.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/LayerMatrices.h"

using namespace clique::test;

namespace {
/// A layer from one matrix to `numResults` matrices.
class ViewLayer : public ::testing::Test {
protected:
  void invoke(void (*entry)(void **), int32_t numResults) {
    const clique_arg matrix =
        matrixArg("x", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE);
    const clique_arg results[2] = {matrix, matrix};
    const clique_variant variant = {"", entry};
    const clique_layer layer = {CLIQUE_ABI_VERSION,
                                1,
                                numResults,
                                1,
                                "view",
                                &matrix,
                                results,
                                &variant,
                                kDLCPU,
                                0,
                                nullptr};
    clique_value value;
    value.tensor = &x.tensor;
    DLManagedTensor *out[2] = {nullptr, nullptr};
    ASSERT_OK(clique_layer_invoke(&layer, &value, 1, out, numResults));
    for (int k = 0; k < 2; ++k)
      outputs[k].reset(out[k]);
  }

  float *data(int k) {
    return static_cast<float *>(outputs[k]->dl_tensor.data);
  }

  Input x{{4, 3}};
  Tensor outputs[2];
};
} // namespace

static void returnArgument(void **args) {
  *static_cast<Matrix *>(args[1]) = *static_cast<Matrix *>(args[0]);
}

TEST_F(ViewLayer, AnArgumentIsCopied) {
  x.floats()[5] = 7;
  invoke(returnArgument, 1);
  EXPECT_NE(data(0), x.floats());
  EXPECT_EQ(data(0)[5], 7);
}

TEST_F(ViewLayer, AnEarlierResultAsArgumentIsCopied) {
  invoke(returnArgument, 1);
  Tensor first = std::move(outputs[0]);
  static_cast<float *>(first->dl_tensor.data)[5] = 8;
  DLTensor own = x.tensor;
  x.tensor = first->dl_tensor;
  invoke(returnArgument, 1);
  EXPECT_NE(data(0), static_cast<float *>(first->dl_tensor.data));
  EXPECT_EQ(data(0)[5], 8);
  x.tensor = own;
}

/// One block as both results.
static void returnTwice(void **args) {
  Matrix out = allocateMatrix(4);
  for (int k = 0; k < 12; ++k)
    out.aligned[k] = float(k);
  *static_cast<Matrix *>(args[1]) = *static_cast<Matrix *>(args[2]) = out;
}

TEST_F(ViewLayer, ASharedBlockIsCopied) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  invoke(returnTwice, 2);
  EXPECT_NE(data(0), data(1));
  EXPECT_EQ(data(0)[11], 11);
  EXPECT_EQ(data(1)[11], 11);
  outputs[0].reset();
  outputs[1].reset();
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
}

/// Every other row, from the last one, columns turned round.
static void returnStrided(void **args) {
  Matrix out = allocateMatrix(4);
  for (int k = 0; k < 12; ++k)
    out.aligned[k] = float(k);
  out.offset = 11;
  out.sizes[0] = 2;
  out.strides[0] = -6;
  out.strides[1] = -1;
  *static_cast<Matrix *>(args[1]) = out;
}

TEST_F(ViewLayer, AStridedViewIsCopiedInOrder) {
  invoke(returnStrided, 1);
  EXPECT_EQ(outputs[0]->dl_tensor.shape[0], 2);
  EXPECT_EQ(std::vector<float>(data(0), data(0) + 6),
            (std::vector<float>{11, 10, 9, 5, 4, 3}));
}

static float constantData[12] = {1, 2, 3};

/// MLIR gives a global a pointer that must not be freed.
static void returnConstant(void **args) {
  *static_cast<Matrix *>(args[1]) = {
      reinterpret_cast<float *>(0xdeadbeef), constantData, 0, {4, 3}, {3, 1}};
}

TEST_F(ViewLayer, AConstantIsCopied) {
  invoke(returnConstant, 1);
  EXPECT_NE(data(0), constantData);
  EXPECT_EQ(data(0)[2], 3);
}
