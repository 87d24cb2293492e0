//===- TileEdges.cpp - Edge features of a dense tile ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileEdges.h"
#include "compiler/Lowering/EdgeIds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

SmallVector<Value> TileEdges::forEach(ValueRange carried, EdgeBody body) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto yield = [&](Block *block, ValueRange values) {
    builder.setInsertionPointToEnd(block);
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, values);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto rows = scf::ForOp::create(builder, loc, zero, dst.count, one, carried);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = rows.getInductionVar();
  Value word = pattern.emitWord(dst, registerBlock, row);
  Value firstEdge = pattern.emitFirstEdge(dst, registerBlock, row);
  Value offset =
      arith::SubIOp::create(builder, loc, src.first, registerBlock.tileFirst);
  auto columns = scf::ForOp::create(builder, loc, zero, src.count, one,
                                    rows.getRegionIterArgs());
  yield(rows.getBody(), columns.getResults());

  builder.setInsertionPointToStart(columns.getBody());
  Value column =
      arith::AddIOp::create(builder, loc, offset, columns.getInductionVar());
  column = arith::IndexCastOp::create(builder, loc, word.getType(), column);
  Value first = arith::ConstantIntOp::create(builder, loc, word.getType(), 1);
  Value none = arith::ConstantIntOp::create(builder, loc, word.getType(), 0);
  Value bit = arith::ShLIOp::create(builder, loc, first, column);
  Value isEdge = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne,
      arith::AndIOp::create(builder, loc, word, bit), none);
  auto edge = scf::IfOp::create(builder, loc,
                                TypeRange(columns.getRegionIterArgs()), isEdge,
                                /*withElseRegion=*/!carried.empty());
  yield(columns.getBody(), edge.getResults());
  if (!carried.empty())
    yield(edge.elseBlock(), columns.getRegionIterArgs());

  builder.setInsertionPointToStart(edge.thenBlock());
  Value below = arith::SubIOp::create(builder, loc, bit, first);
  Value before = math::CtPopOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, word, below));
  before =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), before);
  Value number = EdgeIds(function).load(
      arith::AddIOp::create(builder, loc, dst.first, row),
      arith::AddIOp::create(builder, loc, firstEdge, before));
  SmallVector<Value> next =
      body(row, columns.getInductionVar(), number, columns.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(rows.getResults());
}

namespace {
/// One point of a tile, as slices are spelled.
struct PointSlice {
  PointSlice(OpBuilder &b, const Lifted &tile, Value dstOffset,
             Value srcOffset) {
    for (auto [axis, size] :
         llvm::zip_equal(tile.layout, tile.getType().getShape())) {
      strides.push_back(b.getIndexAttr(1));
      sizes.push_back(b.getIndexAttr(axis >= 0 ? size : 1));
      offsets.push_back(axis == kDstAxis   ? OpFoldResult(dstOffset)
                        : axis == kSrcAxis ? OpFoldResult(srcOffset)
                                           : OpFoldResult(b.getIndexAttr(0)));
    }
  }
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

Lifted TileEdges::gather(Lifter &lifter, Value input) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  RankedTensorType feature =
      cast<mp::EdgesType>(input.getType()).getFeatureType();
  Lifted tile = lifter.fill(
      loc, feature.getShape(), getComputeType(feature.getElementType()),
      getCanonicalLayout(feature.getRank(), true, true), 0.0);
  tile.tensor = forEach(tile.tensor, [&](Value dst, Value src, Value edge,
                                         ValueRange carried) {
                  Lifted value = function.stageRow(lifter, input, edge);
                  PointSlice point(builder, tile, dst, src);
                  Value next = tensor::InsertSliceOp::create(
                      builder, loc, value.tensor, carried[0], point.offsets,
                      point.sizes, point.strides);
                  return SmallVector<Value>{next};
                }).front();
  return tile;
}

Lifted TileEdges::getNumbers(Lifter &lifter) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  Type type = builder.getI64Type();
  Lifted tile =
      lifter.fill(loc, {}, type, getCanonicalLayout(0, true, true), 0);
  tile.tensor =
      forEach(tile.tensor, [&](Value dst, Value src, Value edge,
                               ValueRange carried) {
        Value number = arith::IndexCastOp::create(builder, loc, type, edge);
        Value value = tensor::FromElementsOp::create(
            builder, loc, RankedTensorType::get({}, type), number);
        PointSlice point(builder, tile, dst, src);
        Value next = tensor::InsertSliceOp::create(builder, loc, value,
                                                   carried[0], point.offsets,
                                                   point.sizes, point.strides);
        return SmallVector<Value>{next};
      }).front();
  return tile;
}

void TileEdges::scatter(Lifter &lifter, Value result, Lifted value) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  forEach({}, [&](Value dst, Value src, Value edge, ValueRange) {
    PointSlice point(builder, value, dst, src);
    SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
    auto type = RankedTensorType::get(shape, value.getType().getElementType());
    Value slice = tensor::ExtractSliceOp::create(builder, loc, type,
                                                 value.tensor, point.offsets,
                                                 point.sizes, point.strides);
    function.storeRow(lifter, result, edge,
                      {slice, getCanonicalLayout(shape.size(), false, false)});
    return SmallVector<Value>();
  });
}
