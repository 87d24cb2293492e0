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
    return f.add(positive, f.apply<math::Log1pOp>(e));
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
