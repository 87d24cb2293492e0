//===- LowerToRows.cpp - Sparse rows --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each destination of the block, its edge list: gather, compute, combine,
// one write. No edge value outlives its edge, and no row is shared between
// threads, so that there are no atomics and the order of the edges is fixed.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/EdgeStream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class RowLowering {
public:
  RowLowering(const KernelInfo &info, TileShape shape)
      : info(info),
        function(info, "_sparse", shape, getGraphArrays(mp::Lowering::sparse)),
        builder(function.getBuilder()), loc(function.getLoc()),
        stream(info, /*hasDst=*/false) {}

  FailureOr<func::FuncOp> run();

private:
  /// The loop over the block's rows; its results are the aggregated blocks.
  FailureOr<SmallVector<Value>> emitRows();
  /// One row: the loop over its edges; returns the aggregated features.
  FailureOr<SmallVector<Lifted>> emitRow(Value row);
  /// One edge: messages and accumulation.
  FailureOr<SmallVector<Value>> emitEdge(Value row, Value position,
                                         ValueRange states,
                                         const DenseMap<Value, Lifted> &dst);

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  const KernelInfo &info;
  BlockFunction function;
  OpBuilder &builder;
  Location loc;
  EdgeStream stream;
};
} // namespace

FailureOr<SmallVector<Value>>
RowLowering::emitEdge(Value row, Value position, ValueRange states,
                      const DenseMap<Value, Lifted> &dst) {
  Value source = function.load(GraphArray::indices, position);
  Lifter lifter(builder, 0, 0, row, source);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  Value edge;
  if (info.usesEdgeFeatures())
    edge = function.load(GraphArray::edgeIds, position);

  DenseMap<Value, Lifted> src;
  for (Value input : info.srcInputs)
    src[input] = function.stageRow(lifter, input, source);
  FailureOr<DenseMap<Value, Lifted>> edgeValues = stream.computeMessages(
      lifter, [&](BlockArgument, Value input) { return dst.lookup(input); },
      [&](BlockArgument, Value input) { return src.lookup(input); },
      [&](BlockArgument, Value input) {
        return function.stageRow(lifter, input, edge);
      });
  if (failed(edgeValues))
    return failure();
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (function.getOutput(result))
        function.storeEdge(lifter, result, edge, edgeValues->lookup(result));
  return stream.accumulate(lifter, states, *edgeValues, {});
}

FailureOr<SmallVector<Lifted>> RowLowering::emitRow(Value row) {
  Lifter lifter(builder, 0, 0, row, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  DenseMap<Value, Lifted> dst;
  for (mp::MessageOp message : info.messages)
    for (Value input : message.getDst())
      if (!dst.contains(input))
        dst[input] = function.stageRow(lifter, input, row);

  FailureOr<SmallVector<Value>> initial = stream.getIdentity(lifter);
  if (failed(initial))
    return failure();

  Value begin = function.load(GraphArray::indptr, row);
  Value next = arith::AddIOp::create(builder, loc, row, constantIndex(1));
  Value end = function.load(GraphArray::indptr, next);
  auto edges =
      scf::ForOp::create(builder, loc, begin, end, constantIndex(1), *initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(edges.getBody());
    FailureOr<SmallVector<Value>> states =
        emitEdge(row, edges.getInductionVar(), edges.getRegionIterArgs(), dst);
    if (failed(states))
      return failure();
    if (!states->empty())
      scf::YieldOp::create(builder, loc, *states);
  }

  Value degree = arith::SubIOp::create(builder, loc, end, begin);
  degree =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), degree);
  auto degreeType = RankedTensorType::get({}, builder.getI64Type());
  Lifted lifted = {
      tensor::FromElementsOp::create(builder, loc, degreeType, degree), {}};
  return stream.finalise(lifter, edges.getResults(), lifted);
}

FailureOr<SmallVector<Value>> RowLowering::emitRows() {
  Lifter lifter(builder, function.getShape().rows, 0, function.getFirst(), {});
  SmallVector<Value> blocks;
  for (mp::AggregateOp op : info.aggregates)
    for (Value result : op.getResults()) {
      RankedTensorType feature = mp::getNodeFeature(result.getType());
      blocks.push_back(
          lifter
              .fill(loc, feature.getShape(),
                    getComputeType(feature.getElementType()),
                    getCanonicalLayout(feature.getRank(), true, false), 0.0)
              .tensor);
    }
  auto rows = scf::ForOp::create(builder, loc, function.getFirst(),
                                 function.getLast(), constantIndex(1), blocks);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = rows.getInductionVar();
  FailureOr<SmallVector<Lifted>> values = emitRow(row);
  if (failed(values))
    return failure();
  Value position =
      arith::SubIOp::create(builder, loc, row, function.getFirst());
  SmallVector<Value> next;
  for (auto [block, value] :
       llvm::zip_equal(rows.getRegionIterArgs(), *values)) {
    RowSlice one(builder, cast<ShapedType>(block.getType()), position,
                 builder.getIndexAttr(1));
    next.push_back(tensor::InsertSliceOp::create(builder, loc, value.tensor,
                                                 block, one.offsets, one.sizes,
                                                 one.strides));
  }
  if (!next.empty())
    scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(rows.getResults());
}

FailureOr<func::FuncOp> RowLowering::run() {
  FailureOr<SmallVector<Value>> blocks = emitRows();
  if (failed(blocks))
    return failure();
  SmallVector<std::pair<Value, Lifted>> aggregated;
  ArrayRef<Value> rest = *blocks;
  for (mp::AggregateOp op : info.aggregates)
    for (Value result : op.getResults()) {
      unsigned rank = mp::getNodeFeature(result.getType()).getRank();
      aggregated.push_back(
          {result, {rest.front(), getCanonicalLayout(rank, true, false)}});
      rest = rest.drop_front();
    }
  if (failed(function.finish(aggregated)))
    return failure();
  return function.getFunction();
}

FailureOr<func::FuncOp> clique::lowerToRows(const KernelInfo &info,
                                            TileShape shape) {
  return RowLowering(info, shape).run();
}
