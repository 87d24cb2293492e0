//===- StoreRows.cpp - Rows of block functions to memory ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How block functions write their results, and read what was written so far.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// Rounds to the type in which `output` is stored.
static Value toStorage(Lifter &lifter, Location loc, const Lifted &value,
                       Type storage) {
  if (value.getType().getElementType() == storage)
    return value.tensor;
  Lifted init =
      lifter.empty(loc, Lifter::getFeatureShape(value), storage, value.layout);
  return lifter
      .generic(loc, value, init,
               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 if (isa<FloatType>(storage))
                   return arith::TruncFOp::create(b, loc, storage, args[0]);
                 return arith::TruncIOp::create(b, loc, storage, args[0]);
               })
      .tensor;
}

/// The part of `buffer` that holds `count` rows from `row` on; `dropRows`: as a
/// feature without the row dimension.
static Value viewRows(OpBuilder &b, Location loc, Value buffer, Value row,
                      OpFoldResult count, bool dropRows) {
  auto type = cast<MemRefType>(buffer.getType());
  RowSlice slice(b, type, row, count);
  if (!dropRows)
    return memref::SubViewOp::create(b, loc, buffer, slice.offsets, slice.sizes,
                                     slice.strides);
  auto reduced = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(), type, slice.offsets, slice.sizes,
      slice.strides));
  return memref::SubViewOp::create(b, loc, reduced, buffer, slice.offsets,
                                   slice.sizes, slice.strides);
}

static void store(OpBuilder &b, Location loc, Value tensor, Value buffer) {
  auto op = bufferization::MaterializeInDestinationOp::create(b, loc, Type(),
                                                              tensor, buffer);
  op.setWritable(true);
}

void BlockFunction::storeRow(Lifter &lifter, Value result, Value row,
                             const Lifted &value) {
  Location loc = getLoc();
  Value output = getOutput(result);
  Value tensor = toStorage(lifter, loc, value,
                           cast<MemRefType>(output.getType()).getElementType());
  storeRow(tensor, output, row);
}

void BlockFunction::storeRow(Value tensor, Value memref, Value row) {
  store(
      builder, getLoc(), tensor,
      viewRows(builder, getLoc(), memref, row, builder.getIndexAttr(1), true));
}

Value BlockFunction::loadRow(Value memref, Value row) {
  Value view =
      viewRows(builder, getLoc(), memref, row, builder.getIndexAttr(1), true);
  return bufferization::ToTensorOp::create(
      builder, getLoc(), memref::getTensorTypeFromMemRefType(view.getType()),
      view, /*restrict=*/true);
}

Value BlockFunction::loadRows(Value result, Value from, Value count,
                              RankedTensorType type) {
  Location loc = getLoc();
  Value view = viewRows(builder, loc, getOutput(result), from, count, false);
  Value rows = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(view.getType()), view,
      /*restrict=*/true);
  Value empty = tensor::EmptyOp::create(builder, loc, type, ValueRange());
  RowSlice slice(builder, type, builder.getIndexAttr(0), count);
  return tensor::InsertSliceOp::create(builder, loc, rows, empty, slice.offsets,
                                       slice.sizes, slice.strides);
}

void BlockFunction::storeFirstRows(Value tensor, Value output, Value from,
                                   Value count) {
  Location loc = getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value rows = sliceRows(builder, loc, tensor, zero, count);
  store(builder, loc, rows, viewRows(builder, loc, output, from, count, false));
}

void BlockFunction::storeRows(Value result, Value from, Value count,
                              Value rows) {
  storeFirstRows(rows, getOutput(result), from, count);
}

void BlockFunction::storeRows(Lifter &lifter, const RowRange &range,
                              Value output, const Lifted &value) {
  Value tensor = toStorage(lifter, getLoc(), value,
                           cast<MemRefType>(output.getType()).getElementType());
  placeRows(tensor, output, range.first, range.count);
}
