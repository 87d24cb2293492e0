//===- RowsInPlace.cpp - Rows of nodes in memory of the caller ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/RowsInPlace.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The type of `size` rows of `buffer`; null if its strides are not known.
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

std::optional<RowsInPlace> RowsInPlace::get(OpBuilder &builder, Value buffer,
                                            int64_t size) {
  auto whole = cast<MemRefType>(buffer.getType());
  Type element = whole.getElementType();
  MemRefType type = getRowsType(whole, size);
  if (!type || whole.getRank() < 2 || !element.isIntOrFloat() ||
      getExtent(type) * element.getIntOrFloatBitWidth() >
          tuning::inPlaceBytes * 8)
    return std::nullopt;
  Location loc = buffer.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(around);
  if (!function)
    function = around->getParentOfType<func::FuncOp>();
  builder.setInsertionPointToStart(&function.front());
  Value memory = memref::AllocaOp::create(
      builder, loc, MemRefType::get({getExtent(type)}, element),
      builder.getI64IntegerAttr(mp::getCpu(function).getLineBytes()));
  auto strides = type.getStridesAndOffset().first;
  auto layout = StridedLayoutAttr::get(type.getContext(), 0, strides);
  Value rows = memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(type.getShape(), element, layout), memory,
      /*offset=*/0, type.getShape(), strides);
  return RowsInPlace(memref::CastOp::create(builder, loc, type, rows));
}

Value RowsInPlace::select(OpBuilder &builder, Location loc, Value buffer,
                          Value isInPlace, Value from,
                          function_ref<void()> fill) const {
  MemRefType type = getType();
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), isInPlace,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  RowSlice slice(builder, type, from, builder.getIndexAttr(getSize()));
  scf::YieldOp::create(builder, loc,
                       memref::SubViewOp::create(builder, loc, type, buffer,
                                                 slice.offsets, slice.sizes,
                                                 slice.strides)
                           .getResult());
  builder.setInsertionPointToStart(branch.elseBlock());
  fill();
  scf::YieldOp::create(builder, loc, scratch);
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static Value toTensor(OpBuilder &b, Location loc, Value buffer, bool writable) {
  return bufferization::ToTensorOp::create(
      b, loc, memref::getTensorTypeFromMemRefType(buffer.getType()), buffer,
      /*restrict=*/true, writable);
}

static void store(OpBuilder &b, Location loc, Value tensor, Value buffer) {
  auto op = bufferization::MaterializeInDestinationOp::create(b, loc, Type(),
                                                              tensor, buffer);
  op.setRestrict(true);
  op.setWritable(true);
}

/// Whether rows are as many as they may be and lie as they are numbered;
/// `isInOrder`: null where they do.
static Value emitIsInPlace(OpBuilder &builder, Location loc,
                           const RowRange &rows, Value isInOrder) {
  Value isFull = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, rows.count,
      arith::ConstantIndexOp::create(builder, loc, rows.size));
  if (!isInOrder)
    return isFull;
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::AndIOp::create(
      builder, loc, isFull,
      arith::XOrIOp::create(builder, loc, isInOrder, one));
}

/// The memory of a node feature, or of a part of one, in memory of the caller;
/// not a copy.
static bool isMemoryOfCaller(Value tensor) {
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = part.getSource();
  return bool(tensor.getDefiningOp<bufferization::ToTensorOp>());
}

std::optional<RowsInPlace> BlockFunction::getInputInPlace(Value input,
                                                          int64_t size) {
  Type element = getElementTypeOrSelf(input.getType());
  if (shape.threads > 0 || element != getComputeType(element) ||
      !isMemoryOfCaller(getTensor(input)))
    return std::nullopt;
  return RowsInPlace::get(builder, viewInput(input, {}), size);
}

Lifted BlockFunction::readRows(Value input, const RowRange &rows,
                               const RowsInPlace &place) {
  Location loc = getLoc();
  Value scratch = place.getScratch();
  Value memory = place.select(
      builder, loc, viewInput(input, {}),
      emitIsInPlace(builder, loc, rows, isInOrder), rows.first, [&] {
        Value into = toTensor(builder, loc, scratch, /*writable=*/true);
        Value some = takeRows(getTensor(input), rows.first, rows.count, into);
        Value end = arith::ConstantIndexOp::create(builder, loc, rows.size);
        some = zeroRows(builder, loc, some, rows.count, end);
        store(builder, loc, some, scratch);
      });
  return {toTensor(builder, loc, memory, /*writable=*/false),
          getCanonicalLayout(place.getType().getRank() - 1, true, false)};
}
