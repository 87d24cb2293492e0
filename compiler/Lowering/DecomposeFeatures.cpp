//===- DecomposeFeatures.cpp - Activations and norms to arith and math ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern per op. The formulas are those that stay accurate and finite
// wherever the result is.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeNorms.h"
#include "compiler/Algebra/FeatureFormula.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace clique {
#define GEN_PASS_DEF_DECOMPOSEFEATURESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct Activation : Formula {
  using Formula::Formula;

  Value relu(Value x) {
    return arith::MaximumFOp::create(rewriter, loc, x, splat(x, 0.0));
  }
  Value sigmoid(Value x) {
    Value one = splat(x, 1.0);
    Value e = apply<math::ExpOp>(apply<arith::NegFOp>(x));
    return arith::DivFOp::create(rewriter, loc, one, add(one, e));
  }
  /// log(1 + x) of x in [0, 1]: x times a polynomial in x - 1/2, which is
  /// minimax for the relative error (5e-9), the result within 2 ulp of f32.
  Value log1pOfFraction(Value x) {
    if (getElementTypeOrSelf(x.getType()).isF64())
      return apply<math::Log1pOp>(x);
    constexpr double coefficients[] = {
        -0.003244023537263274, 0.005253348965197802,  -0.006749912165105343,
        0.011576151475310326,  -0.020570294931530952, 0.03663547337055206,
        -0.06768769770860672,  0.13260900974273682,   -0.28852710127830505,
        0.8109301924705505};
    auto contracted = arith::FastMathFlagsAttr::get(
        rewriter.getContext(), arith::FastMathFlags::contract);
    Value t = add(x, splat(x, -0.5)), sum;
    for (double coefficient : coefficients) {
      Value term = splat(x, coefficient);
      if (sum) {
        sum = arith::MulFOp::create(rewriter, loc, sum, t, contracted);
        sum = arith::AddFOp::create(rewriter, loc, sum, term, contracted);
      } else {
        sum = term;
      }
    }
    return mul(x, sum);
  }
  /// x > 0 ? x : otherwise
  Value positiveOr(Value x, Value otherwise) {
    Value positive = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGT, x, splat(x, 0.0));
    return arith::SelectOp::create(rewriter, loc, positive, x, otherwise);
  }
};

struct Relu : FormulaPattern<Relu, mp::ReluOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::ReluOp op, Activation &f) { return f.relu(op.getX()); }
};

struct LeakyRelu : FormulaPattern<LeakyRelu, mp::LeakyReluOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::LeakyReluOp op, Activation &f) {
    double slope = op.getSlope().convertToDouble();
    return f.positiveOr(op.getX(), f.scale(slope, op.getX()));
  }
};

struct Elu : FormulaPattern<Elu, mp::EluOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::EluOp op, Activation &f) {
    double alpha = op.getAlpha().convertToDouble();
    Value negative = f.apply<math::ExpM1Op>(op.getX());
    if (alpha != 1.0)
      negative = f.scale(alpha, negative);
    return f.positiveOr(op.getX(), negative);
  }
};

struct Sigmoid : FormulaPattern<Sigmoid, mp::SigmoidOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SigmoidOp op, Activation &f) {
    return f.sigmoid(op.getX());
  }
};

struct Silu : FormulaPattern<Silu, mp::SiluOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SiluOp op, Activation &f) {
    return f.mul(op.getX(), f.sigmoid(op.getX()));
  }
};

struct Softplus : FormulaPattern<Softplus, mp::SoftplusOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SoftplusOp op, Activation &f) {
    Value positive = f.relu(op.getX());
    Value distance = f.apply<math::AbsFOp>(op.getX());
    Value e = f.apply<math::ExpOp>(f.apply<arith::NegFOp>(distance));
    return f.add(positive, f.log1pOfFraction(e));
  }
};

struct Gelu : FormulaPattern<Gelu, mp::GeluOp, Activation> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::GeluOp op, Activation &f) {
    Value x = op.getX(), bounded;
    if (op.getTanh()) {
      Value cube = f.mul(f.mul(x, x), x);
      Value inner = f.add(x, f.scale(0.044715, cube));
      bounded = f.apply<math::TanhOp>(f.scale(std::sqrt(2.0 / M_PI), inner));
    } else {
      bounded = f.apply<math::ErfOp>(f.scale(M_SQRT1_2, x));
    }
    return f.mul(f.scale(0.5, x), f.add(f.splat(x, 1.0), bounded));
  }
};

struct DecomposeFeaturesPass
    : clique::impl::DecomposeFeaturesPassBase<DecomposeFeaturesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<Relu, LeakyRelu, Elu, Sigmoid, Silu, Softplus, Gelu>(
        &getContext());
    populateDecomposeNormPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
