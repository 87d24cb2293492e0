//===- FuseElementwise.cpp - Elementwise ops where they cost nothing ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
  constexpr int64_t most = 2;
  int64_t count = 0;
  for (Operation &step : op.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect>(step.getDialect()))
      return false;
    count += isa<arith::ConstantOp>(step) ? 0 : 1;
  }
  return count <= most;
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

static bool isWorthwhile(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto user = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !user || !producer->hasOneUse())
    return false;
  if (user.getNumReductionLoops() > 0)
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
