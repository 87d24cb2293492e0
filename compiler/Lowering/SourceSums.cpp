//===- SourceSums.cpp - What tiles add up for their sources ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/SourceSums.h"
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

/// [src, feature...]: as rows lie in memory.
static Layout getLayout(Value edges) {
  Layout layout = {kSrcAxis};
  int rank = cast<mp::EdgesType>(edges.getType()).getFeatureType().getRank();
  llvm::append_range(layout, llvm::seq(0, rank));
  return layout;
}

size_t SourceSums::size() const {
  size_t count = 0;
  for (mp::SourceSumOp sum : function.getInfo().sourceSums)
    count += sum.getNumResults();
  return count;
}

SmallVector<Value> SourceSums::emitZero() {
  Lifter lifter(builder, 0, function.getShape().columns, {}, {});
  SmallVector<Value> sums;
  for (mp::SourceSumOp sum : function.getInfo().sourceSums)
    for (Value edges : sum.getValues()) {
      auto type = cast<mp::EdgesType>(edges.getType());
      sums.push_back(lifter
                         .fill(loc, type.getShape(),
                               getComputeType(type.getElementType()),
                               getLayout(edges), 0.0)
                         .tensor);
    }
  return sums;
}

Lifted SourceSums::emitRows(Lifter &lifter, const TileDestinations &dst) {
  Type type = builder.getI32Type();
  Value count = arith::IndexCastOp::create(builder, loc, type, dst.count);
  return lifter.generic(
      loc, {}, lifter.empty(loc, {}, builder.getI8Type(), {kDstAxis}),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value row = arith::IndexCastOp::create(
            b, loc, type, linalg::IndexOp::create(b, loc, 0));
        Value isRow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                            row, count);
        return arith::ExtUIOp::create(b, loc, b.getI8Type(), isRow);
      });
}

Lifted SourceSums::addValues(Lifter &lifter, const Lifted &sum, Value edges,
                             const Lifted &value, const Lifted &mask) {
  auto weighted = findWeighted(lifter, edges);
  if (!weighted ||
      (weighted->feature.has(kDstAxis) && weighted->feature.has(kSrcAxis)))
    return reduceEdges(lifter, loc, sum, value, {mask});
  weighted->weight = maskWeight(lifter, loc, weighted->weight, mask);
  // Features of rows that there are not are 0.
  EdgeTile tile;
  if (mask.has(kSrcAxis) || !weighted->isInput)
    tile.mask = mask;
  return addWeighted(lifter, loc, *weighted, sum, tile);
}

/// The sources of a part of a tile, of a tensor of those of the tile.
static RowSlice slicePart(OpBuilder &b, Location loc, Value sum,
                          const SourceSums::Place &place) {
  Value offset = arith::SubIOp::create(b, loc, place.src.first,
                                       place.registerBlock.tileFirst);
  return {b, cast<ShapedType>(sum.getType()), offset,
          b.getIndexAttr(place.src.size)};
}

SmallVector<Value>
SourceSums::accumulate(Lifter &lifter, ValueRange sums,
                       const DenseMap<Value, Lifted> &edgeValues,
                       const std::optional<Lifted> &mask, const Place &place) {
  if (sums.empty())
    return {};
  // Of columns alone a mask takes out sources that there are not.
  bool ofPairs = mask && mask->has(kDstAxis);
  Lifted received = ofPairs ? *mask : emitRows(lifter, place.dst);
  bool isWhole = place.src.size == function.getShape().columns;
  SmallVector<Value> next;
  for (mp::SourceSumOp op : function.getInfo().sourceSums)
    for (Value edges : op.getValues()) {
      Value sum = sums[next.size()], part = sum;
      if (!isWhole) {
        RowSlice rows = slicePart(builder, loc, sum, place);
        part = tensor::ExtractSliceOp::create(builder, loc, sum, rows.offsets,
                                              rows.sizes, rows.strides);
      }
      part = addValues(lifter, {part, getLayout(edges)}, edges,
                       edgeValues.lookup(edges), received)
                 .tensor;
      if (!isWhole) {
        RowSlice rows = slicePart(builder, loc, sum, place);
        part = tensor::InsertSliceOp::create(
            builder, loc, part, sum, rows.offsets, rows.sizes, rows.strides);
      }
      next.push_back(part);
    }
  return next;
}

void SourceSums::add(const TileSources &src, ValueRange sums) {
  Lifter lifter(builder, 0, function.getShape().columns, {}, {});
  for (mp::SourceSumOp op : function.getInfo().sourceSums)
    for (auto [edges, result] :
         llvm::zip_equal(op.getValues(), op.getResults())) {
      Lifted sum = {sums.front(), getLayout(edges)};
      sums = sums.drop_front();
      Lifted before = {
          function.loadRows(result, src.first, src.count, sum.getType()),
          sum.layout};
      Lifted after = lifter.generic(
          loc, before, sum, [](OpBuilder &b, Location loc, ValueRange args) {
            return arith::AddFOp::create(b, loc, args[1], args[0]).getResult();
          });
      function.storeRows(result, src.first, src.count, after.tensor);
    }
}
