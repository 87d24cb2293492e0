//===- ApproximateMath.cpp - Elementary functions as polynomials ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ExpDifference.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/MathFormula.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using Predicate = MathFormula::Predicate;

//===----------------------------------------------------------------------===//
// Ops without a counterpart in LLVM and its library
//===----------------------------------------------------------------------===//

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
      createScalarOrSplatConstant(rewriter, op.getLoc(), x.getType(),
                                  APFloat::getInf(getSemantics(x))));
  return success();
}

/// The least normal number <= |x| < inf.
static LogicalResult expandIsNormal(math::IsNormalOp op,
                                    PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  const llvm::fltSemantics &semantics = getSemantics(x);
  Value size = math::AbsFOp::create(rewriter, loc, x);
  Value least = createScalarOrSplatConstant(
      rewriter, loc, x.getType(), APFloat::getSmallestNormalized(semantics));
  Value infinity = createScalarOrSplatConstant(rewriter, loc, x.getType(),
                                               APFloat::getInf(semantics));
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

/// exp(x) of f32 in 15 steps, error below 1 ulp; upstream's takes half as many
/// again and is what a softmax spends its time on.
///
///   t = x / ln 2 + c, n = t - c, c = 1.5 2^23 + 126
///                                   (n = round(x / ln 2); the last bits of t
///                                   are n + 126, the exponent of 2^(n - 1))
///   r = x - n ln 2,  |r| <= ln 2 / 2            (ln 2 in two parts)
///   exp(x) = 2 (1 + r + r^2 p(r)) 2^(n - 1)
///
/// p of degree 4 is minimax for the relative error (3e-9). Below -86.99, for
/// less than 1.7e-38, the result is 0, above 88.72 infinity; NaN stays.
///
/// A weight of a softmax is exact up to a factor, and of |x| log2(e) no more is
/// right than of the scores: r = x / ln 2 - n, and 2^r is of degree 5, minimax
/// with 2^0 = 1 (1.1e-7).
static Value writeExp(const MathFormula &f, math::ExpOp op) {
  Value x = op.getOperand();
  // Comparisons so that NaN passes.
  auto clamp = [&](Predicate beyond, Value value, float limit) {
    Value bound = f.number(limit);
    return f.select(f.compare(beyond, bound, value), bound, value);
  };
  x = clamp(Predicate::OGT, x, -87.3f);
  x = clamp(Predicate::OLT, x, 89.0f);
  constexpr int32_t mantissaBits = 23, bias = 127;
  Value shift = f.number(12582912.0f + (bias - 1));
  Value log2e = f.number(1.44269504f);
  Value t = f.fma(x, log2e, shift);
  Value n = f.subtract(t, shift);
  Value p;
  if (getDifferenceUpToFactor(op)) {
    Value r = f.fma(x, log2e, f.make<arith::NegFOp>(n));
    p = f.polynomial(r,
                     {2 * 0.00132647273f, 2 * 0.00967151299f, 2 * 0.0555073358f,
                      2 * 0.240222424f, 2 * 0.693147004f, 2});
  } else {
    Value r = f.fma(n, f.number(-0.693359375f), x);
    r = f.fma(n, f.number(2.12194440e-4f), r);
    p = f.polynomial(r, {2 * 0.001381459878757596f, 2 * 0.008368716575205326f,
                         2 * 0.04166838899254799f, 2 * 0.1666652113199234f,
                         2 * 0.4999999403953552f, 2, 2});
  }
  Value bits = f.make<arith::BitcastOp>(f.getIntegerType(), t);
  bits = f.make<arith::ShLIOp>(bits, f.integer(mantissaBits));
  return f.multiply(p, f.make<arith::BitcastOp>(x.getType(), bits));
}

//===----------------------------------------------------------------------===//
// Logarithms and roots
//===----------------------------------------------------------------------===//

/// The least normal number of f32.
static constexpr float kLeastNormal = 1.17549435e-38f;

/// log(x) of numbers below the normal ones is log(x 2^24) - log(2^24):
/// upstream's is that of the least normal one for all of them.
template <typename Op>
static void scaleLogarithm(Op op, float ofScale) {
  if (!isOfF32(op))
    return;
  Value x = op.getOperand();
  OpBuilder builder(op);
  MathFormula f(builder, op.getLoc(), x);
  Value isSmall = f.compare(Predicate::OLT, x, kLeastNormal);
  Value scaled = f.multiply(x, f.number(0x1p24f));
  op->setOperand(0, f.select(isSmall, scaled, x));
  builder.setInsertionPointAfter(op);
  Value shift = f.select(isSmall, f.number(ofScale), f.number(0));
  Value result = f.subtract(op, shift);
  op->getResult(0).replaceAllUsesExcept(result, result.getDefiningOp());
}

/// By Newton's method for y^3 = |x|, from a third of the exponent and of the
/// mantissa (3 % off; Kahan: Computing a Real Cube Root, 1991), twice to 2e-6
/// and once more. About 1 ulp; upstream's has 16, is NaN of infinity and takes
/// numbers below the normal ones for others.
static Value writeCbrt(const MathFormula &f, math::CbrtOp op) {
  Value x = op.getOperand();
  Value size = f.abs(x);
  Value isSmall = f.compare(Predicate::OLT, size, kLeastNormal);
  Value a = f.select(isSmall, f.multiply(size, f.number(0x1p24f)), size);
  Value bits = f.make<arith::BitcastOp>(f.getIntegerType(), a);
  bits = f.make<arith::DivUIOp>(bits, f.integer(3));
  bits = f.make<arith::AddIOp>(bits, f.integer(709958130));
  Value y = f.make<arith::BitcastOp>(x.getType(), bits);
  for (int step = 0; step < 3; ++step) {
    Value excess = f.subtract(y, f.divide(a, f.multiply(y, y)));
    y = f.fma(excess, f.number(-1.0f / 3), y);
  }
  y = f.select(isSmall, f.multiply(y, f.number(0x1p-8f)), y);
  // Zero, infinity and NaN are their own roots.
  Value isOrdinary = f.make<arith::AndIOp>(
      f.compare(Predicate::OGT, size, 0),
      f.compare(Predicate::OLT, size, std::numeric_limits<float>::infinity()));
  return f.copySign(f.select(isOrdinary, y, size), x);
}

//===----------------------------------------------------------------------===//
// Vectors of vectors
//===----------------------------------------------------------------------===//

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

/// 1 / x^n for x^-n: upstream's expansion is -inf of both zeros.
static LogicalResult invertWholePower(math::FPowIOp op,
                                      PatternRewriter &rewriter) {
  Value x = op.getLhs(), n = op.getRhs();
  APInt known;
  if (!matchPattern(n, m_ConstantInt(&known)) || !known.isNegative() ||
      known.isMinSignedValue())
    return failure();
  Location loc = op.getLoc();
  Value power = math::FPowIOp::create(
      rewriter, loc, x,
      createScalarOrSplatConstant(rewriter, loc, n.getType(), -known));
  Value one = createScalarOrSplatConstant(rewriter, loc, x.getType(),
                                          APFloat::getOne(getSemantics(x)));
  rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, power);
  return success();
}

/// x^n of a whole n that only runs know, or that has no -n. As a float n may
/// lose whether it is odd, which says the sign.
static LogicalResult expandWholePower(math::FPowIOp op,
                                      PatternRewriter &rewriter) {
  Value x = op.getLhs(), n = op.getRhs();
  APInt number;
  const bool isLeast =
      matchPattern(n, m_ConstantInt(&number)) && number.isMinSignedValue();
  if (Attribute known; !isLeast && matchPattern(n, m_Constant(&known)))
    return failure();
  Location loc = op.getLoc();
  Value size = math::PowFOp::create(
      rewriter, loc, math::AbsFOp::create(rewriter, loc, x),
      arith::SIToFPOp::create(rewriter, loc, x.getType(), n));
  Value zero = arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getZeroAttr(n.getType()));
  Value one = arith::ConstantOp::create(rewriter, loc,
                                        rewriter.getOneAttr(n.getType()));
  Value isOdd =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                            arith::AndIOp::create(rewriter, loc, n, one), zero);
  Value signedSize = math::CopySignOp::create(rewriter, loc, size, x);
  rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isOdd, signedSize, size);
  return success();
}

namespace {
struct ApproximateMath
    : public clique::impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    // Once for each, and not for what this makes.
    getOperation()->walk([](Operation *op) {
      if (auto log = dyn_cast<math::LogOp>(op))
        scaleLogarithm(log, 24 * llvm::numbers::ln2f);
      else if (auto log = dyn_cast<math::Log2Op>(op))
        scaleLogarithm(log, 24);
    });
    RewritePatternSet patterns(&getContext());
    constexpr unsigned beforeUpstream = 2;
    addFormula(patterns, writeExp, beforeUpstream);
    addFormula(patterns, writeCbrt, beforeUpstream);
    populateLogarithmPatterns(patterns, beforeUpstream);
    populateTrigonometryPatterns(patterns, beforeUpstream);
    patterns.add(splitSincos);
    patterns.add(expandAbsI);
    patterns.add(invertWholePower);
    patterns.add(expandWholePower);
    patterns.add(flatten<math::CountLeadingZerosOp>);
    patterns.add(flatten<math::CountTrailingZerosOp>);
    patterns.add(flatten<math::IsNaNOp>);
    patterns.add(flatten<math::IsFiniteOp>);
    patterns.add(expandClamp);
    patterns.add(expandIsInf);
    patterns.add(expandIsNormal);
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     clique::getRewriteConfig())))
      signalPassFailure();
  }
};
} // namespace
