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

namespace {
struct ApproximateMath
    : public clique::impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(expandClamp);
    patterns.add(expandIsInf);
    patterns.add(expandIsNormal);
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
