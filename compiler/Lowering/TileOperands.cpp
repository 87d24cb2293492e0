//===- TileOperands.cpp - What a dense tile is made of --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileOperands.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

Value TileOperands::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value TileOperands::compare(arith::CmpIPredicate predicate, Value lhs,
                            Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

Lifted TileOperands::stageInterval(Lifter &lifter, GraphArray array) {
  Value buffer = function.getArray(array);
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
      buffer, /*restrict=*/true);
  Lifted staged = lifter.fill(loc, {}, builder.getI64Type(), {kDstAxis}, 0.0);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult from = function.getFirst(), count = function.getNumRows();
  Value rows = tensor::ExtractSliceOp::create(
      builder, loc, tensor, ArrayRef<OpFoldResult>{from},
      ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{one});
  staged.tensor = tensor::InsertSliceOp::create(
      builder, loc, rows, staged.tensor, ArrayRef<OpFoldResult>{zero},
      ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{one});
  return staged;
}

LogicalResult TileOperands::stageBlock() {
  Lifter lifter(builder, function.getShape().rows, 0, function.getFirst(), {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  block.first = function.getFirst();
  block.count = function.getNumRows();
  block.rowBegin = stageInterval(lifter, GraphArray::rowBegin);
  block.rowEnd = stageInterval(lifter, GraphArray::rowEnd);
  for (mp::MessageOp message : function.getInfo().messages)
    for (Value input : message.getDst())
      if (!block.features.contains(input))
        block.features[input] =
            function.stageRows(lifter, input, kDstAxis, block.first,
                               block.count, function.getShape().tileRows);
  return success();
}

/// A source feature that only becomes a weighted value stays as it lies in
/// memory, [src, feature]; where it meets destinations its sources run last.
static bool isOnlyValue(BlockArgument arg) {
  return llvm::all_of(arg.getUsers(),
                      [](Operation *user) { return isa<mp::YieldOp>(user); });
}

TileSources TileOperands::stageSources(Value firstSource, Value lastSource) {
  int64_t columns = function.getShape().columns;
  Lifter lifter(builder, 0, columns, {}, firstSource);
  Value rest = arith::SubIOp::create(builder, loc, lastSource, firstSource);
  TileSources src;
  src.first = firstSource;
  src.size = columns;
  src.count =
      arith::MinSIOp::create(builder, loc, rest, constantIndex(columns));
  DenseMap<Value, Lifted> rows, transposed;
  for (Value input : function.getInfo().srcInputs)
    rows[input] =
        function.stageRows(lifter, input, kSrcAxis, src.first, src.count);
  for (mp::MessageOp message : function.getInfo().messages)
    for (auto [arg, input] :
         llvm::zip_equal(message.getSrcArgs(), message.getSrc())) {
      if (isOnlyValue(arg)) {
        src.features[arg] = rows.lookup(input);
        continue;
      }
      auto [it, isNew] = transposed.try_emplace(input);
      if (isNew)
        it->second = lifter.toCanonicalLayout(loc, rows.lookup(input));
      src.features[arg] = it->second;
    }
  return src;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value TileOperands::sliceStrip(Value tensor, Value from) {
  RowSlice slice(builder, cast<ShapedType>(tensor.getType()), from,
                 builder.getIndexAttr(function.getShape().tileRows));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, slice.offsets,
                                        slice.sizes, slice.strides);
}

TileDestinations TileOperands::getStrip(Value firstRow) {
  TileDestinations strip;
  strip.first = arith::AddIOp::create(builder, loc, block.first, firstRow);
  Value rest = arith::SubIOp::create(builder, loc, block.count, firstRow);
  strip.count = arith::MinSIOp::create(
      builder, loc, rest, constantIndex(function.getShape().tileRows));
  auto slice = [&](const Lifted &rows) -> Lifted {
    return {sliceStrip(rows.tensor, firstRow), rows.layout};
  };
  strip.rowBegin = slice(block.rowBegin);
  strip.rowEnd = slice(block.rowEnd);
  for (auto &[input, rows] : block.features)
    strip.features[input] = slice(rows);
  return strip;
}

Lifted TileOperands::sliceSources(const Lifted &tile, Value from,
                                  int64_t size) {
  SmallVector<OpFoldResult> offsets, sizes,
      strides(tile.layout.size(), builder.getIndexAttr(1));
  for (auto [axis, extent] :
       llvm::zip_equal(tile.layout, tile.getType().getShape())) {
    bool isSource = axis == kSrcAxis;
    offsets.push_back(isSource ? OpFoldResult(from)
                               : OpFoldResult(builder.getIndexAttr(0)));
    sizes.push_back(builder.getIndexAttr(isSource ? size : extent));
  }
  return {tensor::ExtractSliceOp::create(builder, loc, tile.tensor, offsets,
                                         sizes, strides),
          tile.layout};
}

TileSources TileOperands::getPart(const TileSources &src, Value offset,
                                  int64_t size) {
  TileSources part;
  part.size = size;
  part.first = arith::AddIOp::create(builder, loc, src.first, offset);
  Value rest = arith::SubIOp::create(builder, loc, src.count, offset);
  part.count = arith::MinSIOp::create(builder, loc, rest, constantIndex(size));
  for (auto &[arg, tile] : src.features)
    part.features[arg] = sliceSources(tile, offset, size);
  return part;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

Lifted TileOperands::emitDegrees(Lifter &lifter, const TileDestinations &dst) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  return lifter.elementwise(
      loc, {}, builder.getI64Type(), {dst.rowBegin, dst.rowEnd},
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value length = arith::SubIOp::create(b, loc, args[1], args[0]);
        Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
        Value heard = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                            length, zero);
        Value itself = arith::AndIOp::create(b, loc, heard, noSelf);
        return arith::SubIOp::create(
            b, loc, length,
            arith::ExtUIOp::create(b, loc, b.getI64Type(), itself));
      });
}

Lifted TileOperands::emitMask(Lifter &lifter, const TileDestinations &dst,
                              const TileSources &src) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  // The pair's place in the tile is its loop indices (i, j).
  return lifter.generic(
      loc, {dst.rowBegin, dst.rowEnd},
      lifter.empty(loc, {}, builder.getI8Type(), {kDstAxis, kSrcAxis}),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value i = arith::AddIOp::create(b, loc, dst.first,
                                        linalg::IndexOp::create(b, loc, 0));
        Value j = arith::AddIOp::create(b, loc, src.first,
                                        linalg::IndexOp::create(b, loc, 1));
        Type i64 = b.getI64Type();
        Value source = arith::IndexCastOp::create(b, loc, i64, j);
        Value after = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                            source, args[0]);
        Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             source, args[1]);
        Value same =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i, j);
        Value dropped = arith::AndIOp::create(b, loc, same, noSelf);
        Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
        Value kept = arith::XOrIOp::create(b, loc, dropped, yes);
        Value inside = arith::AndIOp::create(b, loc, after, before);
        Value edge = arith::AndIOp::create(b, loc, inside, kept);
        return arith::ExtUIOp::create(b, loc, b.getI8Type(), edge);
      });
}

std::pair<Value, Value> TileOperands::emitExtent(const TileDestinations &dst,
                                                 const TileSources &src) {
  using Predicate = arith::CmpIPredicate;
  auto both = [&](Value lhs, Value rhs) -> Value {
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  };
  // begin and end are monotone: the first row begins and ends first.
  Value pastRow = arith::AddIOp::create(builder, loc, dst.first, dst.count);
  Value lastRow =
      arith::SubIOp::create(builder, loc, pastRow, constantIndex(1));
  Value pastTile = arith::AddIOp::create(
      builder, loc, src.first, constantIndex(function.getShape().columns));
  Value any =
      both(compare(Predicate::slt,
                   function.load(GraphArray::rowBegin, dst.first), pastTile),
           compare(Predicate::sgt, function.load(GraphArray::rowEnd, lastRow),
                   src.first));
  Value inside =
      both(compare(Predicate::sle, function.load(GraphArray::rowBegin, lastRow),
                   src.first),
           compare(Predicate::sge, function.load(GraphArray::rowEnd, dst.first),
                   pastTile));
  Value onDiagonal = both(compare(Predicate::slt, src.first, pastRow),
                          compare(Predicate::slt, dst.first, pastTile));
  Value dropped = both(onDiagonal, function.getArray(GraphArray::noSelf));
  return {any, both(inside, arith::XOrIOp::create(builder, loc, dropped,
                                                  arith::ConstantIntOp::create(
                                                      builder, loc, 1, 1)))};
}
