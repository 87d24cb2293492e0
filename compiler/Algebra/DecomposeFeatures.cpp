//===- DecomposeFeatures.cpp - Activations and norms to arith and math ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern per op. The formulas are those that stay accurate and finite
// wherever the result is.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeFeatures.h"
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace clique {
#define GEN_PASS_DEF_DECOMPOSEFEATURESPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// Writes formulas over features of one type.
struct Formula {
  Formula(PatternRewriter &rewriter, Operation *op)
      : rewriter(rewriter), loc(op->getLoc()) {}

  /// A feature of x's type, each element of which is `value`. Half precision is
  /// computed in f32 (Lowering/Lifting.h), with the value as f32 has it.
  Value splat(Value x, double value) {
    auto type = cast<RankedTensorType>(x.getType());
    const bool isHalf = type.getElementTypeBitWidth() < 32;
    auto computed =
        isHalf ? cast<RankedTensorType>(type.clone(rewriter.getF32Type()))
               : type;
    Value all = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            computed, Attribute(rewriter.getFloatAttr(computed.getElementType(),
                                                      value))));
    return isHalf ? rewriter.createOrFold<arith::TruncFOp>(loc, type, all)
                  : all;
  }
  template <typename OpTy>
  Value apply(Value x) {
    return OpTy::create(rewriter, loc, x);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(rewriter, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(rewriter, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(rewriter, loc, a, b);
  }
  Value scale(double factor, Value x) { return mul(splat(x, factor), x); }
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
  /// 1 / sqrt(variance + eps)
  Value inverseDeviation(Value variance, double eps) {
    return apply<math::RsqrtOp>(add(variance, splat(variance, eps)));
  }
  /// Mean over the last dimension.
  Value mean(Value x) {
    auto type = cast<RankedTensorType>(x.getType());
    auto result = RankedTensorType::get(type.getShape().drop_back(),
                                        type.getElementType());
    return mp::ReduceOp::create(rewriter, loc, result, mp::ReductionKind::mean,
                                x, ArrayRef<int64_t>{type.getRank() - 1});
  }
  Value broadcast(Value x, Type type, bool trailing) {
    if (x.getType() == type)
      return x;
    return mp::BroadcastOp::create(rewriter, loc, type, x, trailing);
  }

  PatternRewriter &rewriter;
  Location loc;
};

/// Replaces an op by the formula that `Derived::emit` writes.
template <typename Derived, typename OpTy>
struct FormulaPattern : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Formula formula(rewriter, op);
    rewriter.replaceOp(op, Derived::emit(op, formula));
    return success();
  }
};

struct Relu : FormulaPattern<Relu, mp::ReluOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::ReluOp op, Formula &f) { return f.relu(op.getX()); }
};

struct LeakyRelu : FormulaPattern<LeakyRelu, mp::LeakyReluOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::LeakyReluOp op, Formula &f) {
    double slope = op.getSlope().convertToDouble();
    return f.positiveOr(op.getX(), f.scale(slope, op.getX()));
  }
};

struct Elu : FormulaPattern<Elu, mp::EluOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::EluOp op, Formula &f) {
    double alpha = op.getAlpha().convertToDouble();
    Value negative = f.apply<math::ExpM1Op>(op.getX());
    if (alpha != 1.0)
      negative = f.scale(alpha, negative);
    return f.positiveOr(op.getX(), negative);
  }
};

struct Sigmoid : FormulaPattern<Sigmoid, mp::SigmoidOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SigmoidOp op, Formula &f) {
    return f.sigmoid(op.getX());
  }
};

struct Silu : FormulaPattern<Silu, mp::SiluOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SiluOp op, Formula &f) {
    return f.mul(op.getX(), f.sigmoid(op.getX()));
  }
};

struct Softplus : FormulaPattern<Softplus, mp::SoftplusOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::SoftplusOp op, Formula &f) {
    Value positive = f.relu(op.getX());
    Value distance = f.apply<math::AbsFOp>(op.getX());
    Value e = f.apply<math::ExpOp>(f.apply<arith::NegFOp>(distance));
    return f.add(positive, f.apply<math::Log1pOp>(e));
  }
};

struct Gelu : FormulaPattern<Gelu, mp::GeluOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::GeluOp op, Formula &f) {
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

struct LayerNorm : FormulaPattern<LayerNorm, mp::LayerNormOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::LayerNormOp op, Formula &f) {
    Value x = op.getX();
    Type type = x.getType();
    Value centred = f.sub(x, f.broadcast(f.mean(x), type, /*trailing=*/false));
    Value variance = f.mean(f.mul(centred, centred));
    Value inverse = f.inverseDeviation(variance, op.getEps().convertToDouble());
    Value y = f.mul(centred, f.broadcast(inverse, type, /*trailing=*/false));
    if (Value scale = op.getScale())
      y = f.mul(y, f.broadcast(scale, type, /*trailing=*/true));
    if (Value shift = op.getShift())
      y = f.add(y, f.broadcast(shift, type, /*trailing=*/true));
    return y;
  }
};

struct BatchNorm : FormulaPattern<BatchNorm, mp::BatchNormOp> {
  using FormulaPattern::FormulaPattern;
  static Value emit(mp::BatchNormOp op, Formula &f) {
    Value factor =
        f.inverseDeviation(op.getVariance(), op.getEps().convertToDouble());
    if (Value scale = op.getScale())
      factor = f.mul(scale, factor);
    Value y = f.mul(f.sub(op.getX(), op.getMean()), factor);
    if (Value shift = op.getShift())
      y = f.add(y, shift);
    return y;
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

void clique::populateDecomposeNormPatterns(RewritePatternSet &patterns) {
  patterns.add<LayerNorm, BatchNorm>(patterns.getContext());
}
