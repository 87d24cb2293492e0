//===- EdgeIds.cpp - The caller's numbers of edges ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeIds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

EdgeIds::EdgeIds(BlockFunction &function)
    : function(function), builder(function.getBuilder()),
      loc(function.getLoc()) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(function.getArray(GraphArray::edgeIds));
  auto loadFactor = [&](int64_t number) {
    return function.load(GraphArray::edgeIds,
                         arith::ConstantIndexOp::create(builder, loc, number));
  };
  positionInList = loadFactor(0);
  sourceInList = loadFactor(1);
  positionFactor = loadFactor(2);
  rowFactor = loadFactor(3);
}

Value EdgeIds::multiply(Value x, Value y) {
  return arith::MulIOp::create(builder, loc, x, y);
}
Value EdgeIds::add(Value x, Value y) {
  return arith::AddIOp::create(builder, loc, x, y);
}

Value EdgeIds::load(Value row, Value position, Value source) {
  Value numFactors = arith::ConstantIndexOp::create(builder, loc, 4);
  Value place =
      add(multiply(position, positionInList), multiply(source, sourceInList));
  Value entry = function.load(GraphArray::edgeIds, add(place, numFactors));
  Value ofEnds =
      add(multiply(position, positionFactor), multiply(row, rowFactor));
  return add(entry, ofEnds);
}

Value EdgeIds::loadWithSource(Value row, Value position, Value standsAt) {
  // The first one, which is in the cache, if it does not count.
  Value source =
      function.load(GraphArray::sources, multiply(standsAt, sourceInList));
  return load(row, position, source);
}
