//===- LowerTransposes.cpp - Transpositions as shuffles of rows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_LOWERTRANSPOSESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// A matrix each of whose rows is one element: of a vector that was broadcast
/// to columns.
static LogicalResult broadcastElements(vector::TransposeOp op,
                                       PatternRewriter &rewriter) {
  auto broadcast = op.getVector().getDefiningOp<vector::BroadcastOp>();
  VectorType type = op.getResultVectorType();
  if (!broadcast || type.getRank() != 2 || op.getPermutation().front() != 1 ||
      broadcast.getSourceType() !=
          VectorType::get(type.getDimSize(0), type.getElementType()))
    return rewriter.notifyMatchFailure(op, "not a vector along columns");
  Location loc = op.getLoc();
  auto rowType = VectorType::get(type.getDimSize(1), type.getElementType());
  Value result = ub::PoisonOp::create(rewriter, loc, type);
  for (int64_t row = 0; row < type.getDimSize(0); ++row) {
    Value element =
        vector::ExtractOp::create(rewriter, loc, broadcast.getSource(), row);
    Value elements =
        vector::BroadcastOp::create(rewriter, loc, rowType, element);
    result = vector::InsertOp::create(rewriter, loc, elements, result, row);
  }
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct LowerTransposes
    : public clique::impl::LowerTransposesPassBase<LowerTransposes> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(broadcastElements, /*benefit=*/2);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::Shuffle16x16);
    // The conversion to LLVM takes what would be left.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns),
                                clique::getRewriteConfig());
  }
};
} // namespace
