//===- TilePattern.cpp - Which pairs of dense tiles are edges -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TilePattern.h"
#include "compiler/Lowering/MaskBounds.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using Predicate = arith::CmpIPredicate;

constexpr int64_t kWordBits = 64;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value TilePattern::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value TilePattern::compare(Predicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}
Value TilePattern::add(Value lhs, Value rhs) {
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}
Value TilePattern::subtract(Value lhs, Value rhs) {
  return arith::SubIOp::create(builder, loc, lhs, rhs);
}
Value TilePattern::bothOf(Value lhs, Value rhs) {
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}
Value TilePattern::eitherOf(Value lhs, Value rhs) {
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}
Value TilePattern::negate(Value condition) {
  return arith::XOrIOp::create(
      builder, loc, condition,
      arith::ConstantIntOp::create(builder, loc, 1, 1));
}
Value TilePattern::toInteger(Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

namespace {
/// What says which sources a row receives from, i64 each.
struct RowEdges {
  Value row, begin, end;
  Value listed; ///< bit j: source tileFirst + j
};
} // namespace

/// Bit j: whether the row receives from source first + j.
static Value combineWord(OpBuilder &b, Location loc, const RowEdges &edges,
                         Value first, Value tileFirst, Value noSelf) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, kWordBits);
  };
  Value zero = constant(0), ones = constant(-1), bits = constant(kWordBits);
  Value begin = arith::SubIOp::create(b, loc, edges.begin, first);
  Value end = arith::SubIOp::create(b, loc, edges.end, first);
  begin = arith::MaxSIOp::create(b, loc, begin, zero);
  end = arith::MinSIOp::create(b, loc, end, bits);
  Value missing = arith::SubIOp::create(b, loc, bits, end);
  Value word =
      arith::AndIOp::create(b, loc, arith::ShLIOp::create(b, loc, ones, begin),
                            arith::ShRUIOp::create(b, loc, ones, missing));
  // Else a shift was by too much.
  Value isAny = arith::CmpIOp::create(b, loc, Predicate::slt, begin, end);
  word = arith::SelectOp::create(b, loc, isAny, word, zero);

  Value self = arith::SubIOp::create(b, loc, edges.row, first);
  Value isHere = arith::CmpIOp::create(b, loc, Predicate::ult, self, bits);
  Value isMissing = arith::AndIOp::create(b, loc, isHere, noSelf);
  Value loop = arith::ShLIOp::create(b, loc, constant(1), self);
  Value others = arith::XOrIOp::create(b, loc, loop, ones);
  others = arith::SelectOp::create(b, loc, isMissing, others, ones);
  word = arith::AndIOp::create(b, loc, word, others);

  Value offset = arith::SubIOp::create(b, loc, first, tileFirst);
  Value listed = arith::ShRUIOp::create(b, loc, edges.listed, offset);
  return arith::OrIOp::create(b, loc, word, listed);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TilePattern::TilePattern(BlockFunction &function)
    : function(function), builder(function.getBuilder()),
      loc(function.getLoc()), firstTile(function.getArgs()[0]),
      pastTile(function.getArgs()[1]) {}

Value TilePattern::listed(Value position) {
  return arith::SelectOp::create(builder, loc,
                                 function.getArray(GraphArray::areTilesListed),
                                 position, constantIndex(0));
}

Value TilePattern::emitNumTiles() {
  // begin and end are monotone: the block receives from
  // [begin(first), end(last - 1)).
  Value lastRow = subtract(function.getLast(), constantIndex(1));
  low = function.load(GraphArray::rowBegin, function.getFirst());
  high = function.load(GraphArray::rowEnd, lastRow);
  lastBegin = function.load(GraphArray::rowBegin, lastRow);
  firstEnd = function.load(GraphArray::rowEnd, function.getFirst());
  return add(placeTiles(), subtract(pastTile, firstTile));
}

Value TilePattern::emitNumShared() {
  Value isShared = bothOf(compare(Predicate::eq, low, lastBegin),
                          compare(Predicate::eq, high, firstEnd));
  return arith::SelectOp::create(builder, loc, isShared, subtract(high, low),
                                 constantIndex(0));
}

Value TilePattern::placeTiles() {
  Value columns = constantIndex(function.getShape().columns);
  auto count = [&](Value begin) -> Value {
    Value sources = arith::MaxSIOp::create(builder, loc, subtract(high, begin),
                                           constantIndex(0));
    return arith::CeilDivUIOp::create(builder, loc, sources, columns);
  };
  Value numTiles = count(low);
  // Where rows begin one after the other, the first tile is partly filled
  // whatever it begins with: then it begins at a multiple of its size, if that
  // takes no more tiles, so that all blocks end with a whole tile that can.
  Value aligned =
      subtract(low, arith::RemUIOp::create(builder, loc, low, columns));
  Value isFree = bothOf(compare(Predicate::ne, low, lastBegin),
                        compare(Predicate::eq, numTiles, count(aligned)));
  tilesBegin = arith::SelectOp::create(builder, loc, isFree, aligned, low);
  return numTiles;
}

SmallVector<Value> TilePattern::loadListed(GraphArray array, Value position,
                                           int64_t count) {
  SmallVector<Type> types(count, builder.getIndexType());
  auto branch = scf::IfOp::create(builder, loc, types,
                                  function.getArray(GraphArray::areTilesListed),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> entries;
  for (int64_t k = 0; k < count; ++k)
    entries.push_back(function.load(array, add(position, constantIndex(k))));
  scf::YieldOp::create(builder, loc, entries);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc,
                       SmallVector<Value>(count, constantIndex(0)));
  return llvm::to_vector_of<Value>(branch.getResults());
}

TilePlace TilePattern::emitTile(Value number) {
  constexpr int64_t perTile = 3;
  Value isListed = function.getArray(GraphArray::areTilesListed);
  Value entry = arith::MulIOp::create(builder, loc, add(firstTile, number),
                                      constantIndex(perTile));
  SmallVector<Value> entries = loadListed(GraphArray::tileList, entry, perTile);
  Value before = arith::MulIOp::create(
      builder, loc, number, constantIndex(function.getShape().columns));
  TilePlace tile;
  tile.first = arith::SelectOp::create(builder, loc, isListed, entries[0],
                                       add(tilesBegin, before));
  tile.past = arith::SelectOp::create(builder, loc, isListed, entries[1], high);
  tile.registerBlocks = entries[2];
  return tile;
}

//===----------------------------------------------------------------------===//
// Register blocks
//===----------------------------------------------------------------------===//

Value TilePattern::lastRow(const TileDestinations &dst) {
  return subtract(add(dst.first, dst.count), constantIndex(1));
}

Value TilePattern::fullWords() {
  return constantIndex(function.getShape().tileRows + 1);
}

RegisterBlockEdges TilePattern::emitRegisterBlock(const TileDestinations &dst,
                                                  const TilePlace &tile) {
  TileShape shape = function.getShape();
  RegisterBlockEdges registerBlock;
  registerBlock.tileFirst = tile.first;
  Value number = arith::DivUIOp::create(
      builder, loc, subtract(dst.first, function.getFirst()),
      constantIndex(shape.tileRows));
  registerBlock.registerBlock = listed(add(tile.registerBlocks, number));
  registerBlock.words =
      loadListed(GraphArray::tileRegisterBlocks, registerBlock.registerBlock, 1)
          .front();

  // begin and end are monotone: the first row begins and ends first. A register
  // block that is the whole block knows its own before the first tile.
  Value last = lastRow(dst);
  Value pastTile = add(tile.first, constantIndex(shape.columns));
  bool isBlock = shape.rows == shape.tileRows;
  auto load = [&](Value known, GraphArray array, Value row) {
    return isBlock ? known : function.load(array, row);
  };
  Value begin = load(low, GraphArray::rowBegin, dst.first);
  Value end = load(firstEnd, GraphArray::rowEnd, dst.first);
  Value beginOfLast = load(lastBegin, GraphArray::rowBegin, last);
  Value endOfLast = load(high, GraphArray::rowEnd, last);
  Value any = bothOf(compare(Predicate::slt, begin, pastTile),
                     compare(Predicate::sgt, endOfLast, tile.first));
  Value inside = bothOf(compare(Predicate::sle, beginOfLast, tile.first),
                        compare(Predicate::sge, end, pastTile));
  Value onDiagonal = bothOf(compare(Predicate::sle, tile.first, last),
                            compare(Predicate::slt, dst.first, pastTile));
  Value dropped = bothOf(onDiagonal, function.getArray(GraphArray::noSelf));
  registerBlock.any = eitherOf(
      any, compare(Predicate::ne, registerBlock.words, constantIndex(0)));
  if (tile.isAnyNotFinite)
    if (Value mayCount =
            emitMayCount(function, {dst.first, last},
                         {tile.first, subtract(pastTile, constantIndex(1))}))
      registerBlock.any =
          bothOf(registerBlock.any, eitherOf(mayCount, tile.isAnyNotFinite));
  registerBlock.all =
      eitherOf(bothOf(inside, negate(dropped)),
               compare(Predicate::eq, registerBlock.words, fullWords()));
  // Nothing of it is listed then, or has no intervals. The tile has no source
  // behind the end, which other rows of the block would receive.
  registerBlock.even =
      bothOf(bothOf(compare(Predicate::sle, beginOfLast, tile.first),
                    compare(Predicate::sge, end, tile.past)),
             bothOf(negate(dropped), compare(Predicate::eq, registerBlock.words,
                                             constantIndex(0))));
  registerBlock.end = end;
  return registerBlock;
}

std::pair<Value, Value>
TilePattern::emitColumns(const TileDestinations &dst, const TileSources &src,
                         const RegisterBlockEdges &registerBlock) {
  // Where it is listed, the bits that any row has; there are some.
  int64_t tileRows = function.getShape().tileRows;
  Value ofAny = function.loadEntry(
      GraphArray::tileWords, add(registerBlock.words, constantIndex(tileRows)));
  auto toIndex = [&](Value bits) -> Value {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        bits);
  };
  Value firstBit =
      toIndex(math::CountTrailingZerosOp::create(builder, loc, ofAny));
  Value pastBit =
      subtract(constantIndex(kWordBits),
               toIndex(math::CountLeadingZerosOp::create(builder, loc, ofAny)));

  Value begin =
      subtract(function.load(GraphArray::rowBegin, dst.first), src.first);
  begin = arith::MaxSIOp::create(builder, loc, begin, constantIndex(0));
  Value end =
      subtract(function.load(GraphArray::rowEnd, lastRow(dst)), src.first);
  end = arith::MinSIOp::create(builder, loc, end, src.count);
  Value isListed = function.getArray(GraphArray::areTilesListed);
  return {arith::SelectOp::create(builder, loc, isListed, firstBit, begin),
          arith::SelectOp::create(builder, loc, isListed, pastBit, end)};
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Lifted TilePattern::emitMask(Lifter &lifter, const TileDestinations &dst,
                             const TileSources &src,
                             const RegisterBlockEdges &registerBlock) {
  Value buffer = function.getArray(GraphArray::tileWords);
  Value words = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
      buffer, /*restrict=*/true);
  OpFoldResult from = registerBlock.words, one = builder.getIndexAttr(1),
               count = builder.getIndexAttr(function.getShape().tileRows);
  Lifted listed{tensor::ExtractSliceOp::create(
                    builder, loc, words, ArrayRef<OpFoldResult>{from},
                    ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{one}),
                {kDstAxis}};

  // Words as narrow as the part: their bits become lanes.
  constexpr int64_t half = kWordBits / 2;
  Type type = src.size <= half ? builder.getI32Type() : builder.getI64Type();
  Value noSelf = function.getArray(GraphArray::noSelf);
  Value first = toInteger(src.first),
        tileFirst = toInteger(registerBlock.tileFirst);
  Lifted rows = lifter.generic(
      loc, {dst.rowBegin, dst.rowEnd, listed},
      lifter.empty(loc, {}, type, {kDstAxis}),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value row = arith::AddIOp::create(b, loc, dst.first,
                                          linalg::IndexOp::create(b, loc, 0));
        row = arith::IndexCastOp::create(b, loc, b.getI64Type(), row);
        Value word = combineWord(b, loc, {row, args[0], args[1], args[2]},
                                 first, tileFirst, noSelf);
        if (type == word.getType())
          return word;
        return arith::TruncIOp::create(b, loc, type, word);
      });
  return lifter.generic(
      loc, rows,
      lifter.empty(loc, {}, builder.getI8Type(), {kDstAxis, kSrcAxis}),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value column = arith::IndexCastOp::create(
            b, loc, type, linalg::IndexOp::create(b, loc, 1));
        Value one =
            arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, 1));
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        Value bit = arith::ShLIOp::create(b, loc, one, column);
        Value set = arith::AndIOp::create(b, loc, args[0], bit);
        Value edge = arith::CmpIOp::create(b, loc, Predicate::ne, set, zero);
        return arith::ExtUIOp::create(b, loc, b.getI8Type(), edge);
      });
}

Value TilePattern::emitNumColumns(const TileSources &src,
                                  const RegisterBlockEdges &registerBlock) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value count = subtract(registerBlock.end, src.first);
  count = arith::MaxSIOp::create(builder, loc, count, constant(0));
  return arith::MinSIOp::create(builder, loc, count, constant(src.size));
}

Lifted TilePattern::emitColumnMask(Lifter &lifter, Value numColumns) {
  Type type = builder.getI32Type();
  Value count = arith::IndexCastOp::create(builder, loc, type, numColumns);
  return lifter.generic(
      loc, {}, lifter.empty(loc, {}, builder.getI8Type(), {kSrcAxis}),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value column = arith::IndexCastOp::create(
            b, loc, type, linalg::IndexOp::create(b, loc, 0));
        Value edge =
            arith::CmpIOp::create(b, loc, Predicate::slt, column, count);
        return arith::ExtUIOp::create(b, loc, b.getI8Type(), edge);
      });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value TilePattern::emitWord(const TileDestinations &dst,
                            const RegisterBlockEdges &registerBlock,
                            Value row) {
  Value node = add(dst.first, row);
  RowEdges edges{toInteger(node),
                 function.loadEntry(GraphArray::rowBegin, node),
                 function.loadEntry(GraphArray::rowEnd, node),
                 function.loadEntry(GraphArray::tileWords,
                                    add(registerBlock.words, listed(row)))};
  Value first = toInteger(registerBlock.tileFirst);
  return combineWord(builder, loc, edges, first, first,
                     function.getArray(GraphArray::noSelf));
}

Value TilePattern::emitFirstEdge(const TileDestinations &dst,
                                 const RegisterBlockEdges &registerBlock,
                                 Value row) {
  // The sources of the interval before the tile, without the row itself.
  Value node = add(dst.first, row);
  Value before = subtract(registerBlock.tileFirst,
                          function.load(GraphArray::rowBegin, node));
  before = arith::MaxSIOp::create(builder, loc, before, constantIndex(0));
  Value isSelf = bothOf(compare(Predicate::slt, node, registerBlock.tileFirst),
                        function.getArray(GraphArray::noSelf));
  before = subtract(before, arith::IndexCastUIOp::create(
                                builder, loc, builder.getIndexType(), isSelf));
  Value position = add(function.load(GraphArray::indptr, node), before);

  Value place =
      add(arith::MulIOp::create(builder, loc, registerBlock.registerBlock,
                                constantIndex(function.getShape().tileRows)),
          listed(row));
  return arith::SelectOp::create(
      builder, loc, function.getArray(GraphArray::areTilesListed),
      function.load(GraphArray::tileFirstEdges, place), position);
}
