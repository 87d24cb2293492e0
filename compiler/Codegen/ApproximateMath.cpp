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

namespace {
struct ApproximateMath
    : public clique::impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    constexpr unsigned beforeUpstream = 2;
    patterns.add(expandExp, beforeUpstream);
    patterns.add(expandClamp);
    patterns.add(expandIsInf);
    patterns.add(expandIsNormal);
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
