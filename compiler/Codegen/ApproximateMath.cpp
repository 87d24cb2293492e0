//===- ApproximateMath.cpp - Elementary functions as polynomials ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

//===----------------------------------------------------------------------===//
// Ops without a counterpart in LLVM and its library
//===----------------------------------------------------------------------===//

static Value constantLike(PatternRewriter &rewriter, Location loc, Value x,
                          const APFloat &number) {
  Type type = x.getType();
  TypedAttr value = rewriter.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, Attribute(value));
  return arith::ConstantOp::create(rewriter, loc, value);
}

static const llvm::fltSemantics &getSemantics(Value x) {
  return cast<FloatType>(getElementTypeOrSelf(x)).getFloatSemantics();
}

/// min(max(x, least), most); upstream's expansion has the two the wrong way.
static LogicalResult expandClamp(math::ClampFOp op, PatternRewriter &rewriter) {
  Value raised = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(),
                                           op.getMin());
  rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax());
  return success();
}

/// |x| = inf.
static LogicalResult expandIsInf(math::IsInfOp op, PatternRewriter &rewriter) {
  Value x = op.getOperand();
  Value size = math::AbsFOp::create(rewriter, op.getLoc(), x);
  rewriter.replaceOpWithNewOp<arith::CmpFOp>(
      op, arith::CmpFPredicate::OEQ, size,
      constantLike(rewriter, op.getLoc(), x, APFloat::getInf(getSemantics(x))));
  return success();
}

/// The least normal number <= |x| < inf.
static LogicalResult expandIsNormal(math::IsNormalOp op,
                                    PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  const llvm::fltSemantics &semantics = getSemantics(x);
  Value size = math::AbsFOp::create(rewriter, loc, x);
  Value least =
      constantLike(rewriter, loc, x, APFloat::getSmallestNormalized(semantics));
  Value infinity = constantLike(rewriter, loc, x, APFloat::getInf(semantics));
  Value large = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE,
                                      size, least);
  Value finite = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT,
                                       size, infinity);
  rewriter.replaceOpWithNewOp<arith::AndIOp>(op, large, finite);
  return success();
}

//===----------------------------------------------------------------------===//
// The exponential
//===----------------------------------------------------------------------===//

/// exp(x) of f32 in 16 steps, error below 1 ulp; upstream's takes half as many
/// again and is what a softmax spends its time on.
///
///   t = x / ln 2 + 1.5 2^23, n = t - 1.5 2^23   (n = round(x / ln 2) stands in
///                                                the last bits of t)
///   r = x - n ln 2,  |r| <= ln 2 / 2            (ln 2 in two parts)
///   exp(x) = 2 (1 + r + r^2 p(r)) 2^(n - 1)
///
/// p of degree 4 is minimax for the relative error (3e-9). Below -87 the result
/// is 0, above 88.7 infinity; NaN stays.
static LogicalResult expandExp(math::ExpOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return failure();
  Type intType = rewriter.getI32Type();
  if (auto shaped = dyn_cast<ShapedType>(type))
    intType = shaped.clone(intType);
  auto constant = [&](float number) {
    return constantLike(rewriter, loc, x, APFloat(number));
  };
  auto integer = [&](int32_t number) -> Value {
    TypedAttr value = rewriter.getI32IntegerAttr(number);
    if (auto shaped = dyn_cast<ShapedType>(intType))
      value = DenseElementsAttr::get(shaped, Attribute(value));
    return arith::ConstantOp::create(rewriter, loc, value);
  };
  auto fma = [&](Value a, Value b, Value c) -> Value {
    return math::FmaOp::create(rewriter, loc, a, b, c);
  };
  // Comparisons so that NaN passes.
  auto clamp = [&](arith::CmpFPredicate beyond, Value value, float limit) {
    Value bound = constant(limit);
    Value isBeyond = arith::CmpFOp::create(rewriter, loc, beyond, bound, value);
    return arith::SelectOp::create(rewriter, loc, isBeyond, bound, value)
        .getResult();
  };
  x = clamp(arith::CmpFPredicate::OGT, x, -87.3f);
  x = clamp(arith::CmpFPredicate::OLT, x, 89.0f);
  Value shift = constant(12582912.0f);
  Value t = fma(x, constant(1.44269504f), shift);
  Value n = arith::SubFOp::create(rewriter, loc, t, shift);
  Value r = fma(n, constant(-0.693359375f), x);
  r = fma(n, constant(2.12194440e-4f), r);
  Value p = constant(2 * 0.001381459878757596f);
  for (float coefficient :
       {0.008368716575205326f, 0.04166838899254799f, 0.1666652113199234f,
        0.4999999403953552f, 1.0f, 1.0f})
    p = fma(p, r, constant(2 * coefficient));

  constexpr int32_t mantissaBits = 23, bias = 127;
  Value bits = arith::BitcastOp::create(rewriter, loc, intType, t);
  bits = arith::ShLIOp::create(rewriter, loc, bits, integer(mantissaBits));
  bits = arith::AddIOp::create(rewriter, loc, bits,
                               integer((bias - 1) << mantissaBits));
  Value scale = arith::BitcastOp::create(rewriter, loc, type, bits);
  rewriter.replaceOpWithNewOp<arith::MulFOp>(op, p, scale);
  return success();
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// sin(x) or cos(x) of f32, error about 1 ulp; upstream's loses all digits of
/// sin(x) for small x, and of both for large ones.
///
///   n = round(x 2 / pi), r = x - n pi / 2, |r| <= pi / 4   (f64, pi / 2 in two
///                                                           parts)
///   sin(r) = r + r^3 p(r^2),  cos(r) = 1 - r^2 / 2 + r^4 q(r^2)
///
/// of which n mod 4 says the one, and its sign. p and q are minimax for the
/// relative error (4e-9, 2e-10). Beyond 2^50 the result is some number between
/// -1 and 1; of infinity it is NaN, and NaN stays.
template <typename Op>
static LogicalResult expandSinOrCos(Op op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return failure();
  Type wideType = rewriter.getF64Type();
  if (auto shaped = dyn_cast<ShapedType>(type))
    wideType = shaped.clone(wideType);
  auto constant = [&](float number) {
    return constantLike(rewriter, loc, x, APFloat(number));
  };
  auto fma = [&](Value a, Value b, Value c) -> Value {
    return math::FmaOp::create(rewriter, loc, a, b, c);
  };
  auto multiply = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(rewriter, loc, a, b);
  };

  Value wide = arith::ExtFOp::create(rewriter, loc, wideType, x);
  auto wideConstant = [&](double number) {
    return constantLike(rewriter, loc, wide, APFloat(number));
  };
  Value n = math::RoundEvenOp::create(
      rewriter, loc, multiply(wide, wideConstant(0.6366197723675814)));
  Value rest = fma(n, wideConstant(-1.5707963267948966), wide);
  rest = fma(n, wideConstant(-6.123233995736766e-17), rest);
  Value r = arith::TruncFOp::create(rewriter, loc, type, rest);
  // For large x, n has an error, and |r| exceeds pi / 4 a little.
  constexpr float most = 1;
  r = arith::MaximumFOp::create(rewriter, loc, r, constant(-most));
  r = arith::MinimumFOp::create(rewriter, loc, r, constant(most));

  // The quadrant, 0 to 3; cos(x) is sin(x + pi / 2).
  if (std::is_same_v<Op, math::CosOp>)
    n = arith::AddFOp::create(rewriter, loc, n, wideConstant(1));
  Value turns =
      math::FloorOp::create(rewriter, loc, multiply(n, wideConstant(0.25)));
  Value quadrant = arith::TruncFOp::create(rewriter, loc, type,
                                           fma(turns, wideConstant(-4), n));
  auto compare = [&](arith::CmpFPredicate predicate, float number) -> Value {
    return arith::CmpFOp::create(rewriter, loc, predicate, quadrant,
                                 constant(number));
  };
  Value isCosine =
      arith::OrIOp::create(rewriter, loc, compare(arith::CmpFPredicate::OEQ, 1),
                           compare(arith::CmpFPredicate::OEQ, 3));
  Value isNegative = compare(arith::CmpFPredicate::OGE, 2);

  Value square = multiply(r, r);
  auto polynomial = [&](float a, float b, float c) {
    return fma(fma(constant(c), square, constant(b)), square, constant(a));
  };
  Value sine =
      fma(multiply(r, square),
          polynomial(-0.1666665460f, 0.008332160140f, -1.951519606e-4f), r);
  Value cosine = fma(
      square,
      fma(square, polynomial(0.04166664565f, -0.001388731538f, 2.443305503e-5f),
          constant(-0.5f)),
      constant(1));
  Value size = arith::SelectOp::create(rewriter, loc, isCosine, cosine, sine);
  Value negated = arith::NegFOp::create(rewriter, loc, size);
  rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, negated, size);
  return success();
}

/// The arc tangent of |x| is that of -1 / |x| and pi / 2 above tan(3 pi / 8),
/// that of (|x| - 1) / (|x| + 1) and pi / 4 above tan(pi / 8), where a
/// polynomial begins (Moshier: Methods and Programs for Mathematical Functions,
/// 1989). About 2 ulp; upstream's has 40 near 0.66.
static LogicalResult expandAtan(math::AtanOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return failure();
  auto constant = [&](float number) {
    return constantLike(rewriter, loc, x, APFloat(number));
  };
  auto fma = [&](Value a, Value b, Value c) -> Value {
    return math::FmaOp::create(rewriter, loc, a, b, c);
  };
  Value size = math::AbsFOp::create(rewriter, loc, x);
  auto isAbove = [&](float bound) -> Value {
    return arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGT, size,
                                 constant(bound));
  };
  Value isLarge = isAbove(2.414213562f), isMiddle = isAbove(0.4142135624f);
  auto choose = [&](Value large, Value middle, Value small) -> Value {
    Value other =
        arith::SelectOp::create(rewriter, loc, isMiddle, middle, small);
    return arith::SelectOp::create(rewriter, loc, isLarge, large, other);
  };
  Value one = constant(1), zero = constant(0);
  Value top = choose(constant(-1),
                     arith::SubFOp::create(rewriter, loc, size, one), size);
  Value bottom =
      choose(size, arith::AddFOp::create(rewriter, loc, size, one), one);
  Value t = arith::DivFOp::create(rewriter, loc, top, bottom);
  Value square = arith::MulFOp::create(rewriter, loc, t, t);
  Value sum = constant(8.05374449538e-2f);
  for (float factor :
       {-1.38776856032e-1f, 1.99777106478e-1f, -3.33329491539e-1f})
    sum = fma(sum, square, constant(factor));
  Value cube = arith::MulFOp::create(rewriter, loc, t, square);
  // pi / 2 and pi / 4 as sums of two numbers.
  constexpr float high = 1.57079637f, low = -4.37113883e-8f;
  Value rest = fma(sum, cube, choose(constant(low), constant(low / 2), zero));
  rest = arith::AddFOp::create(rewriter, loc, t, rest);
  Value angle = arith::AddFOp::create(
      rewriter, loc, choose(constant(high), constant(high / 2), zero), rest);
  rewriter.replaceOpWithNewOp<math::CopySignOp>(op, angle, x);
  return success();
}

/// LLVM's intrinsic of both takes no vectors of vectors.
static LogicalResult splitSincos(math::SincosOp op, PatternRewriter &rewriter) {
  Value x = op.getOperand();
  Value sine = math::SinOp::create(rewriter, op.getLoc(), x, op.getFastmath());
  Value cosine =
      math::CosOp::create(rewriter, op.getLoc(), x, op.getFastmath());
  rewriter.replaceOp(op, {sine, cosine});
  return success();
}

/// Whether an intrinsic of LLVM that has a flag is not made of it: upstream has
/// none for vectors of vectors.
static bool hasNoIntrinsic(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return type && type.getRank() > 1;
}

static LogicalResult expandAbsI(math::AbsIOp op, PatternRewriter &rewriter) {
  if (!hasNoIntrinsic(op))
    return failure();
  Value x = op.getOperand();
  Value zero = arith::ConstantOp::create(rewriter, op.getLoc(),
                                         rewriter.getZeroAttr(x.getType()));
  Value negated = arith::SubIOp::create(rewriter, op.getLoc(), zero, x);
  rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, x, negated);
  return success();
}

/// Of vectors of vectors as of one long vector.
template <typename Op>
static LogicalResult flatten(Op op, PatternRewriter &rewriter) {
  if (!hasNoIntrinsic(op))
    return failure();
  auto type = cast<VectorType>(op.getOperand().getType());
  auto flat = VectorType::get(type.getNumElements(), type.getElementType());
  Value x =
      vector::ShapeCastOp::create(rewriter, op.getLoc(), flat, op.getOperand());
  Value result = Op::create(rewriter, op.getLoc(), x);
  rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, op.getType(), result);
  return success();
}

namespace {
struct ApproximateMath
    : public clique::impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    constexpr unsigned beforeUpstream = 2;
    patterns.add(expandExp, beforeUpstream);
    patterns.add(expandAtan, beforeUpstream);
    patterns.add(expandSinOrCos<math::SinOp>, beforeUpstream);
    patterns.add(expandSinOrCos<math::CosOp>, beforeUpstream);
    patterns.add(splitSincos);
    patterns.add(expandAbsI);
    patterns.add(flatten<math::CountLeadingZerosOp>);
    patterns.add(flatten<math::CountTrailingZerosOp>);
    patterns.add(flatten<math::IsNaNOp>);
    patterns.add(flatten<math::IsFiniteOp>);
    patterns.add(expandClamp);
    patterns.add(expandIsInf);
    patterns.add(expandIsNormal);
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
