//===- ReferenceRoundingTest.cpp - The interpreter with rounding ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

namespace {
class Rounding : public ReferenceTest {
protected:
  /// What runs with several seeds give at most beside the oracle.
  double getLargestDifference(llvm::StringRef spec,
                              const std::vector<ReferenceValue> &arguments) {
    double exact = run(spec, arguments).at(0), largest = 0;
    for (uint64_t seed = 0; seed < 5; ++seed) {
      precision.seed = seed;
      largest = std::max(largest, std::abs(run(spec, arguments).at(0) - exact));
    }
    precision.seed.reset();
    return largest;
  }
};
} // namespace

TEST_F(Rounding, ShowsWhatCancels) {
  constexpr const char *spec = R"(
    func.func @f(%h: tensor<?xf32>, %k: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%a = %h : tensor<?xf32>, %b = %k : tensor<?xf32>) -> tensor<?xf32> {
        %s = arith.addf %a, %b : tensor<f32>
        %d = arith.subf %s, %a : tensor<f32>
        mp.yield %d : tensor<f32>
      }
      return %o : tensor<?xf32>
    })";
  EXPECT_EQ(getLargestDifference(spec, {vector({1}), vector({2})}), 0);
  double lost = getLargestDifference(spec, {vector({4096}), vector({0.1})});
  EXPECT_GT(lost, 1e-5);
  EXPECT_LT(lost, 1e-3);
}

TEST_F(Rounding, IsInsideOfSumsAndNorms) {
  // The products are exact, their sums are not.
  constexpr const char *dot = R"(
    func.func @f(%h: tensor<?x3xf32>) -> tensor<?xf32> {
      %o = mp.update (%a = %h : tensor<?x3xf32>) -> tensor<?xf32> {
        %w = arith.constant dense<[1.0, 1.0, -1.0]> : tensor<3xf32>
        %d = mp.dot %a, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
        mp.yield %d : tensor<f32>
      }
      return %o : tensor<?xf32>
    })";
  EXPECT_GT(getLargestDifference(dot, {tensor({1, 3}, {4096, 0.1f, 4096})}),
            1e-5);
  constexpr const char *norm = R"(
    func.func @f(%h: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %o = mp.update (%a = %h : tensor<?x3xf32>) -> tensor<?x3xf32> {
        %n = mp.layer_norm %a : (tensor<3xf32>) -> tensor<3xf32>
        mp.yield %n : tensor<3xf32>
      }
      return %o : tensor<?x3xf32>
    })";
  EXPECT_GT(getLargestDifference(norm, {tensor({1, 3}, {4096, 4097, 4099})}),
            1e-6);
  constexpr const char *aggregate = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
        mp.yield %a : tensor<f32>
      }
      %s = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";
  EXPECT_GT(
      getLargestDifference(aggregate, {graph(1, 3, {{0, 0}, {0, 1}, {0, 2}}),
                                       vector({4096, 0.1f, -4096})}),
      1e-5);
}

TEST_F(Rounding, OfEqualNumbersDoesNotCancel) {
  // The edges have one value, of which compiled code may compute two.
  constexpr const char *spec = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
        %t = math.tanh %a : tensor<f32>
        mp.yield %t : tensor<f32>
      }
      %s = mp.aggregate %g std %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";
  const std::vector<ReferenceValue> arguments = {
      graph(1, 4, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}),
      vector({0.3f, 0.3f, 0.3f, 0.3f})};
  EXPECT_EQ(run(spec, arguments).at(0), 0);
  double largest = getLargestDifference(spec, arguments);
  EXPECT_GT(largest, 1e-9);
  EXPECT_LT(largest, 1e-7);
}

/// A product over edges of 1 and what their sources have.
constexpr const char *kProduct = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
        %one = arith.constant dense<1.0> : tensor<f32>
        %b = arith.addf %a, %one : tensor<f32>
        mp.yield %b : tensor<f32>
      }
      %s = mp.aggregate %g prod %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";

/// `count` edges from one node to itself.
static ReferenceValue makeLoops(int64_t count) {
  return graph(1, 1, std::vector<std::pair<int32_t, int32_t>>(count, {0, 0}));
}

TEST_F(Rounding, OfEqualFactorsAddsUp) {
  // 400 edges of the value 1 + 1/3 * 2^-13, which f32 does not have.
  constexpr int count = 400;
  const std::vector<ReferenceValue> arguments = {
      makeLoops(count), vector({double(0x1p-13f / 3)})};
  const double placed = getLargestDifference(kProduct, arguments);
  precision.roundsPlacesAlike = true;
  const double alike = getLargestDifference(kProduct, arguments);
  EXPECT_GT(alike, 3 * placed);
  EXPECT_LT(alike, count * 0x1p-22);
}

TEST_F(Rounding, OfLongProductsIsThatOfShortOnes) {
  // f32 has the factor. Of the product of the first few all are rounded down,
  // of that of all about as many up as down.
  constexpr int count = 512, together = 64;
  const float factor = 1 + 0x1p-15f;
  float few = 1;
  for (int k = 0; k < together; ++k)
    few *= factor;
  float product = 1;
  for (int k = 0; k < count; k += together)
    product *= few;
  const std::vector<ReferenceValue> arguments = {makeLoops(count),
                                                 vector({0x1p-15})};
  const double error =
      std::abs(double(product) - run(kProduct, arguments).at(0));
  EXPECT_GT(error, 1e-5);
  precision.roundsToNearest = true;
  EXPECT_GT(getLargestDifference(kProduct, arguments), error / 4);
}

TEST_F(Rounding, OfRecurrencesIsThatOfProcessors) {
  // What is added 1500 times is rounded to the same side a thousand times.
  constexpr const char *spec = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>, %w: !mp.edges<f32>) -> tensor<?xf32> {
      %s = mp.scan %g : !mp.graph from(%a = %h : tensor<?xf32>) edge(%e = %w : !mp.edges<f32>) -> tensor<?xf32> {
        %b = arith.addf %a, %e : tensor<f32>
        mp.yield %b : tensor<f32>
      }
      return %s : tensor<?xf32>
    })";
  constexpr int count = 1500;
  const float step = 1.0397f;
  const std::vector<ReferenceValue> arguments = {
      makeLoops(count), vector({0}),
      vector(std::vector<double>(count, double(step)))};
  float sum = 0;
  for (int k = 0; k < count; ++k)
    sum += step;
  const double atRandom = getLargestDifference(spec, arguments);
  precision.roundsToNearest = true;
  precision.seed = 0;
  EXPECT_EQ(run(spec, arguments).at(0), double(sum));
  EXPECT_GT(std::abs(double(sum) - count * double(step)), 8 * atRandom);
}

TEST_F(Rounding, OfProductsAfterSums) {
  // The sum is 400 elements in two columns, which nearly cancel in the product.
  constexpr const char *spec = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?x2xf32>, %w: tensor<2xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%a = %h : tensor<?x2xf32>) -> !mp.edges<f32> {
        %y = mp.linear %a, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
        mp.yield %y : tensor<f32>
      }
      %s = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";
  constexpr int count = 400;
  const double x = double(0.7f), y = double(0.69999f);
  const std::vector<ReferenceValue> arguments = {
      makeLoops(count), tensor({1, 2}, {x, y}), vector({1, -1})};
  float sums[2] = {0, 0};
  for (int k = 0; k < count; ++k) {
    sums[0] += float(x);
    sums[1] += float(y);
  }
  const double error = std::abs(double(sums[0] - sums[1]) - count * (x - y));
  EXPECT_GT(error, 1e-4);
  EXPECT_LT(getLargestDifference(spec, arguments), error / 20);
  precision.roundsPlacesAlike = true;
  EXPECT_GT(getLargestDifference(spec, arguments), error / 8);
}

TEST_F(Rounding, OfMeansIsThatOfReciprocals) {
  // A third of 3 is 1, but 3 times what is left of a third is not.
  constexpr const char *spec = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
        mp.yield %a : tensor<f32>
      }
      %s = mp.aggregate %g mean %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";
  double lost =
      getLargestDifference(spec, {graph(1, 3, {{0, 0}, {0, 1}, {0, 2}}),
                                  vector({1.0f, 1.0f, 1.0f})});
  EXPECT_GT(lost, 1e-9);
  EXPECT_LT(lost, 1e-6);
}

TEST_F(Rounding, StoresHalfPrecision) {
  constexpr const char *spec = R"(
    func.func @f(%h: tensor<?xbf16>) -> tensor<?xbf16> {
      %o = mp.update (%a = %h : tensor<?xbf16>) -> tensor<?xbf16> {
        %d = arith.mulf %a, %a : tensor<bf16>
        mp.yield %d : tensor<bf16>
      }
      return %o : tensor<?xbf16>
    })";
  double lost = getLargestDifference(spec, {vector({1 + 0x1p-7})});
  EXPECT_GE(lost, 0x1p-14);
  EXPECT_LE(lost, 0x1p-7);
  precision.storesHalves = false;
  EXPECT_EQ(getLargestDifference(spec, {vector({1 + 0x1p-7})}), 0);
}

/// A message of halves, and what the aggregation of its only edge makes of it.
static std::string makeHalfMessage(const char *edgeValue) {
  return R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>, %k: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g dst(%a = %h : tensor<?xf32>) src(%b = %k : tensor<?xf32>)
          -> !mp.edges<f32> {
        %x = arith.truncf %a : tensor<f32> to tensor<f16>
        %y = arith.truncf %b : tensor<f32> to tensor<f16>
        %s = arith.addf %x, %y : tensor<f16>
        %p = arith.mulf %s, %s : tensor<f16>
        %z = arith.extf )" +
         std::string(edgeValue) + R"( : tensor<f16> to tensor<f32>
        mp.yield %z : tensor<f32>
      }
      %n = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %n : tensor<?xf32>
    })";
}

TEST_F(Rounding, StoresHalvesOfOneEnd) {
  // A value of one end is computed once for all edges of a node, and stored.
  const double third = double(1.0f / 3);
  const std::vector<ReferenceValue> arguments = {graph(1, 1, {{0, 0}}),
                                                 vector({third}), vector({0})};
  double lost = getLargestDifference(makeHalfMessage("%x"), arguments);
  EXPECT_GE(lost, 0x1p-16);
  EXPECT_LE(lost, 0x1p-12);
  // What follows from both stays in registers, in f32.
  const std::vector<ReferenceValue> exactEnds = {
      graph(1, 1, {{0, 0}}), vector({1 + 0x1p-10}), vector({0x1p-9})};
  lost = getLargestDifference(makeHalfMessage("%p"), exactEnds);
  EXPECT_LE(lost, 0x1p-22);
}

TEST_F(Rounding, StoresHalvesThatMessagesYield) {
  constexpr const char *spec = R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf16>) -> tensor<?xf32> {
      %m = mp.message %g dst(%a = %h : tensor<?xf16>) src(%b = %h : tensor<?xf16>)
          -> !mp.edges<f16> {
        %p = arith.mulf %a, %b : tensor<f16>
        mp.yield %p : tensor<f16>
      }
      %n = mp.message %g edge(%e = %m : !mp.edges<f16>) -> !mp.edges<f32> {
        %w = arith.extf %e : tensor<f16> to tensor<f32>
        mp.yield %w : tensor<f32>
      }
      %s = mp.aggregate %g sum %n : (!mp.edges<f32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    })";
  const std::vector<ReferenceValue> arguments = {graph(1, 1, {{0, 0}}),
                                                 vector({1 + 0x1p-10})};
  double lost = getLargestDifference(spec, arguments);
  EXPECT_GE(lost, 0x1p-20);
  EXPECT_LE(lost, 0x1p-9);
}

TEST_F(Rounding, FewerBitsForProductsOfTF32) {
  constexpr const char *spec = R"(
    func.func @f(%h: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%a = %h : tensor<?xf32>) -> tensor<?xf32> {
        %d = arith.mulf %a, %a : tensor<f32>
        mp.yield %d : tensor<f32>
      }
      return %o : tensor<?xf32>
    })";
  EXPECT_LT(getLargestDifference(spec, {vector({1.2345})}), 1e-6);
  precision.f32Bits = 11;
  EXPECT_GT(getLargestDifference(spec, {vector({1.2345})}), 1e-5);
}
