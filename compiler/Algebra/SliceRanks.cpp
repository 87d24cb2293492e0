//===- SliceRanks.cpp - Slices without some of their dimensions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/SliceRanks.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace clique;

/// Whether sizes may be folded, and of one that is 1 the dimension taken for
/// one that is left out, so that the others stand in another order.
static bool isAmbiguous(OffsetSizeAndStrideOpInterface op,
                        const llvm::SmallBitVector &dropped) {
  if (op->getNumOperands() == op.getOffsetSizeAndStrideStartOperandIndex())
    return false;
  // One that stays and may have size 1, and behind it one that may have
  // another.
  bool mayBeOne = false, isBetween = false;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped[dim]) {
      if (isBetween)
        return true;
      continue;
    }
    const std::optional<int64_t> known = getConstantIntValue(size);
    isBetween |= mayBeOne && known != 1;
    mayBeOne |= known.value_or(1) == 1;
  }
  return false;
}

/// The dimensions that each one that stays has with it.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  bool isNew = true;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (isNew)
      groups.emplace_back();
    groups.back().push_back(dim);
    // Dimensions left out in front go with the first that stays.
    isNew = dim + 1 < dropped.size() && !dropped[dim + 1] &&
            llvm::any_of(groups.back(), [&](int64_t k) { return !dropped[k]; });
  }
  return groups;
}

void clique::keepRank(tensor::ExtractSliceOp op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  if (!isAmbiguous(op, dropped))
    return;
  OpBuilder builder(op);
  Value whole = tensor::ExtractSliceOp::create(
      builder, op.getLoc(), op.getSource(), op.getMixedOffsets(),
      op.getMixedSizes(), op.getMixedStrides());
  Value slice = tensor::CollapseShapeOp::create(
      builder, op.getLoc(), op.getType(), whole, getGroups(dropped));
  op.replaceAllUsesWith(slice);
  op.erase();
}

void clique::keepRank(tensor::InsertSliceOp op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  if (!isAmbiguous(op, dropped))
    return;
  OpBuilder builder(op);
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> extents;
  unsigned stays = 0;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (dropped[dim]) {
      shape.push_back(1);
      extents.push_back(builder.getIndexAttr(1));
      continue;
    }
    shape.push_back(op.getSourceType().getDimSize(stays));
    extents.push_back(
        tensor::getMixedSize(builder, op.getLoc(), op.getSource(), stays));
    ++stays;
  }
  Value whole = tensor::ExpandShapeOp::create(
      builder, op.getLoc(), op.getSourceType().clone(shape), op.getSource(),
      getGroups(dropped), extents);
  op.getSourceMutable().assign(whole);
}
