//===- BlockOperands.cpp - What blocks of an op's result read ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/BlockOperands.h"
#include "compiler/Codegen/CleanUp.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace clique;

bool clique::takesMore(linalg::LinalgOp op) {
  bool takesMore =
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
  op->getRegion(0).walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      takesMore |= operand.getParentRegion() != &op->getRegion(0);
  });
  return takesMore;
}

bool clique::isOnElements(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || !op.hasPureTensorSemantics() ||
      op->getNumResults() != 1 || op.getNumReductionLoops() > 0 ||
      takesMore(op))
    return false;
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  return type.hasStaticShape() && type.getRank() > 1;
}

bool clique::isView(Operation *op) {
  return isa_and_present<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::EmptyOp>(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape() &&
         op->getNumOperands() <= 1;
}

bool clique::isReadBy(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(), [&](Operation *reader) {
    return reader == user ||
           (isView(reader) && isReadBy(reader->getResult(0), user));
  });
}

BlockOperands::BlockOperands(linalg::LinalgOp op) {
  for (Value operand : op->getOperands())
    find(operand, op);
}

void BlockOperands::find(Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  auto producer = dyn_cast_or_null<linalg::LinalgOp>(op);
  const bool isMade = producer
                          ? isOnElements(producer) &&
                                isOnElements(cast<linalg::LinalgOp>(user)) &&
                                isReadBy(value, user)
                          : isView(op);
  if (!isMade) {
    sources.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    find(operand, producer ? op : user);
  made.insert(op);
}

static LogicalResult computeSlice(tensor::ExtractSliceOp slice,
                                  PatternRewriter &rewriter) {
  auto producer = slice.getSource().getDefiningOp<linalg::LinalgOp>();
  if (!producer || !isOnElements(producer))
    return failure();
  FailureOr<TilingResult> tiled = tensor::replaceExtractSliceWithTiledProducer(
      rewriter, slice, cast<OpResult>(slice.getSource()));
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(slice, tiled->tiledValues);
  return success();
}

LogicalResult clique::computeSlices(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  tensor::populateBubbleUpExtractSliceOpPatterns(patterns);
  patterns.add(computeSlice);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  auto always = [](OpOperand *) { return true; };
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, always);
  linalg::populateElementwiseOpsFusionPatterns(patterns, always);
  return applyPatternsGreedily(function, std::move(patterns),
                               clique::getRewriteConfig());
}
