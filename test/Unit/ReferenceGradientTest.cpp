//===- ReferenceGradientTest.cpp - Gradients against differences ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"
#include "compiler/Reference/GradientCheck.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

namespace {
/// Layer norm of equal elements: 0, however large they are.
constexpr const char *kNormOfEquals = R"(
func.func @layer(%x: tensor<5xf32>) -> tensor<5xf32> {
  %b = mp.broadcast %x : tensor<5xf32> to tensor<5x7xf32>
  %n = mp.layer_norm %b {eps = 1.0e-2 : f64} : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %y = mp.dot %n, %b : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}
)";
/// Its gradient: terms that cancel, of deviations that rounding leaves; and a
/// part of the cotangent.
constexpr const char *kGradientOfNorm = R"(
func.func @backward(%x: tensor<5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %xc = arith.mulf %x, %c : tensor<5xf32>
  %g = mp.broadcast %xc : tensor<5xf32> to tensor<5x7xf32>
  %mean = mp.reduce mean %g dims [1] : tensor<5x7xf32> -> tensor<5xf32>
  %m = mp.broadcast %mean : tensor<5xf32> to tensor<5x7xf32>
  %d = arith.subf %g, %m : tensor<5x7xf32>
  %ten = arith.constant dense<10.0> : tensor<5x7xf32>
  %e = arith.mulf %d, %ten : tensor<5x7xf32>
  %s = mp.reduce sum %e dims [1] : tensor<5x7xf32> -> tensor<5xf32>
  %part = arith.constant dense<PART> : tensor<5xf32>
  %p = arith.mulf %c, %part : tensor<5xf32>
  %r = arith.addf %s, %p : tensor<5xf32>
  return %r : tensor<5xf32>
}
)";
/// x^2, and a gradient of FACTOR * x if rounding does not choose 0.
constexpr const char *kSquare = R"(
func.func @layer(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = arith.mulf %x, %x : tensor<5xf32>
  return %y : tensor<5xf32>
}
func.func @backward(%x: tensor<5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %three = arith.constant dense<3.0> : tensor<5xf32>
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %third = arith.divf %x, %three : tensor<5xf32>
  %same = arith.mulf %third, %three : tensor<5xf32>
  %off = arith.subf %same, %x : tensor<5xf32>
  %size = math.absf %off : tensor<5xf32>
  %far = arith.constant dense<1.0e-9> : tensor<5xf32>
  %isFar = arith.cmpf ogt, %size, %far : tensor<5xf32>
  %factor = arith.constant dense<FACTOR> : tensor<5xf32>
  %slope = arith.mulf %x, %factor : tensor<5xf32>
  %own = arith.mulf %slope, %c : tensor<5xf32>
  %r = arith.select %isFar, %zero, %own : tensor<5xi1>, tensor<5xf32>
  return %r : tensor<5xf32>
}
)";

std::string replace(std::string text, const std::string &part,
                    const std::string &with) {
  return text.replace(text.find(part), part.size(), with);
}

class GradientCheck : public ReferenceTest {
protected:
  DirectionalDerivative check(const std::string &spec, uint64_t seed = 1) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(spec, &context);
    auto layer = module->lookupSymbol<mlir::func::FuncOp>("layer");
    auto backward = module->lookupSymbol<mlir::func::FuncOp>("backward");
    auto derivatives =
        checkGradient({layer, layer, backward, {}, {0}, {0}},
                      {vector({0.3, -1.7, 0.9, 1.1, -0.6})}, seed);
    EXPECT_EQ(derivatives->size(), 1u);
    return derivatives->front();
  }
};
} // namespace

TEST_F(GradientCheck, RoundingOfTermsThatCancelIsNoError) {
  const DirectionalDerivative right = check(
      replace(kNormOfEquals + std::string(kGradientOfNorm), "PART", "0.0"));
  EXPECT_NE(right.gradient, 0);
  EXPECT_LT(std::abs(right.gradient), 1e-12);
  EXPECT_LT(right.rounding, 1e-8);
  EXPECT_EQ(right.getError(), 0);
}

TEST_F(GradientCheck, NoiseOfSmallStepsIsNoError) {
  const std::string spec =
      replace(kNormOfEquals + std::string(kGradientOfNorm), "PART", "0.0");
  for (uint64_t seed = 0; seed < 1000; ++seed)
    EXPECT_EQ(check(spec, seed).getError(), 0) << seed;
}

TEST_F(GradientCheck, SmallGradientBesideThoseTermsIsWrong) {
  const DirectionalDerivative wrong = check(
      replace(kNormOfEquals + std::string(kGradientOfNorm), "PART", "1.0e-7"));
  EXPECT_GT(wrong.getError(), 0.1);
}

TEST_F(GradientCheck, BranchThatRoundingTakesIsNoExcuse) {
  EXPECT_LT(check(replace(kSquare, "FACTOR", "2.0")).getError(), 1e-8);
  EXPECT_NEAR(check(replace(kSquare, "FACTOR", "2.002")).getError(), 1e-3,
              1e-4);
}
