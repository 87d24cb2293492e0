//===- EdgeIds.cpp - The caller's numbers of edges ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeIds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

Value EdgeIds::multiply(Value x, Value y) {
  return arith::MulIOp::create(builder, loc, x, y);
}
Value EdgeIds::add(Value x, Value y) {
  return arith::AddIOp::create(builder, loc, x, y);
}
Value EdgeIds::getEntry(int64_t number) {
  return getEntry(arith::ConstantIndexOp::create(builder, loc, number));
}

Value EdgeIds::load(Value row, Value position) {
  Value positionInList, rowInList, positionFactor, rowFactor;
  Value array = function.getArray(GraphArray::edgeIds);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(array);
    positionInList = getEntry(int64_t(0));
    rowInList = getEntry(1);
    positionFactor = getEntry(2);
    rowFactor = getEntry(3);
  }
  Value begin, ofRow;
  {
    OpBuilder::InsertionGuard guard(builder);
    // Once for the edges of a row.
    const bool isArgument = isa<BlockArgument>(row) &&
                            row.getParentBlock() == array.getParentBlock();
    builder.setInsertionPointAfterValue(isArgument ? rowFactor : row);
    Value first = arith::ConstantIndexOp::create(builder, loc, 4);
    begin = getEntry(add(first, multiply(row, rowInList)));
    ofRow = multiply(row, rowFactor);
  }
  Value listed = getEntry(add(begin, multiply(position, positionInList)));
  Value computed = add(ofRow, multiply(position, positionFactor));
  return add(listed, computed);
}
