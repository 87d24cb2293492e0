//===- FuseElementwise.cpp - Elementwise ops where they cost nothing ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Arithmetic so little that doing it again is cheaper than a buffer.
static bool isCheap(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &step : op.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect>(step.getDialect()))
      return false;
    count += isa<arith::ConstantOp>(step) ? 0 : 1;
  }
  return count <= clique::tuning::cheapOps;
}

/// Whether the user visits each element of the operand once.
static bool visitsOnce(OpOperand &operand) {
  auto user = cast<linalg::LinalgOp>(operand.getOwner());
  AffineMap map = user.getMatchingIndexingMap(&operand);
  for (auto [loop, size] : llvm::enumerate(user.getStaticLoopRanges()))
    if (size != 1 && !map.isFunctionOfDim(loop))
      return false;
  return true;
}

/// A factor, or a factor that is repeated for a product, whose sum is taken:
/// together they are a product of matrices, which has registers for its
/// factors, but not for what they are made from.
static bool becomesFactor(linalg::LinalgOp op) {
  bool isMultiplied = false;
  while (op && op.getNumReductionLoops() == 0) {
    Operation &step = op.getBlock()->front();
    bool isProduct = isa<arith::MulFOp>(step) &&
                     step.getNextNode() == op.getBlock()->getTerminator();
    isMultiplied |= isProduct;
    if (!op->hasOneUse() || (!isProduct && !isa<linalg::YieldOp>(step)))
      return false;
    op = dyn_cast<linalg::LinalgOp>(*op->getUsers().begin());
  }
  return op && (isMultiplied || isa<arith::MulFOp>(op.getBlock()->front()));
}

static bool isWorthwhile(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto user = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !user || !producer->hasOneUse())
    return false;
  if (user.getNumReductionLoops() > 0 || becomesFactor(user))
    return visitsOnce(*operand);
  return visitsOnce(*operand) || isCheap(producer);
}

namespace {
struct FuseElementwise
    : public clique::impl::FuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, isWorthwhile);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
