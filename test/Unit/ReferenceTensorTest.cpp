//===- ReferenceTensorTest.cpp - tensor and linalg at function level ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

using Doubles = std::vector<double>;
using ReferenceWholeTensor = clique::test::ReferenceTest;

static const ReferenceValue kMatrix = tensor({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_F(ReferenceWholeTensor, SizesAndShapes) {
  auto results = evaluate(R"(
    func.func @f(%x: tensor<?x3xf32>)
        -> (index, index, tensor<?xf32>, tensor<?x3x1xf32>, tensor<2x3xf32>) {
      %z = arith.constant 0 : index
      %n = tensor.dim %x, %z : tensor<?x3xf32>
      %k = tensor.rank %x : tensor<?x3xf32>
      %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
      %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 3, 1]
        : tensor<?x3xf32> into tensor<?x3x1xf32>
      %s = tensor.cast %x : tensor<?x3xf32> to tensor<2x3xf32>
      return %n, %k, %c, %e, %s
        : index, index, tensor<?xf32>, tensor<?x3x1xf32>, tensor<2x3xf32>
    })",
                          {kMatrix});
  ASSERT_EQ(results.size(), 5u) << errors;
  EXPECT_EQ(results[0].data, Doubles{2});
  EXPECT_EQ(results[1].data, Doubles{2});
  EXPECT_EQ(results[2].shape, std::vector<int64_t>{6});
  EXPECT_EQ(results[3].shape, (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(results[3].data, (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(results[4].shape, (std::vector<int64_t>{2, 3}));
}

TEST_F(ReferenceWholeTensor, ConcatAlongEachDimension) {
  auto results = evaluate(R"(
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>)
        -> (tensor<2x4xf32>, tensor<4x3xf32>) {
      %a = tensor.concat dim(1) %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
      %b = tensor.concat dim(0) %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
      return %a, %b : tensor<2x4xf32>, tensor<4x3xf32>
    })",
                          {kMatrix, tensor({2, 1}, {7, 8})});
  ASSERT_EQ(results.size(), 2u) << errors;
  EXPECT_EQ(results[0].data, (Doubles{1, 2, 3, 7, 4, 5, 6, 8}));
  EXPECT_EQ(results[1].data, (Doubles{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
}

TEST_F(ReferenceWholeTensor, SlicesOutAndIn) {
  auto results = evaluate(R"(
    func.func @f(%x: tensor<?x3xf32>, %i: index)
        -> (tensor<2xf32>, tensor<?x2xf32>, tensor<?x3xf32>) {
      %a = tensor.extract_slice %x[1, 0] [1, 2] [1, 2] : tensor<?x3xf32> to tensor<2xf32>
      %b = tensor.extract_slice %x[0, %i] [%i, 2] [1, 1] : tensor<?x3xf32> to tensor<?x2xf32>
      %c = tensor.insert_slice %a into %x[0, %i] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x3xf32>
      return %a, %b, %c : tensor<2xf32>, tensor<?x2xf32>, tensor<?x3xf32>
    })",
                          {kMatrix, scalar(1)});
  ASSERT_EQ(results.size(), 3u) << errors;
  EXPECT_EQ(results[0].data, (Doubles{4, 6}));
  EXPECT_EQ(results[1].data, (Doubles{2, 3}));
  EXPECT_EQ(results[1].shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(results[2].data, (Doubles{1, 4, 6, 4, 5, 6}));
}

TEST_F(ReferenceWholeTensor, NewTensors) {
  auto results = evaluate(R"(
    func.func @f(%n: index, %v: f32)
        -> (tensor<?x2xf32>, tensor<?x2xindex>, tensor<2xf32>, tensor<?xf32>) {
      %a = tensor.splat %v[%n] : tensor<?x2xf32>
      %b = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %t = arith.muli %i, %n : index
        %s = arith.addi %t, %j : index
        tensor.yield %s : index
      } : tensor<?x2xindex>
      %c = tensor.from_elements %v, %v : tensor<2xf32>
      %d = tensor.empty(%n) : tensor<?xf32>
      return %a, %b, %c, %d
        : tensor<?x2xf32>, tensor<?x2xindex>, tensor<2xf32>, tensor<?xf32>
    })",
                          {scalar(3), scalar(0.5)});
  ASSERT_EQ(results.size(), 4u) << errors;
  EXPECT_EQ(results[0].data, Doubles(6, 0.5));
  EXPECT_EQ(results[1].data, (Doubles{0, 1, 3, 4, 6, 7}));
  EXPECT_EQ(results[2].data, (Doubles{0.5, 0.5}));
  // Nobody wrote them, and it shows.
  expectNear(results[3].data, {NAN, NAN, NAN});
}

TEST_F(ReferenceWholeTensor, LinalgMatmulOnFilledTensor) {
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<?x3xf32>, %w: tensor<3x2xf32>) -> tensor<?x2xf32> {
      %z = arith.constant 0 : index
      %n = tensor.dim %x, %z : tensor<?x3xf32>
      %one = arith.constant 1.0 : f32
      %e = tensor.empty(%n) : tensor<?x2xf32>
      %i = linalg.fill ins(%one : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
      %r = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x2xf32>)
                         outs(%i : tensor<?x2xf32>) -> tensor<?x2xf32>
      return %r : tensor<?x2xf32>
    })",
                {kMatrix, tensor({3, 2}, {1, 0, 0, 1, 10, 100})}),
            (Doubles{32, 303, 65, 606}));
}

TEST_F(ReferenceWholeTensor, LinalgTransposeBroadcastReduceAndNamedOps) {
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3x2xf32>
      %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
      %c = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<3x2xf32>) dimensions = [0]
      %s = linalg.sub ins(%t, %c : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
      %i = arith.constant dense<0.0> : tensor<3xf32>
      %r = linalg.reduce ins(%s : tensor<3x2xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
        (%a: f32, %o: f32) {
          %m = arith.maximumf %a, %o : f32
          linalg.yield %m : f32
        }
      return %r : tensor<3xf32>
    })",
                {kMatrix, vector({2, -1})}),
            (Doubles{5, 6, 7}));
}

TEST_F(ReferenceWholeTensor, LinalgWithSumsOfLoopsInItsMaps) {
  // A convolution, which reads d0 + d1.
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<4xf32>, %w: tensor<2xf32>) -> tensor<3xf32> {
      %i = arith.constant dense<0.0> : tensor<3xf32>
      %r = linalg.conv_1d ins(%x, %w : tensor<4xf32>, tensor<2xf32>)
                          outs(%i : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    })",
                {vector({1, 2, 3, 4}), vector({1, 10})}),
            (Doubles{21, 32, 43}));
}

TEST_F(ReferenceWholeTensor, LinalgInParts) {
  // Large enough for threads: 512 x 256 sums of i and j.
  auto result = run(R"(
    func.func @f(%n: index) -> tensor<?xf32> {
      %z = arith.constant 0.0 : f32
      %in = tensor.splat %z[%n] : tensor<?x256xf32>
      %init = tensor.splat %z[%n] : tensor<?xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
          ins(%in : tensor<?x256xf32>) outs(%init : tensor<?xf32>) {
      ^bb0(%a: f32, %o: f32):
        %i = linalg.index 1 : index
        %j = linalg.index 0 : index
        %s = arith.addi %i, %j : index
        %t = arith.index_cast %s : index to i64
        %u = arith.sitofp %t : i64 to f32
        %v = arith.addf %u, %o : f32
        linalg.yield %v : f32
      } -> tensor<?xf32>
      return %r : tensor<?xf32>
    })",
                    {scalar(512)});
  ASSERT_EQ(result.size(), 512u);
  for (int i = 0; i < 512; ++i)
    EXPECT_EQ(result[i], 256 * i + 255 * 128);
}
