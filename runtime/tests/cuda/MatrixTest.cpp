//===- MatrixTest.cpp - Tensor cores and asynchronous copies --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against a plain matrix product, with fragments loaded as kernels load them.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/emulated.h"
#include "runtime/tests/cuda/CudaTestUtil.h"

#include <cstring>

using namespace clique::test;

/// Small integers, which every type holds exactly.
static float valueAt(int row, int column) {
  return float((row * 7 + column * 5) % 17 - 8);
}

/// Bits of a small integer as bf16 or f16.
static uint16_t toBits(float value, int32_t type) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (type == CLIQUE_EMU_MMA_BF16)
    return uint16_t(bits >> 16);
  if (value == 0)
    return 0;
  const uint32_t exponent = (bits >> 23 & 255) - 127 + 15;
  return uint16_t((bits >> 16 & 0x8000) | exponent << 10 |
                  (bits >> 13 & 0x3ff));
}

/// 1 + sum over p < depth of a(i, p) b(p, j).
static std::vector<float> expectedProduct(int depth) {
  std::vector<float> result;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 1;
      for (int p = 0; p < depth; ++p)
        sum += valueAt(i, p) * valueAt(p + 3, j);
      result.push_back(sum);
    }
  return result;
}

static std::vector<float> multiply(int32_t type, int32_t transposed) {
  std::vector<uint16_t> a(256), b(128);
  for (int i = 0; i < 16; ++i)
    for (int p = 0; p < 16; ++p)
      a[i * 16 + p] = toBits(valueAt(i, p), type);
  for (int p = 0; p < 16; ++p)
    for (int j = 0; j < 8; ++j)
      b[transposed ? p * 8 + j : j * 16 + p] = toBits(valueAt(p + 3, j), type);
  Code code;
  std::vector<float> result;
  EXPECT_OK(inLayer([&] {
    auto *d = allocate<float>(128);
    launch(code, "matrix_product", oneBlock(32, 768), d, upload(a), upload(b),
           type, transposed);
    result = download(d, 128);
  }));
  return result;
}

TEST(CudaMatrix, ProductOfHalves) {
  for (int32_t type : {CLIQUE_EMU_MMA_F16, CLIQUE_EMU_MMA_BF16})
    for (int32_t transposed : {0, 1})
      EXPECT_EQ(multiply(type, transposed), expectedProduct(16));
}

/// Where an element of a matrix of `rows` lies among panels of `width`: 16
/// bytes at a place that the last bits of the row of 128 bytes choose.
static size_t placeOf(int row, int column, int rows, int width) {
  const int line = row * width / 64, part = column % width / 8;
  const int parts = width / 8;
  return size_t(column / width * rows * width + row * width +
                (part ^ (line & (parts - 1))) * 8 + column % 8);
}

TEST(CudaMatrix, ProductOfAWarpgroup) {
  struct Shape {
    int columns, depth, width, transposed;
  };
  for (const Shape shape :
       {Shape{64, 32, 64, 0}, Shape{128, 16, 64, 0}, Shape{32, 16, 32, 0},
        Shape{16, 16, 16, 0}, Shape{64, 128, 64, 1}, Shape{24, 32, 32, 1}}) {
    std::vector<uint16_t> a, b(size_t(shape.columns) * shape.depth);
    std::vector<float> expected;
    for (int i = 0; i < 64; ++i)
      for (int p = 0; p < shape.depth; ++p)
        a.push_back(toBits(valueAt(i, p), CLIQUE_EMU_MMA_BF16));
    for (int p = 0; p < shape.depth; ++p)
      for (int j = 0; j < shape.columns; ++j)
        b[shape.transposed ? placeOf(j, p, shape.columns, shape.width)
                           : placeOf(p, j, shape.depth, shape.width)] =
            toBits(valueAt(p + 3, j), CLIQUE_EMU_MMA_BF16);
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < shape.columns; ++j) {
        double sum = 1;
        for (int p = 0; p < shape.depth; ++p)
          sum += double(valueAt(i, p)) * valueAt(p + 3, j);
        expected.push_back(float(sum));
      }
    Code code;
    std::vector<float> result;
    ASSERT_OK(inLayer([&] {
      auto *d = allocate<float>(64 * shape.columns);
      launch(code, "warpgroup_product", oneBlock(128, int64_t(b.size()) * 2), d,
             upload(a), upload(b), shape.columns, shape.depth, shape.width,
             shape.transposed);
      result = download(d, 64 * shape.columns);
    }));
    EXPECT_EQ(result, expected) << shape.columns << " columns";
  }
}

TEST(CudaMatrix, ProductOfTf32) {
  std::vector<float> a, b, result;
  for (int i = 0; i < 16; ++i)
    for (int p = 0; p < 8; ++p)
      a.push_back(valueAt(i, p));
  for (int p = 0; p < 8; ++p)
    for (int j = 0; j < 8; ++j)
      b.push_back(valueAt(p + 3, j));
  // A bit that the tensor core does not read.
  a[0] -= 1e-6f;
  Code code;
  ASSERT_OK(inLayer([&] {
    auto *d = allocate<float>(128);
    launch(code, "matrix_product_tf32", oneBlock(32), d, upload(a), upload(b));
    result = download(d, 128);
  }));
  EXPECT_EQ(result, expectedProduct(8));
}

TEST(CudaMatrix, AllLanesTakePart) {
  Code code;
  EXPECT_EQ(inLayer([&] {
              launch(code, "load_matrix", oneBlock(16, 128),
                     allocate<uint32_t>(32), int32_t(0));
            }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(
      lastErrorHas("an ldmatrix: lane 16 does not exist, all 32 take part"));
}

TEST(CudaMatrix, LoadMatrixGivesRowsOrColumns) {
  for (int32_t transpose : {0, 1}) {
    auto seen = run<uint32_t>("load_matrix", oneBlock(32, 128), 32, transpose);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t row = lane / 4, column = lane % 4 * 2;
      const uint32_t first = transpose ? column * 8 + row : row * 8 + column;
      const uint32_t second = first + (transpose ? 8 : 1);
      EXPECT_EQ(seen[lane], first | second << 16);
    }
  }
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

static std::vector<int32_t> copied(int32_t waits, int32_t sourceBytes) {
  Code code;
  std::vector<int32_t> values, result;
  for (int32_t k = 0; k < 16; ++k)
    values.push_back(k);
  EXPECT_OK(inLayer([&] {
    auto *out = allocate<int32_t>(32);
    launch(code, "async_copy", oneBlock(4, 128), out, upload(values), waits,
           sourceBytes);
    result = download(out, 32);
  }));
  // Those of thread 2.
  return {result.begin() + 16, result.begin() + 24};
}

TEST(CudaAsyncCopy, LandsWhenWaitedFor) {
  EXPECT_EQ(copied(1, 16),
            (std::vector<int32_t>{8, 9, 10, 11, -1, -1, -1, -1}));
  EXPECT_EQ(copied(1, 4), (std::vector<int32_t>{8, 0, 0, 0, -1, -1, -1, -1}));
  EXPECT_EQ(copied(0, 16), std::vector<int32_t>(8, -1));
}

TEST(CudaAsyncCopy, OnlyToSharedMemory) {
  Code code;
  EXPECT_EQ(inLayer([&] {
              int32_t *in = upload(std::vector<int32_t>(16, 1));
              launch(code, "async_copy", oneBlock(4, 64), in, in, 1, 16);
            }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("thread (2, 0, 0) (warp 0, lane 2): an asynchronous "
                           "copy of 16 bytes to"));
  EXPECT_TRUE(lastErrorHas("outside of the block's shared memory"));
}
