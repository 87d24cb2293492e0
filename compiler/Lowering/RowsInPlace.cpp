//===- RowsInPlace.cpp - Rows of nodes that are read where they lie -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register block reads its rows of a node feature in the feature's memory: a
// copy would take as long as the rows of a small product. Where rows cannot be
// read there (the last ones, fewer than a register block has, and those of
// nodes that stand in another order) they are copied to scratch memory, which
// has the same strides, so that there is one type of both.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/NodeSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

/// The memory of a node feature, or of a part of one, in memory of the caller;
/// null if it is a copy.
static bool isMemoryOfCaller(Value tensor) {
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = part.getSource();
  return bool(tensor.getDefiningOp<bufferization::ToTensorOp>());
}

/// The type of `size` rows of `buffer`; null if strides are not known.
static MemRefType getRowsType(MemRefType buffer, int64_t size) {
  auto [strides, offset] = buffer.getStridesAndOffset();
  if (llvm::any_of(strides, ShapedType::isDynamic) || strides.back() != 1)
    return {};
  SmallVector<int64_t> shape(buffer.getShape());
  shape.front() = size;
  return MemRefType::get(shape, buffer.getElementType(),
                         StridedLayoutAttr::get(buffer.getContext(),
                                                ShapedType::kDynamic, strides));
}

/// Elements from the first to the last one.
static int64_t getExtent(MemRefType type) {
  int64_t extent = 1;
  for (auto [size, stride] :
       llvm::zip_equal(type.getShape(), type.getStridesAndOffset().first))
    extent += (size - 1) * stride;
  return extent;
}

Value BlockFunction::allocateRows(Value input, int64_t size) {
  auto feature = cast<RankedTensorType>(input.getType());
  Type element = feature.getElementType();
  if (shape.threads > 0 || feature.getRank() < 2 ||
      element != getComputeType(element) || !isMemoryOfCaller(getTensor(input)))
    return {};
  MemRefType type =
      getRowsType(cast<MemRefType>(viewInput(input, {}).getType()), size);
  if (!type)
    return {};
  const int64_t extent = getExtent(type);
  if (extent * element.getIntOrFloatBitWidth() > tuning::inPlaceBytes * 8)
    return {};
  Location loc = getLoc();
  Value memory = memref::AllocaOp::create(builder, loc,
                                          MemRefType::get({extent}, element));
  auto strides = type.getStridesAndOffset().first;
  auto layout = StridedLayoutAttr::get(type.getContext(), 0, strides);
  Value rows = memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(type.getShape(), element, layout), memory,
      /*offset=*/0, type.getShape(), strides);
  return memref::CastOp::create(builder, loc, type, rows);
}

static Value toTensor(OpBuilder &b, Location loc, Value buffer, bool writable) {
  return bufferization::ToTensorOp::create(
      b, loc, memref::getTensorTypeFromMemRefType(buffer.getType()), buffer,
      /*restrict=*/true, writable);
}

/// The first `count` rows are those of `tensor` from `from` on, the others 0.
void BlockFunction::copyRows(Value tensor, Value from, Value count,
                             Value scratch) {
  Location loc = getLoc();
  Value into = toTensor(builder, loc, scratch, /*writable=*/true);
  Value rows = takeRows(tensor, from, count, into);
  Value end = arith::ConstantIndexOp::create(
      builder, loc, cast<MemRefType>(scratch.getType()).getDimSize(0));
  rows = zeroRows(builder, loc, rows, count, end);
  auto store = bufferization::MaterializeInDestinationOp::create(
      builder, loc, Type(), rows, scratch);
  store.setWritable(true);
}

Lifted BlockFunction::readRows(Value input, Axis axis, Value from, Value count,
                               Value scratch) {
  Location loc = getLoc();
  auto type = cast<MemRefType>(scratch.getType());
  Value size = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(0));
  Value isInPlace = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, count, size);
  if (isInOrder) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    isInPlace = arith::AndIOp::create(
        builder, loc, isInPlace,
        arith::XOrIOp::create(builder, loc, isInOrder, one));
  }
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), isInPlace,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    RowSlice slice(builder, type, from,
                   builder.getIndexAttr(type.getDimSize(0)));
    Value view =
        memref::SubViewOp::create(builder, loc, type, viewInput(input, {}),
                                  slice.offsets, slice.sizes, slice.strides);
    scf::YieldOp::create(builder, loc, view);
    builder.setInsertionPointToStart(branch.elseBlock());
    copyRows(getTensor(input), from, count, scratch);
    scf::YieldOp::create(builder, loc, scratch);
  }
  Layout rowMajor = {axis};
  for (int64_t k = 1; k < type.getRank(); ++k)
    rowMajor.push_back(k - 1);
  return {toTensor(builder, loc, branch.getResult(0), /*writable=*/false),
          rowMajor};
}
