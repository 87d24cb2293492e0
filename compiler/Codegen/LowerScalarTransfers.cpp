//===- LowerScalarTransfers.cpp - Transfers of one number -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_LOWERSCALARTRANSFERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static bool isOfOneNumber(VectorTransferOpInterface op) {
  return op.getVectorType().getRank() == 0 && !op.getMask() &&
         isa<MemRefType>(op.getShapedType());
}

static LogicalResult loadNumber(vector::TransferReadOp op,
                                PatternRewriter &rewriter) {
  if (!isOfOneNumber(op))
    return rewriter.notifyMatchFailure(op, "reads more than a number");
  Value number = memref::LoadOp::create(rewriter, op.getLoc(), op.getBase(),
                                        op.getIndices());
  rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, op.getVectorType(),
                                                   number);
  return success();
}

static LogicalResult storeNumber(vector::TransferWriteOp op,
                                 PatternRewriter &rewriter) {
  if (!isOfOneNumber(op))
    return rewriter.notifyMatchFailure(op, "writes more than a number");
  Value number =
      vector::ExtractOp::create(rewriter, op.getLoc(), op.getVector());
  rewriter.replaceOpWithNewOp<memref::StoreOp>(op, number, op.getBase(),
                                               op.getIndices());
  return success();
}

namespace {
struct LowerScalarTransfers
    : public clique::impl::LowerScalarTransfersPassBase<LowerScalarTransfers> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(loadNumber);
    patterns.add(storeNumber);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
