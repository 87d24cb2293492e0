//===- TileEdges.cpp - Edge features of a dense tile ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileEdges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// The body of a loop over edges: offsets in the tile, the edge's number, and
/// the tensors the loop carries; returns the tensors carried on.
using EdgeBody = llvm::function_ref<SmallVector<Value>(
    Value dstOffset, Value srcOffset, Value edge, ValueRange carried)>;

/// Loops over the edges of a tile, one at a time.
static SmallVector<Value> forEachEdge(BlockFunction &function,
                                      const TilePlace &place,
                                      ValueRange carried, EdgeBody body) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto rows =
      scf::ForOp::create(builder, loc, zero, place.numRows, one, carried);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = arith::AddIOp::create(builder, loc, place.firstRow,
                                    rows.getInductionVar());
  Value begin = function.load(GraphArray::rowBegin, row);
  Value end = function.load(GraphArray::rowEnd, row);
  Value firstEdge = function.load(GraphArray::indptr, row);
  // The part of the row's interval that lies in the tile.
  Value stop =
      arith::AddIOp::create(builder, loc, place.firstSource, place.numSources);
  Value low = arith::MaxSIOp::create(builder, loc, begin, place.firstSource);
  Value high = arith::MinSIOp::create(builder, loc, end, stop);
  auto columns = scf::ForOp::create(builder, loc, low, high, one,
                                    rows.getRegionIterArgs());
  builder.setInsertionPointToEnd(rows.getBody());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, columns.getResults());

  builder.setInsertionPointToStart(columns.getBody());
  Value source = columns.getInductionVar();
  Value noSelf = function.getArray(GraphArray::noSelf);
  Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     source, row);
  Value dropped = arith::AndIOp::create(builder, loc, same, noSelf);
  // Behind the missing self-loop the row's edges move up by one.
  Value past = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                     source, row);
  Value shift = arith::AndIOp::create(builder, loc, past, noSelf);
  shift =
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), shift);
  Value position = arith::SubIOp::create(builder, loc, source, begin);
  position = arith::AddIOp::create(builder, loc, position, firstEdge);
  position = arith::SubIOp::create(builder, loc, position, shift);
  Value srcOffset =
      arith::SubIOp::create(builder, loc, source, place.firstSource);

  auto edge = scf::IfOp::create(builder, loc,
                                TypeRange(columns.getRegionIterArgs()), dropped,
                                /*withElseRegion=*/true);
  builder.setInsertionPointToEnd(columns.getBody());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, edge.getResults());
  builder.setInsertionPointToStart(edge.thenBlock());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, columns.getRegionIterArgs());
  builder.setInsertionPointToStart(edge.elseBlock());
  Value id = function.load(GraphArray::edgeIds, position);
  SmallVector<Value> next =
      body(rows.getInductionVar(), srcOffset, id, columns.getRegionIterArgs());
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

Lifted clique::gatherEdges(BlockFunction &function, Lifter &lifter, Value input,
                           const TilePlace &place) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  RankedTensorType feature =
      cast<mp::EdgesType>(input.getType()).getFeatureType();
  Lifted tile = lifter.fill(
      loc, feature.getShape(), getComputeType(feature.getElementType()),
      getCanonicalLayout(feature.getRank(), true, true), 0.0);
  tile.tensor =
      forEachEdge(function, place, tile.tensor,
                  [&](Value dst, Value src, Value edge, ValueRange carried) {
                    Lifted value = function.stageRow(lifter, input, edge);
                    PointSlice point(builder, tile, dst, src);
                    Value next = tensor::InsertSliceOp::create(
                        builder, loc, value.tensor, carried[0], point.offsets,
                        point.sizes, point.strides);
                    return SmallVector<Value>{next};
                  })
          .front();
  return tile;
}

void clique::scatterEdges(BlockFunction &function, Lifter &lifter, Value result,
                          Lifted value, const TilePlace &place) {
  OpBuilder &builder = function.getBuilder();
  Location loc = function.getLoc();
  forEachEdge(
      function, place, {}, [&](Value dst, Value src, Value edge, ValueRange) {
        PointSlice point(builder, value, dst, src);
        SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
        auto type =
            RankedTensorType::get(shape, value.getType().getElementType());
        Value slice = tensor::ExtractSliceOp::create(
            builder, loc, type, value.tensor, point.offsets, point.sizes,
            point.strides);
        function.storeRow(
            lifter, result, edge,
            {slice, getCanonicalLayout(shape.size(), false, false)});
        return SmallVector<Value>();
      });
}
