//===- NextTile.cpp - The sources of the tile that comes next -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/NextTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

NextTile::NextTile(BlockFunction &function, TilePattern &pattern, Value number,
                   Value numTiles, Value numRows)
    : function(function), builder(function.getBuilder()),
      loc(function.getLoc()) {
  if (function.getShape().prefetchTiles == 0)
    return;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  TileShape shape = function.getShape();
  Value one = constant(1);
  Value next = arith::AddIOp::create(builder, loc, number, one);
  Value isTile = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       next, numTiles);
  // Behind the last tile there is nothing to read.
  TilePlace tile = pattern.emitTile(
      arith::SelectOp::create(builder, loc, isTile, next, number));
  first = tile.first;
  past = arith::AddIOp::create(builder, loc, first, constant(shape.columns));
  past = arith::MinSIOp::create(builder, loc, past, tile.past);
  past = arith::SelectOp::create(builder, loc, isTile, past, first);
  Value count = arith::SubIOp::create(builder, loc, past, first);
  Value parts = arith::CeilDivUIOp::create(builder, loc, numRows,
                                           constant(shape.tileRows));
  share = arith::CeilDivUIOp::create(builder, loc, count, parts);
}

void NextTile::fetch(Value firstRow) {
  if (!share)
    return;
  Value part =
      arith::DivUIOp::create(builder, loc, firstRow,
                             arith::ConstantIndexOp::create(
                                 builder, loc, function.getShape().tileRows));
  Value begin = arith::MulIOp::create(builder, loc, part, share);
  begin = arith::AddIOp::create(builder, loc, begin, first);
  Value end = arith::AddIOp::create(builder, loc, begin, share);
  end = arith::MinSIOp::create(builder, loc, end, past);
  function.prefetchRows(function.getInfo().srcInputs.getArrayRef(), begin, end);
}
