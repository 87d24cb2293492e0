//===- DecomposeScatter.cpp - Slices written into whole tensors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeScatter.h"
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Algebra/SliceRanks.h"
#include "dialect/IR/MPDialect.h"
#include "dialect/IR/MPScatter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

static bool isInRegion(Operation *op) {
  return isa_and_present<mp::MPDialect>(op->getParentOp()->getDialect());
}

/// The index, from 0 to `size` - 1.
static Value getPosition(OpBuilder &b, tensor::ScatterOp op,
                         OpFoldResult size) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value position = tensor::ExtractOp::create(b, loc, op.getIndices(), zero);
  // A truth value is 0 or 1.
  if (position.getType().isInteger(1))
    position = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), position);
  else if (!position.getType().isIndex())
    position = arith::IndexCastOp::create(b, loc, b.getIndexType(), position);
  Value count = getValueOrCreateConstantIndexOp(b, loc, size);
  Value last = arith::SubIOp::create(b, loc, count, one);
  position = arith::MinSIOp::create(b, loc, position, last);
  return arith::MaxSIOp::create(b, loc, position, zero);
}

namespace {
struct ScatterAsInsertSlice : OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    if (isInRegion(op) || !mp::isOneSlice(op))
      return rewriter.notifyMatchFailure(op, "in a region, or several slices");
    Location loc = op.getLoc();
    const int64_t rank = op.getDestType().getRank(),
                  dim = op.getScatterDims().front();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getDest());
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
        strides(rank, rewriter.getIndexAttr(1));
    offsets[dim] = getPosition(rewriter, op, sizes[dim]);
    sizes[dim] = rewriter.getIndexAttr(1);
    auto insert = tensor::InsertSliceOp::create(
        rewriter, loc, op.getSource(), op.getDest(), offsets, sizes, strides);
    rewriter.replaceOp(op, insert);
    rewriter.modifyOpInPlace(insert, [&] { keepRank(insert); });
    reportRewrite(loc, "slice at an index is one at an offset");
    return success();
  }
};
} // namespace

void clique::populateDecomposeScatterPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterAsInsertSlice>(patterns.getContext());
}

LogicalResult clique::verifyNoScatter(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (isa<tensor::GatherOp>(op)) {
      op->emitOpError("has no lowering: look up rows with mp.lookup");
      return WalkResult::interrupt();
    }
    if (isa<tensor::ScatterOp>(op) && !isInRegion(op)) {
      op->emitOpError(mp::kManySlices);
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
