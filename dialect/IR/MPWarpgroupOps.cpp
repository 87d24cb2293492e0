//===- MPWarpgroupOps.cpp - Constraints of products of warpgroups ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;

LogicalResult WarpgroupProductOp::verify() {
  // C1
  MemRefType right = getRight().getType();
  Type element = right.getElementType();
  auto fragment = VectorType::get({4, 2}, element);
  if (getLeft().empty())
    return emitOpError("has no left operand: give a fragment for every 16 of "
                       "what is summed");
  for (Type type : getLeft().getTypes())
    if (type != fragment)
      return emitOpError("has a fragment ")
             << type << " of its left operand, expected " << fragment;
  // C2
  int64_t depth = getDepth(), columns = getColumns();
  if (!canHaveColumns(columns))
    return emitOpError("has ")
           << columns << " columns, expected a multiple of 8 from 16 to 256";
  SmallVector<int64_t> shape = {depth, columns};
  if (getTransposed())
    std::swap(shape.front(), shape.back());
  if (right.getShape() != ArrayRef(shape))
    return emitOpError("has a right operand ")
           << right << ", expected " << shape.front() << "x" << shape.back()
           << ": depth " << depth << ", columns " << columns;
  if (getSums() && getSums().getType() != getType())
    return emitOpError("adds to ")
           << getSums().getType() << ", expected " << getType();
  // C3
  if (getPanelWidth() == 0)
    return emitOpError("has a right operand with rows of ")
           << shape.back() << " elements, expected 16, 32 or a multiple of 64";
  return success();
}

int64_t WarpgroupProductOp::getPanelWidth(int64_t size) {
  // Those of the instruction's swizzles: 128, 64 and 32 bytes.
  constexpr int64_t widest = 64, narrowest = 16;
  if (size % widest == 0)
    return widest;
  return size == widest / 2 || size == narrowest ? size : 0;
}
