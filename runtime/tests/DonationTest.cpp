//===- DonationTest.cpp - Arguments that are given away -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns an argument's memory after a call: whatever a layer does with it, it
// is freed once.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/LayerMatrices.h"

using namespace clique::test;

namespace {
constexpr int64_t kRows = 400;
constexpr int64_t kBytes = kRows * kWidth * sizeof(float);

Matrix &matrixOf(void **args, int k) { return *static_cast<Matrix *>(args[k]); }

int64_t bytesInUse() {
  clique_reset_peak_memory();
  return clique_peak_memory();
}

/// A layer from two matrices to one.
class Donation : public ::testing::Test {
protected:
  Donation() { layer.variants = &variant; }

  clique_status invoke(void (*entry)(void **)) {
    variant.entry = entry;
    const clique_value values[2] = {{nullptr}, {nullptr}};
    std::copy(values, values + 2, this->values);
    for (int k = 0; k < 2; ++k)
      this->values[k].tensor =
          given[k] ? &given[k]->dl_tensor : &foreign.tensor;
    return call();
  }

  clique_status call() {
    DLManagedTensor *out = nullptr;
    clique_status status =
        clique_layer_invoke_donating(&layer, values, 2, given, &out, 1);
    result.reset(out);
    given[0] = given[1] = nullptr;
    return status;
  }

  /// A matrix that another call returned.
  DLManagedTensor *makeResult(float value) {
    variant.entry = [](void **args) {
      matrixOf(args, 2) = allocateMatrix(kRows);
    };
    const clique_value arguments[2] = {tensorOf(foreign), tensorOf(foreign)};
    DLManagedTensor *out = nullptr;
    EXPECT_OK(clique_layer_invoke(&layer, arguments, 2, &out, 1));
    std::fill_n(static_cast<float *>(out->dl_tensor.data), kRows * kWidth,
                value);
    return out;
  }

  static clique_value tensorOf(Input &input) {
    clique_value value;
    value.tensor = &input.tensor;
    return value;
  }

  clique_variant variant = {"", nullptr};
  const clique_arg matrix =
      matrixArg("x", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE);
  const clique_arg args[2] = {
      matrix, matrixArg("y", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE)};
  clique_layer layer = {CLIQUE_ABI_VERSION,
                        2,
                        1,
                        1,
                        "layer",
                        args,
                        &matrix,
                        nullptr,
                        kDLCPU,
                        0,
                        nullptr};
  clique_value values[2];
  Input foreign{{kRows, kWidth}};
  DLManagedTensor *given[2] = {nullptr, nullptr};
  Tensor result;
};
} // namespace

/// The result in the memory of x if that may be.
static void writeOver(void **args) {
  Matrix &x = matrixOf(args, 0);
  matrixOf(args, 2) =
      clique_rt_take_argument(x.aligned, kBytes) ? x : allocateMatrix(kRows);
  for (int64_t k = 0; k < kRows * kWidth; ++k)
    matrixOf(args, 2).aligned[k] = x.aligned[k] + 1;
}

TEST_F(Donation, HoldsAResult) {
  const int64_t base = bytesInUse();
  given[0] = makeResult(4);
  const void *memory = given[0]->dl_tensor.data;
  ASSERT_OK(invoke(writeOver));
  EXPECT_EQ(result->dl_tensor.data, memory);
  EXPECT_EQ(static_cast<float *>(result->dl_tensor.data)[7], 5);
  EXPECT_EQ(bytesInUse(), base + kBytes);
  result.reset();
  EXPECT_EQ(bytesInUse(), base);
}

TEST_F(Donation, NothingElseDoes) {
  Tensor kept(makeResult(4));
  given[1] = makeResult(3);
  values[0].tensor = &kept->dl_tensor;
  values[1].tensor = &given[1]->dl_tensor;
  variant.entry = writeOver;
  ASSERT_OK(call());
  EXPECT_NE(result->dl_tensor.data, kept->dl_tensor.data);
  EXPECT_EQ(static_cast<float *>(kept->dl_tensor.data)[7], 4);
}

TEST_F(Donation, IsFreedAtTheEnd) {
  const int64_t base = bytesInUse();
  given[0] = makeResult(0);
  given[1] = makeResult(0);
  ASSERT_OK(invoke([](void **args) {
    // It is read until then.
    const int64_t before = bytesInUse();
    matrixOf(args, 2) = allocateMatrix(kRows);
    EXPECT_EQ(bytesInUse(), before + kBytes);
  }));
  EXPECT_EQ(bytesInUse(), base + kBytes);
  result.reset();
  EXPECT_EQ(bytesInUse(), base);
}

TEST_F(Donation, IsFreedEarlyAndOnce) {
  const int64_t base = bytesInUse();
  given[0] = makeResult(0);
  ASSERT_OK(invoke([](void **args) {
    const int64_t before = bytesInUse();
    float *x = matrixOf(args, 0).aligned;
    clique_rt_free_argument(x);
    EXPECT_EQ(bytesInUse(), before - kBytes);
    // Likely the same block, which is nobody's argument any more.
    matrixOf(args, 2) = allocateMatrix(kRows);
    clique_rt_free_argument(x);
    EXPECT_FALSE(clique_rt_take_argument(x, kBytes));
  }));
  EXPECT_EQ(bytesInUse(), base + kBytes);
}

TEST_F(Donation, IsTooSmall) {
  given[0] = makeResult(0);
  ASSERT_OK(invoke([](void **args) {
    EXPECT_FALSE(
        clique_rt_take_argument(matrixOf(args, 0).aligned, 2 * kBytes));
    EXPECT_FALSE(clique_rt_take_argument(matrixOf(args, 0).aligned + 1, 4));
    matrixOf(args, 2) = allocateMatrix(kRows);
  }));
}

TEST_F(Donation, IsHandedOutAsItIs) {
  const int64_t base = bytesInUse();
  given[0] = makeResult(4);
  const void *memory = given[0]->dl_tensor.data;
  ASSERT_OK(invoke([](void **args) { matrixOf(args, 2) = matrixOf(args, 0); }));
  EXPECT_EQ(result->dl_tensor.data, memory);
  result.reset();
  EXPECT_EQ(bytesInUse(), base);
}

static void failNow() { clique_rt_check(1, 2, 3, "a size"); }

TEST_F(Donation, IsFreedOnFailure) {
  const int64_t base = bytesInUse();
  for (void (*entry)(void **) :
       {+[](void **) { failNow(); },
        +[](void **args) {
          writeOver(args);
          failNow();
        },
        +[](void **args) {
          clique_rt_free_argument(matrixOf(args, 0).aligned);
          failNow();
        }}) {
    given[0] = makeResult(4);
    EXPECT_EQ(invoke(entry), CLIQUE_INVALID_ARGUMENT);
    EXPECT_TRUE(lastErrorHas("a size"));
    EXPECT_EQ(bytesInUse(), base);
  }
}

namespace {
/// A tensor of another library.
struct Foreign {
  explicit Foreign(Input &input) {
    tensor.dl_tensor = input.tensor;
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor *self) {
      ++static_cast<Foreign *>(self->manager_ctx)->deleted;
    };
  }
  DLManagedTensor tensor;
  int deleted = 0;
};
} // namespace

TEST_F(Donation, OtherMemoryIsLetGoOnce) {
  Input x{{kRows, kWidth}};
  Foreign foreignTensor(x);
  given[0] = &foreignTensor.tensor;
  ASSERT_OK(invoke(writeOver));
  EXPECT_NE(result->dl_tensor.data, x.tensor.data);
  EXPECT_EQ(foreignTensor.deleted, 1);
}

TEST_F(Donation, IsLetGoByACallThatIsRefused) {
  Input x{{kRows, kWidth + 1}};
  Foreign foreignTensor(x);
  given[0] = &foreignTensor.tensor;
  EXPECT_EQ(invoke(writeOver), CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(foreignTensor.deleted, 1);
  given[0] = &foreignTensor.tensor;
  EXPECT_EQ(clique_layer_invoke_donating(nullptr, values, 2, given, nullptr, 0),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(foreignTensor.deleted, 2);
}

TEST_F(Donation, MustBeTheArgument) {
  const int64_t base = bytesInUse();
  given[0] = makeResult(4);
  values[0].tensor = values[1].tensor = &foreign.tensor;
  EXPECT_EQ(call(), CLIQUE_INVALID_ARGUMENT);
  EXPECT_STREQ(clique_last_error(),
               "layer: argument 'x': the tensor that is given away for it is "
               "another one; expected NULL, or the tensor whose dl_tensor the "
               "argument is");
  EXPECT_EQ(bytesInUse(), base);
}

TEST_F(Donation, ComesOnce) {
  const int64_t base = bytesInUse();
  given[0] = given[1] = makeResult(4);
  EXPECT_EQ(invoke(writeOver), CLIQUE_INVALID_ARGUMENT);
  EXPECT_STREQ(clique_last_error(),
               "layer: argument 'x': is given away, but shares memory with "
               "argument 'y'; expected memory of its own: give none of the two "
               "away, or a copy");
  EXPECT_EQ(bytesInUse(), base);
}

TEST_F(Donation, SharesNoMemory) {
  const int64_t base = bytesInUse();
  DLManagedTensor *x = given[0] = makeResult(4);
  DLTensor part = x->dl_tensor;
  int64_t shape[] = {1, kWidth};
  part.shape = shape;
  part.byte_offset = kBytes - kWidth * sizeof(float);
  values[0].tensor = &x->dl_tensor;
  values[1].tensor = &part;
  variant.entry = writeOver;
  EXPECT_EQ(call(), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("shares memory with argument 'y'"));
  EXPECT_EQ(bytesInUse(), base);
}
