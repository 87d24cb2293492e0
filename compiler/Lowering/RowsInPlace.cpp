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

/// The strides of rows of the shape, in elements, that lie side by side.
static SmallVector<int64_t> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// The strides of scratch memory for rows of `buffer`; none if it has no memory
/// of one type with them.
static SmallVector<int64_t> getScratchStrides(MemRefType buffer,
                                              RowPitch pitch) {
  SmallVector<int64_t> strides = buffer.getStridesAndOffset().first;
  if (strides.size() < 2 || strides.back() != 1 ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return {};
  if (pitch == RowPitch::same)
    return strides;
  SmallVector<int64_t> dense = getDenseStrides(buffer.getShape());
  if (ArrayRef(dense).drop_front() != ArrayRef(strides).drop_front())
    return {};
  return dense;
}

std::optional<RowsInPlace> RowsInPlace::get(OpBuilder &builder, Value buffer,
                                            int64_t size, RowPitch pitch) {
  auto whole = cast<MemRefType>(buffer.getType());
  Type element = whole.getElementType();
  SmallVector<int64_t> strides = getScratchStrides(whole, pitch);
  if (strides.empty() || !element.isIntOrFloat())
    return std::nullopt;
  SmallVector<int64_t> shape(whole.getShape());
  shape.front() = size;
  // Elements from the first to the last one.
  int64_t extent = 1;
  for (auto [count, stride] : llvm::zip_equal(shape, strides))
    extent += (count - 1) * stride;
  if (extent * element.getIntOrFloatBitWidth() > tuning::inPlaceBytes * 8)
    return std::nullopt;
  Location loc = buffer.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(around);
  if (!function)
    function = around->getParentOfType<func::FuncOp>();
  builder.setInsertionPointToStart(&function.front());
  MLIRContext *context = builder.getContext();
  auto getType = [&](int64_t offset) {
    return MemRefType::get(shape, element,
                           StridedLayoutAttr::get(context, offset, strides));
  };
  Value memory = memref::AllocaOp::create(
      builder, loc, MemRefType::get({extent}, element),
      builder.getI64IntegerAttr(mp::getCpu(function).getLineBytes()));
  Value rows = memref::ReinterpretCastOp::create(
      builder, loc, getType(0), memory, /*offset=*/0, shape, strides);
  const int64_t stride = whole.getStridesAndOffset().first.front();
  if (strides.front() != stride)
    strides.front() = ShapedType::kDynamic;
  return RowsInPlace(
      memref::CastOp::create(builder, loc, getType(ShapedType::kDynamic), rows),
      stride * element.getIntOrFloatBitWidth() / 8);
}

bool RowsInPlace::isDense() const {
  int64_t bits = getType().getElementTypeBitWidth();
  return pitch * 8 == getDenseStrides(getType().getShape()).front() * bits;
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
  Value view = memref::SubViewOp::create(builder, loc, buffer, slice.offsets,
                                         slice.sizes, slice.strides);
  if (view.getType() != type)
    view = memref::CastOp::create(builder, loc, type, view);
  scf::YieldOp::create(builder, loc, view);
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
/// `isInOrder`, `isWanted`: null where they do, and where they should.
static Value emitIsInPlace(OpBuilder &builder, Location loc,
                           const RowRange &rows, Value isInOrder,
                           Value isWanted) {
  Value is = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, rows.count,
      arith::ConstantIndexOp::create(builder, loc, rows.size));
  if (isInOrder) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    is = arith::AndIOp::create(
        builder, loc, is, arith::XOrIOp::create(builder, loc, isInOrder, one));
  }
  if (isWanted)
    is = arith::AndIOp::create(builder, loc, is, isWanted);
  return is;
}

/// The memory of a node feature, or of a part of one, in memory of the caller;
/// not a copy.
static bool isMemoryOfCaller(Value tensor) {
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = part.getSource();
  return bool(tensor.getDefiningOp<bufferization::ToTensorOp>());
}

std::optional<RowsInPlace>
BlockFunction::getInputInPlace(Value input, int64_t size, RowPitch pitch) {
  Type element = getElementTypeOrSelf(input.getType());
  if (shape.threads > 0 || element != getComputeType(element) ||
      !isMemoryOfCaller(getTensor(input)))
    return std::nullopt;
  return RowsInPlace::get(builder, viewInput(input, {}), size, pitch);
}

Lifted BlockFunction::readRows(Value input, const RowRange &rows, Axis axis,
                               const RowsInPlace &place, int64_t step,
                               Value isWanted) {
  Location loc = getLoc();
  Value scratch = place.getScratch();
  Value memory = place.select(
      builder, loc, viewInput(input, {}),
      emitIsInPlace(builder, loc, rows, isInOrder, isWanted), rows.first, [&] {
        Value into = toTensor(builder, loc, scratch, /*writable=*/true);
        Value some = takeRows(getTensor(input), rows.first, rows.count, into);
        some = zeroRest(some, rows.size, rows.count, step);
        store(builder, loc, some, scratch);
      });
  return {toTensor(builder, loc, memory, /*writable=*/false),
          getRowMajorLayout(axis, place.getType().getRank() - 1)};
}
