//===- PanelPacking.cpp - Weights side by side ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/PanelPacking.h"
#include "compiler/Analysis/Tuning.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace clique;

/// Whether the panels of a tensor are worth a copy: they are far from
/// contiguous, and it does not stay in a first-level cache.
static bool isLarge(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  if (ShapedType::isDynamic(columns))
    return false;
  // Of a sum over nodes the number of rows is known when it runs.
  if (ShapedType::isDynamic(rows))
    rows = clique::tuning::productTerms;
  return rows * columns >= clique::tuning::largeWeights;
}

/// A copy of `slice`, which is contiguous if it has its largest size; null if
/// that is not known.
static linalg::LinalgOp emitCopy(OpBuilder &builder,
                                 tensor::ExtractSliceOp slice) {
  SmallVector<int64_t> bounds;
  for (unsigned dim = 0; dim < 2; ++dim) {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, {slice.getResult(), dim},
        /*stopCondition=*/nullptr, /*closedUB=*/true);
    if (failed(bound))
      return {};
    bounds.push_back(*bound);
  }
  Location loc = slice.getLoc();
  Value packed = tensor::EmptyOp::create(builder, loc, bounds,
                                         slice.getType().getElementType());
  if (packed.getType() != slice.getType()) {
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0)),
        strides(2, builder.getIndexAttr(1));
    packed =
        tensor::ExtractSliceOp::create(builder, loc, slice.getType(), packed,
                                       offsets, slice.getMixedSizes(), strides);
  }
  return linalg::CopyOp::create(builder, loc, slice.getResult(), packed);
}

linalg::LinalgOp clique::packRows(OpBuilder &builder, linalg::LinalgOp op,
                                  unsigned vectorLoop,
                                  std::optional<unsigned> rowLoop) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto slice = input->get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!rowLoop || !slice || slice.getType().getRank() != 2 ||
        !map.isProjectedPermutation() || map.getNumResults() != 2 ||
        map.getDimPosition(1) != *rowLoop || map.isFunctionOfDim(vectorLoop))
      continue;
    Value whole = slice;
    while (auto part = whole.getDefiningOp<tensor::ExtractSliceOp>())
      whole = part.getSource();
    auto type = cast<RankedTensorType>(whole.getType());
    if (type.getRank() != 2 ||
        type.getDimSize(1) == slice.getType().getDimSize(1) || !isLarge(whole))
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    linalg::LinalgOp copy = emitCopy(builder, slice);
    if (copy)
      input->set(copy->getResult(0));
    return copy;
  }
  return {};
}

PanelPacking::PanelPacking(linalg::LinalgOp op, unsigned vectorLoop,
                           std::optional<unsigned> rowLoop,
                           ArrayRef<int64_t> tiles)
    : vectorLoop(vectorLoop), rowLoop(rowLoop) {
  if (!rowLoop || op.getStaticLoopRanges()[*rowLoop] <
                      tiles[*rowLoop] * clique::tuning::packedTiles)
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() == 2 && map.isProjectedPermutation() &&
        map.getDimPosition(1) == vectorLoop && !map.isFunctionOfDim(*rowLoop) &&
        isLarge(input->get()))
      operand = input->getOperandNumber();
  }
}

linalg::LinalgOp
PanelPacking::emit(OpBuilder &builder, linalg::LinalgOp step,
                   const DenseMap<unsigned, scf::ForOp> &loops) const {
  scf::ForOp rows = rowLoop ? loops.lookup(*rowLoop) : scf::ForOp();
  if (!operand || !rows || !loops.lookup(vectorLoop))
    return {};
  OpOperand &use = step->getOpOperand(*operand);
  auto panel = use.get().getDefiningOp<tensor::ExtractSliceOp>();
  auto isOutside = [&](OpFoldResult value) {
    auto known = dyn_cast<Value>(value);
    return !known || rows.isDefinedOutsideOfLoop(known);
  };
  if (!panel || !isOutside(panel.getSource()) ||
      !llvm::all_of(panel.getMixedOffsets(), isOutside))
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(rows);
  // Only the columns are tiled: what is dynamic is as it was.
  SmallVector<OpFoldResult> sizes = panel.getMixedSizes();
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (isa<Value>(size))
      size =
          tensor::getMixedSize(builder, step.getLoc(), panel.getSource(), dim);
  auto outside = tensor::ExtractSliceOp::create(
      builder, step.getLoc(), panel.getType(), panel.getSource(),
      panel.getMixedOffsets(), sizes, panel.getMixedStrides());
  linalg::LinalgOp copy = emitCopy(builder, outside);
  if (copy)
    use.set(copy->getResult(0));
  return copy;
}
