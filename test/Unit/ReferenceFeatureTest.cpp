//===- ReferenceFeatureTest.cpp - The feature ops -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

using Doubles = std::vector<double>;

namespace {
class ReferenceFeature : public ReferenceTest {
protected:
  /// The feature that `body` computes as %r from the feature %x of one node;
  /// `parameters` are further arguments of the function.
  Doubles compute(const std::string &from, const std::string &to,
                  const std::string &body, const ReferenceValue &x,
                  const std::string &parameters = "",
                  const std::vector<ReferenceValue> &others = {}) {
    std::vector<ReferenceValue> arguments = {x};
    arguments.insert(arguments.end(), others.begin(), others.end());
    std::string input = "tensor<?x" + from + ">",
                output = "tensor<?x" + to + ">";
    return run("func.func @f(%h: " + input + parameters + ") -> " + output +
                   " {\n%o = mp.update (%x = %h : " + input + ") -> " + output +
                   " {\n" + body + "\nmp.yield %r : tensor<" + to +
                   ">\n}\nreturn %o : " + output + "\n}",
               arguments);
  }
  /// An activation of 1.5 and -0.5.
  Doubles activate(const std::string &op) {
    return compute("2xf32", "2xf32", "%r = " + op + " : tensor<2xf32>",
                   tensor({1, 2}, {1.5, -0.5}));
  }
};
} // namespace

TEST_F(ReferenceFeature, Linear) {
  // Two input dimensions, two output dimensions and a bias.
  expectNear(compute("1x2xf32", "1x3xf32",
                     "%r = mp.linear %x, %w bias %b : (tensor<1x2xf32>, "
                     "tensor<1x2x1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>",
                     tensor({1, 1, 2}, {2, 3}),
                     ", %w: tensor<1x2x1x3xf32>, %b: tensor<1x3xf32>",
                     {tensor({1, 2, 1, 3}, {1, 2, 3, 10, 20, 30}),
                      tensor({1, 3}, {0.5, 0, -0.5})}),
             {32.5, 64, 95.5});
}

TEST_F(ReferenceFeature, Dot) {
  expectNear(compute("2x2xf32", "2xf32",
                     "%r = mp.dot %x, %y : (tensor<2x2xf32>, tensor<2x2xf32>) "
                     "-> tensor<2xf32>",
                     tensor({1, 2, 2}, {1, 2, 3, 4}), ", %y: tensor<2x2xf32>",
                     {tensor({2, 2}, {10, 1, 100, 1})}),
             {12, 304});
}

TEST_F(ReferenceFeature, Reduce) {
  auto reduce = [&](const std::string &kind, const std::string &dims,
                    const std::string &to) {
    return compute("2x3xf32", to,
                   "%r = mp.reduce " + kind + " %x dims " + dims +
                       " : tensor<2x3xf32> -> tensor<" + to + ">",
                   tensor({1, 2, 3}, {1, 5, 3, 4, 2, 6}));
  };
  expectNear(reduce("sum", "[0]", "3xf32"), {5, 7, 9});
  expectNear(reduce("mean", "[1]", "2xf32"), {3, 4});
  expectNear(reduce("max", "[1]", "2xf32"), {5, 6});
  expectNear(reduce("min", "[0]", "3xf32"), {1, 2, 3});
  expectNear(compute("2xf32", "1xf32",
                     "%s = mp.reduce mean %x dims [0] : tensor<2xf32> -> "
                     "tensor<f32>\n%r = mp.broadcast %s : tensor<f32> to "
                     "tensor<1xf32>",
                     tensor({1, 2}, {1, 2})),
             {1.5});
}

TEST_F(ReferenceFeature, Broadcast) {
  expectNear(compute("2xf32", "2x3xf32",
                     "%r = mp.broadcast %x : tensor<2xf32> to tensor<2x3xf32>",
                     tensor({1, 2}, {7, 8})),
             {7, 7, 7, 8, 8, 8});
  expectNear(compute("2xf32", "3x2xf32",
                     "%r = mp.broadcast %x trailing : tensor<2xf32> to "
                     "tensor<3x2xf32>",
                     tensor({1, 2}, {7, 8})),
             {7, 8, 7, 8, 7, 8});
}

TEST_F(ReferenceFeature, LookupTakesTheNearestRow) {
  auto lookup = [&](double index) {
    return run(
        "func.func @f(%i: tensor<?xi32>, %t: tensor<3x2xf32>) -> "
        "tensor<?x2xf32> {\n%o = mp.update (%k = %i : tensor<?xi32>) -> "
        "tensor<?x2xf32> {\n%r = mp.lookup %t[%k] : tensor<3x2xf32>, "
        "tensor<i32> -> tensor<2xf32>\nmp.yield %r : tensor<2xf32>\n}\nreturn "
        "%o : tensor<?x2xf32>\n}",
        {vector({index}), tensor({3, 2}, {1, 2, 3, 4, 5, 6})});
  };
  expectNear(lookup(1), {3, 4});
  expectNear(lookup(-5), {1, 2});
  expectNear(lookup(3), {5, 6});
}

TEST_F(ReferenceFeature, LayerNorm) {
  // Rows 1, 3 (mean 2, variance 1) and 0, 4 (mean 2, variance 4).
  ReferenceValue x = tensor({1, 2, 2}, {1, 3, 0, 4});
  double one = 1 / std::sqrt(1.25), two = 2 / std::sqrt(4.25);
  expectNear(compute("2x2xf32", "2x2xf32",
                     "%r = mp.layer_norm %x {eps = 0.25 : f64} : "
                     "(tensor<2x2xf32>) -> tensor<2x2xf32>",
                     x),
             {-one, one, -two, two});
  expectNear(compute("2x2xf32", "2x2xf32",
                     "%r = mp.layer_norm %x shift %b {eps = 0.25 : f64} : "
                     "(tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>",
                     x, ", %b: tensor<2xf32>", {vector({10, 20})}),
             {10 - one, 20 + one, 10 - two, 20 + two});
  expectNear(compute("2x2xf32", "2x2xf32",
                     "%r = mp.layer_norm %x scale %g shift %b {eps = 0.25 : "
                     "f64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) "
                     "-> tensor<2x2xf32>",
                     x, ", %g: tensor<2xf32>, %b: tensor<2xf32>",
                     {vector({2, 3}), vector({10, 20})}),
             {10 - 2 * one, 20 + 3 * one, 10 - 2 * two, 20 + 3 * two});
}

TEST_F(ReferenceFeature, BatchNorm) {
  expectNear(
      compute("2xf32", "2xf32",
              "%r = mp.batch_norm %x mean %m variance %v scale %g shift %b "
              "{eps = 1.0 : f64} : (tensor<2xf32>, tensor<2xf32>, "
              "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
              tensor({1, 2}, {5, 7}),
              ", %m: tensor<2xf32>, %v: tensor<2xf32>, %g: tensor<2xf32>, %b: "
              "tensor<2xf32>",
              {vector({1, 1}), vector({3, 8}), vector({10, 100}),
               vector({0.5, 0.25})}),
      {20.5, 200.25});
}

TEST_F(ReferenceFeature, Activations) {
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  auto gelu = [](double x) {
    return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
  };
  expectNear(activate("mp.relu %x"), {1.5, 0});
  expectNear(activate("mp.sigmoid %x"), {sigmoid(1.5), sigmoid(-0.5)});
  expectNear(activate("mp.silu %x"),
             {1.5 * sigmoid(1.5), -0.5 * sigmoid(-0.5)});
  expectNear(activate("mp.softplus %x"),
             {std::log(1 + std::exp(1.5)), std::log(1 + std::exp(-0.5))});
  expectNear(activate("mp.gelu %x"), {gelu(1.5), gelu(-0.5)});
  // 0.75 (1 + tanh(0.79788456... (1.5 + 0.150913125)))
  expectNear(activate("mp.gelu %x tanh"),
             {0.75 * (1 + std::tanh(std::sqrt(2 / M_PI) * 1.650913125)),
              -0.25 * (1 + std::tanh(std::sqrt(2 / M_PI) * -0.505589375))});
  expectNear(activate("mp.leaky_relu %x slope 0.2"), {1.5, -0.1});
  expectNear(activate("mp.elu %x"), {1.5, std::exp(-0.5) - 1});
  expectNear(activate("mp.elu %x alpha 2.0"), {1.5, 2 * std::exp(-0.5) - 2});
}

TEST_F(ReferenceFeature, SoftplusOfALargeNumber) {
  expectNear(compute("2xf32", "2xf32", "%r = mp.softplus %x : tensor<2xf32>",
                     tensor({1, 2}, {1000, -1000})),
             {1000, 0});
}

TEST_F(ReferenceFeature, TensorOpsInsideARegion) {
  expectNear(
      compute(
          "2x2xf32", "4xf32",
          R"(%a = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
              %b = tensor.extract_slice %a[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
              %s = tensor.extract_slice %b[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
              %r = tensor.concat dim(0) %s, %b, %s : (tensor<1xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>)",
          tensor({1, 2, 2}, {1, 2, 3, 4})),
      {2, 2, 3, 2});
}

TEST_F(ReferenceFeature, LinalgCapturesValues) {
  expectNear(
      run(R"(func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
              %n = arith.negf %x : tensor<2xf32>
              %z = arith.constant 1 : index
              %first = tensor.extract %n[%z] : tensor<2xf32>
              %init = tensor.empty() : tensor<2xf32>
              %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
                  ins(%x : tensor<2xf32>) outs(%init : tensor<2xf32>) {
              ^bb0(%a: f32, %o: f32):
                %i = linalg.index 0 : index
                %w = tensor.extract %y[%i] : tensor<2xf32>
                %s = arith.mulf %a, %w : f32
                %t = arith.addf %s, %first : f32
                linalg.yield %t : f32
              } -> tensor<2xf32>
              return %r : tensor<2xf32>
            })",
          {vector({3, 4}), vector({10, 100})}),
      {26, 396});
}

TEST_F(ReferenceFeature, LookupAtFunctionLevel) {
  // What is outside takes the first or last row.
  EXPECT_EQ(
      run(R"(func.func @f(%x: tensor<?x2xf32>, %i: tensor<?xi64>) -> tensor<?x2xf32> {
    %r = mp.lookup %x[%i] : tensor<?x2xf32>, tensor<?xi64> -> tensor<?x2xf32>
    return %r : tensor<?x2xf32>
  })",
          {tensor({3, 2}, {0, 1, 10, 11, 20, 21}), vector({2, -5, 1, 9})}),
      (Doubles{20, 21, 0, 1, 10, 11, 20, 21}));
  EXPECT_EQ(
      run(R"(func.func @f(%x: tensor<3x2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
    %r = mp.lookup %x[%i] : tensor<3x2xf32>, tensor<i32> -> tensor<2xf32>
    return %r : tensor<2xf32>
  })",
          {tensor({3, 2}, {0, 1, 10, 11, 20, 21}), scalar(1)}),
      (Doubles{10, 11}));
  EXPECT_EQ(
      run(R"(func.func @f(%x: !mp.edges<2xf32>, %i: tensor<?xi64>) -> !mp.edges<2xf32> {
    %r = mp.lookup %x[%i] : !mp.edges<2xf32>, tensor<?xi64> -> !mp.edges<2xf32>
    return %r : !mp.edges<2xf32>
  })",
          {tensor({3, 2}, {0, 1, 10, 11, 20, 21}), vector({2, 7, -1})}),
      (Doubles{20, 21, 20, 21, 0, 1}));
}
