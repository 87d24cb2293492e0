//===- SimplifyDeviceArith.cpp - Arithmetic as GPUs have it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace clique {
#define GEN_PASS_DEF_SIMPLIFYDEVICEARITHPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
/// exp(x) = 2^(x log2(e)): one instruction and a product. The product's
/// rounding costs exp |x| 2^-24 of relative error, which in a softmax, where x
/// <= 0, is at most 2e-8 of the largest weight.
struct ExpByExp2 : public OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "there is an instruction for f32");
    TypedAttr log2e =
        rewriter.getFloatAttr(getElementTypeOrSelf(type), 1.4426950408889634);
    if (auto shaped = dyn_cast<ShapedType>(type))
      log2e = DenseElementsAttr::get(shaped, Attribute(log2e));
    Value factor = arith::ConstantOp::create(rewriter, op.getLoc(), log2e);
    Value scaled =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getOperand(), factor);
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, scaled);
    return success();
  }
};

struct SimplifyDeviceArith
    : public clique::impl::SimplifyDeviceArithPassBase<SimplifyDeviceArith> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpByExp2>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
