//===- StageRows.cpp - What a block reads of nodes and edges --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/RowLines.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

Value clique::sliceRows(OpBuilder &b, Location loc, Value tensor, Value from,
                        OpFoldResult count) {
  RowSlice slice(b, cast<ShapedType>(tensor.getType()), from, count);
  return tensor::ExtractSliceOp::create(b, loc, tensor, slice.offsets,
                                        slice.sizes, slice.strides);
}

Value BlockFunction::zeroRest(Value tensor, int64_t size, Value count,
                              int64_t step) {
  Location loc = getLoc();
  // Mostly there is no rest.
  Value end = arith::ConstantIndexOp::create(builder, loc, size);
  if (step > 0) {
    Value unit = arith::ConstantIndexOp::create(builder, loc, step);
    end = arith::CeilDivUIOp::create(builder, loc, count, unit);
    end = arith::MulIOp::create(builder, loc, end, unit);
  }
  return zeroRows(builder, loc, tensor, count, end);
}

Layout clique::getRowMajorLayout(Axis axis, unsigned featureRank) {
  Layout layout = {axis};
  for (unsigned dim = 0; dim < featureRank; ++dim)
    layout.push_back(dim);
  return layout;
}

Lifted BlockFunction::stageRows(Lifter &lifter, Value input, Axis axis,
                                Value from, Value count, int64_t step) {
  Location loc = getLoc();
  Value tensor = getTensor(input);
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> feature = type.getShape().drop_front();
  Lifted staged = lifter.empty(loc, feature, type.getElementType(),
                               getRowMajorLayout(axis, feature.size()));
  staged.tensor = takeRows(tensor, from, count, staged.tensor);
  staged.tensor = zeroRest(staged.tensor, lifter.getSize(axis), count, step);
  return lifter.toCompute(loc, staged);
}

Lifted BlockFunction::stageEntries(Lifter &lifter, GraphArray array, Value from,
                                   Value count, int64_t step) {
  Location loc = getLoc();
  Value buffer = getArray(array);
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
      buffer, /*restrict=*/true);
  Lifted staged = lifter.empty(loc, {}, builder.getI64Type(), {kDstAxis});
  RowSlice first(builder, staged.getType(), builder.getIndexAttr(0), count);
  staged.tensor = tensor::InsertSliceOp::create(
      builder, loc, sliceRows(builder, loc, tensor, from, count), staged.tensor,
      first.offsets, first.sizes, first.strides);
  staged.tensor =
      zeroRest(staged.tensor, lifter.getSize(kDstAxis), count, step);
  return staged;
}

Lifted BlockFunction::emitDegrees(Lifter &lifter, Value from, Value count) {
  Location loc = getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value past = arith::AddIOp::create(builder, loc, from, one);
  Lifted begin = stageEntries(lifter, GraphArray::indptr, from, count);
  Lifted end = stageEntries(lifter, GraphArray::indptr, past, count);
  return lifter.elementwise(
      loc, {}, builder.getI64Type(), {begin, end},
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return arith::SubIOp::create(b, loc, args[1], args[0]);
      });
}

Lifted BlockFunction::stageRow(Lifter &lifter, Value input, Value row) {
  Location loc = getLoc();
  Value tensor = getTensor(input);
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> feature = type.getShape().drop_front();
  RowSlice one(builder, type, row, builder.getIndexAttr(1));
  auto rowType = RankedTensorType::get(feature, type.getElementType());
  Value slice = tensor::ExtractSliceOp::create(
      builder, loc, rowType, tensor, one.offsets, one.sizes, one.strides);
  return lifter.toCompute(
      loc, {slice, getCanonicalLayout(feature.size(), false, false)});
}

/// What `value`, an index, is for `other` in place of `head`.
static Value replaceHead(OpBuilder &b, Value value, Value head, Value other) {
  if (value == head)
    return other;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, replaceHead(b, operand, head, other));
  return b.clone(*op, mapping)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

Value BlockFunction::viewInput(Value input, Value ofHead) {
  Value tensor = getTensor(input);
  if (auto copy = tensor.getDefiningOp<linalg::CopyOp>())
    tensor = copy.getInputs().front();
  auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  if (part)
    tensor = part.getSource();
  auto whole = tensor.getDefiningOp<bufferization::ToTensorOp>();
  Value buffer = whole ? whole.getBuffer() : Value();
  if (!buffer)
    buffer = bufferization::ToBufferOp::create(builder, getLoc(),
                                               getBufferType(tensor.getType()),
                                               tensor, /*read_only=*/true);
  if (!part)
    return buffer;
  SmallVector<OpFoldResult> offsets = part.getMixedOffsets();
  for (OpFoldResult &offset : offsets)
    if (auto index = dyn_cast<Value>(offset); index && ofHead)
      offset = replaceHead(builder, index, block.getHead(), ofHead);
  SmallVector<OpFoldResult> sizes = part.getMixedSizes();
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      part.getType().getShape(), cast<MemRefType>(buffer.getType()), offsets,
      sizes, part.getMixedStrides()));
  return memref::SubViewOp::create(builder, getLoc(), type, buffer, offsets,
                                   sizes, part.getMixedStrides());
}

void BlockFunction::prefetchRow(Value buffer, Value row) {
  auto type = cast<MemRefType>(buffer.getType());
  mp::CpuAttr cpu = mp::getCpu(info.kernel);
  const unsigned level = shape.inOrder
                             ? tuning::mixedPrefetchLevel
                             : tuning::prefetchLevels[unsigned(cpu.getRates())];
  for (int64_t element : getLineElements(
           type, cpu.getLineBytes(), 0,
           ShapedType::getNumElements(type.getShape().drop_front())))
    prefetchElement(builder, getLoc(), buffer, row, element, level);
}

void BlockFunction::prefetchRow(ValueRange inputs, Value row, Value ofHead) {
  Value node = getNode(row);
  for (Value input : inputs)
    prefetchRow(viewInput(input, ofHead), node);
}

scf::ForOp BlockFunction::prefetchRows(ValueRange inputs, Value begin,
                                       Value end, Value ofHead) {
  Value one = arith::ConstantIndexOp::create(builder, getLoc(), 1);
  auto rows = scf::ForOp::create(builder, getLoc(), begin, end, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rows.getBody());
  prefetchRow(inputs, rows.getInductionVar(), ofHead);
  return rows;
}
