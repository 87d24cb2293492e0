//===- TileOperands.cpp - What a dense tile is made of --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileOperands.h"
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Analysis/TileRows.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/Aggregators.h"
#include "compiler/Lowering/CarriedTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
/// Sources [from, from + size) of a tile, as slices are spelled.
struct SourceSlice {
  SourceSlice(OpBuilder &builder, const Lifted &tile, Value from, int64_t size)
      : strides(tile.layout.size(), builder.getIndexAttr(1)) {
    for (auto [axis, extent] :
         llvm::zip_equal(tile.layout, tile.getType().getShape())) {
      bool isSource = axis == kSrcAxis;
      offsets.push_back(isSource ? OpFoldResult(from)
                                 : OpFoldResult(builder.getIndexAttr(0)));
      sizes.push_back(builder.getIndexAttr(isSource ? size : extent));
    }
  }
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

Value TileOperands::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

void TileOperands::stageDestinations(Lifter &lifter, Value input) {
  if (block.features.contains(input) || inPlace.contains(input))
    return;
  const int64_t tileRows = function.getShape().tileRows;
  if (std::optional<RowsInPlace> rows =
          function.getInputInPlace(input, tileRows, RowPitch::same))
    inPlace.insert({input, *rows});
  else
    block.features[input] = function.stageRows(
        lifter, input, kDstAxis, block.first, block.count, tileRows);
}

LogicalResult TileOperands::stageBlock() {
  Lifter lifter(builder, function.getShape().rows, 0, function.getFirst(), {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  block.first = function.getFirst();
  block.count = function.getNumRows();
  auto stage = [&](GraphArray array) {
    return function.stageEntries(lifter, array, block.first, block.count,
                                 function.getShape().tileRows);
  };
  block.rowBegin = stage(GraphArray::rowBegin);
  block.rowEnd = stage(GraphArray::rowEnd);
  for (mp::MessageOp message : function.getInfo().messages)
    for (Value input : message.getDst())
      stageDestinations(lifter, input);
  return success();
}

/// A source feature that is only summed stays as it lies in memory, [src,
/// feature]; where it meets destinations its sources run last.
static bool isOnlySummed(BlockArgument arg) {
  return llvm::all_of(arg.getUses(), isAggregatedAsItLies);
}

int64_t TileOperands::getPartColumns() const {
  TileShape shape = function.getShape();
  return std::min(shape.borderColumns, shape.columns);
}

bool TileOperands::isTransposedByPart(Value input) const {
  return getPartColumns() < function.getShape().columns &&
         cast<RankedTensorType>(input.getType()).getRank() > 1;
}

Lifted TileOperands::transposeByPart(Lifter &lifter, Value input,
                                     const TileSources &src) {
  const int64_t size = getPartColumns();
  Lifter partLifter(builder, 0, size, {}, {});
  auto type = cast<RankedTensorType>(input.getType());
  Layout layout = getCanonicalLayout(type.getRank() - 1, false, true);
  Lifted all = lifter.empty(loc, type.getShape().drop_front(),
                            getComputeType(type.getElementType()), layout);
  FailureOr<SmallVector<Value>> parts = emitCarryingLoop(
      builder, loc, constantIndex(0), src.count, size, all.tensor,
      [&](Value first, ValueRange carried) -> FailureOr<SmallVector<Value>> {
        Value count = arith::SubIOp::create(builder, loc, src.count, first);
        count =
            arith::MinSIOp::create(builder, loc, count, constantIndex(size));
        Lifted rows = function.stageRows(
            partLifter, input, kSrcAxis,
            arith::AddIOp::create(builder, loc, src.first, first), count);
        Lifted part = partLifter.toCanonicalLayout(loc, rows);
        SourceSlice slice(builder, {carried.front(), layout}, first, size);
        return SmallVector<Value>{tensor::InsertSliceOp::create(
            builder, loc, part.tensor, carried.front(), slice.offsets,
            slice.sizes, slice.strides)};
      });
  return {parts->front(), layout};
}

std::optional<RowsInPlace> TileOperands::getSourcesInPlace(Value input) {
  auto [it, isNew] = sourcesInPlace.insert({input, std::nullopt});
  if (!isNew)
    return it->second;
  std::optional<RowsInPlace> rows = function.getInputInPlace(
      input, function.getShape().columns, RowPitch::dense);
  // Of a clique they come from memory: copies fetch more of them at a time.
  if (rows && (rows->isDense() || (!isOfCliques(function.getInfo()) &&
                                   rows->getPitch() <= tuning::nearPitch)))
    it->second = rows;
  return it->second;
}

Lifted TileOperands::takeSources(Lifter &lifter, Value input,
                                 const TileSources &src) {
  if (std::optional<RowsInPlace> place = getSourcesInPlace(input)) {
    Value isWanted;
    if (!place->isDense())
      isWanted = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                       block.count,
                                       constantIndex(tuning::inPlaceRows));
    return function.readRows(input, {src.first, src.count, src.size}, kSrcAxis,
                             *place, getPartColumns(), isWanted);
  }
  return function.stageRows(lifter, input, kSrcAxis, src.first, src.count,
                            getPartColumns());
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
  auto getRows = [&](Value input) {
    auto [it, isNew] = rows.try_emplace(input);
    if (isNew)
      it->second = takeSources(lifter, input, src);
    return it->second;
  };
  auto getTransposed = [&](Value input) {
    auto [it, isNew] = transposed.try_emplace(input);
    if (isNew)
      it->second = isTransposedByPart(input)
                       ? transposeByPart(lifter, input, src)
                       : lifter.toCanonicalLayout(loc, getRows(input));
    return it->second;
  };
  for (mp::MessageOp message : function.getInfo().messages)
    for (auto [arg, input] :
         llvm::zip_equal(message.getSrcArgs(), message.getSrc()))
      src.features[arg] =
          isOnlySummed(arg) ? getRows(input) : getTransposed(input);
  return src;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value TileOperands::sliceRegisterBlock(Value tensor, Value from) {
  RowSlice slice(builder, cast<ShapedType>(tensor.getType()), from,
                 builder.getIndexAttr(function.getShape().tileRows));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, slice.offsets,
                                        slice.sizes, slice.strides);
}

RowRange TileOperands::getRows(Value firstRow) {
  const int64_t size = function.getShape().tileRows;
  Value first = arith::AddIOp::create(builder, loc, block.first, firstRow);
  Value rest = arith::SubIOp::create(builder, loc, block.count, firstRow);
  return {first,
          arith::MinSIOp::create(builder, loc, rest, constantIndex(size)),
          size};
}

TileDestinations TileOperands::getRegisterBlock(Value firstRow) {
  RowRange rows = getRows(firstRow);
  TileDestinations registerBlock;
  registerBlock.first = rows.first;
  registerBlock.count = rows.count;
  auto slice = [&](const Lifted &rows) -> Lifted {
    return {sliceRegisterBlock(rows.tensor, firstRow), rows.layout};
  };
  registerBlock.rowBegin = slice(block.rowBegin);
  registerBlock.rowEnd = slice(block.rowEnd);
  for (auto &[input, rows] : block.features)
    registerBlock.features[input] = slice(rows);
  for (auto &[input, place] : inPlace)
    registerBlock.features[input] =
        function.readRows(input, rows, kDstAxis, place);
  return registerBlock;
}

Lifted TileOperands::sliceSources(const Lifted &tile, Value from,
                                  int64_t size) {
  SourceSlice slice(builder, tile, from, size);
  return {tensor::ExtractSliceOp::create(builder, loc, tile.tensor,
                                         slice.offsets, slice.sizes,
                                         slice.strides),
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

Value TileOperands::emitIsAnyNotFinite(const TileSources &src,
                                       ArrayRef<BlockArgument> args) {
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 1);
  // Behind the last part nothing is laid out.
  const int64_t size = getPartColumns();
  FailureOr<SmallVector<Value>> found = emitCarryingLoop(
      builder, loc, constantIndex(0), src.count, size, none,
      [&](Value first, ValueRange carried) -> FailureOr<SmallVector<Value>> {
        Lifter lifter(builder, 0, size, {}, {});
        Value any = carried.front();
        for (BlockArgument arg : args) {
          Lifted part = sliceSources(src.features.lookup(arg), first, size);
          any = arith::OrIOp::create(builder, loc, any,
                                     isAnyNotFinite(lifter, loc, part));
        }
        return SmallVector<Value>{any};
      });
  return found->front();
}
