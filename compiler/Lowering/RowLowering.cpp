//===- RowLowering.cpp - Sparse rows --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/RowLowering.h"
#include "compiler/Lowering/EdgeChunk.h"
#include "compiler/Lowering/EdgeIds.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

FailureOr<SmallVector<Value>>
RowLowering::emitEdge(const Edge &edge, bool store, Accumulate accumulate,
                      llvm::function_ref<void(Lifter &)> prepare) {
  Value source = function.load(
      GraphArray::sources,
      arith::AddIOp::create(builder, loc, edge.position, edge.shift));
  Lifter lifter(builder, 0, 0, edge.row, source);
  // The threads of a GPU hold features in registers, which have no index.
  if (function.getShape().threads == 0)
    lifter.skipZeros();
  if (failed(function.mapCaptures(lifter)))
    return failure();
  Value id;
  if (info.usesEdgeFeatures())
    id = EdgeIds(function).load(edge.row, edge.position);
  if (info.usesEdgeNumbers())
    lifter.mapEdgeNumber(loc, id);

  DenseMap<Value, Lifted> src;
  for (Value input : info.srcInputs)
    src[input] = function.stageRow(lifter, input, source);
  if (prepare)
    prepare(lifter);
  FailureOr<EdgeValues> values = stream.computeMessages(
      lifter,
      [&](BlockArgument, Value input) { return edge.dst.lookup(input); },
      [&](BlockArgument, Value input) { return src.lookup(input); },
      [&](BlockArgument, Value input) {
        return function.stageRow(lifter, input, id);
      });
  if (failed(values))
    return failure();
  if (store)
    for (mp::MessageOp message : info.messages)
      for (Value result : message.getResults())
        if (function.getOutput(result))
          function.storeRow(lifter, result, id, values->lookup(result));
  return accumulate(lifter, *values);
}

RowLowering::Edge RowLowering::getEdgeAt(const Edge &first, Value place) {
  return {first.row, arith::AddIOp::create(builder, loc, first.position, place),
          first.shift, first.dst};
}

FailureOr<SmallVector<Value>>
RowLowering::emitFunctionChunk(const Edge &firstEdge, Value count,
                               ValueRange states) {
  Lifter lifter(builder, 0, function.getShape().chunkEdges, firstEdge.row, {});
  Value zero = constantIndex(0);
  FailureOr<SmallVector<Value>> arguments = emitLoop(
      zero, count, 1, functions.create(lifter, loc, count),
      [&](Value place, ValueRange carried) {
        return emitEdge(
            getEdgeAt(firstEdge, place), /*store=*/false,
            [&](Lifter &edge, EdgeValues &) -> FailureOr<SmallVector<Value>> {
              return functions.insert(edge, loc, carried, place);
            });
      });
  if (failed(arguments))
    return failure();
  SmallVector<Value> known = functions.apply(lifter, *arguments, count);
  return emitLoop(zero, count, 1, states, [&](Value place, ValueRange carried) {
    return emitEdge(
        getEdgeAt(firstEdge, place), /*store=*/true,
        [&](Lifter &edge, EdgeValues &values) {
          return stream.accumulate(edge, carried, values, {});
        },
        [&](Lifter &edge) { functions.map(edge, loc, known, place); });
  });
}

FailureOr<SmallVector<Value>>
RowLowering::emitChunk(const Edge &firstEdge, Value count, ValueRange states) {
  Lifter lifter(builder, 0, function.getShape().chunkEdges, firstEdge.row, {});
  EdgeChunk chunk(stream, lifter, count);
  Value zero = constantIndex(0);
  FailureOr<SmallVector<Value>> filled = emitLoop(
      zero, count, 1, chunk.create(loc), [&](Value place, ValueRange carried) {
        return emitEdge(getEdgeAt(firstEdge, place), /*store=*/false,
                        [&](Lifter &lifter, EdgeValues &values)
                            -> FailureOr<SmallVector<Value>> {
                          return chunk.insert(loc, carried, place, values);
                        });
      });
  if (failed(filled))
    return failure();
  EdgeValues known = chunk.getValues(*filled);
  EdgeStream::EdgeWeights weights;
  SmallVector<Value> taken =
      stream.accumulateAhead(lifter, states, known, count, weights);
  if (stream.isDoneAhead() && !storesMessages())
    return taken;
  return emitLoop(zero, count, 1, taken, [&](Value place, ValueRange carried) {
    return emitEdge(getEdgeAt(firstEdge, place), /*store=*/true,
                    [&](Lifter &lifter, EdgeValues &values) {
                      chunk.replace(loc, known, place, values);
                      return stream.accumulateEdge(lifter, carried, values,
                                                   weights, place);
                    });
  });
}

FailureOr<SmallVector<Value>> RowLowering::emitEdges(Lifter &lifter, Value row,
                                                     Value begin, Value end) {
  DenseMap<Value, Lifted> dst;
  for (mp::MessageOp message : info.messages)
    for (Value input : message.getDst())
      if (!dst.contains(input))
        dst[input] = function.stageRow(lifter, input, row);

  FailureOr<SmallVector<Value>> initial = stream.getIdentity(lifter);
  if (failed(initial))
    return failure();
  Value shift = arith::SubIOp::create(
      builder, loc, function.load(GraphArray::rowSources, row), loadBegin(row));
  const bool inChunks =
      !stream.getAhead().empty() || !products.empty() || !functions.empty();
  int64_t chunkEdges = inChunks ? function.getShape().chunkEdges : 0;
  return emitLoop(
      begin, end, std::max<int64_t>(chunkEdges, 1), *initial,
      [&](Value position, ValueRange states) {
        Edge edge = {row, position, shift, dst};
        if (chunkEdges == 0) {
          return emitEdge(
              edge, /*store=*/true, [&](Lifter &lifter, EdgeValues &values) {
                return stream.accumulate(lifter, states, values, {});
              });
        }
        Value rest = arith::SubIOp::create(builder, loc, end, position);
        Value count = arith::MinSIOp::create(builder, loc, rest,
                                             constantIndex(chunkEdges));
        if (!functions.empty())
          return emitFunctionChunk(edge, count, states);
        return products.empty() ? emitChunk(edge, count, states)
                                : emitProductChunk(edge, count, states);
      });
}

FailureOr<SmallVector<Lifted>> RowLowering::emitRow(Value row) {
  Lifter lifter(builder, 0, 0, row, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  Value begin = loadBegin(row), end = loadEnd(row);
  FailureOr<SmallVector<Value>> states =
      merge ? emitMerge(lifter) : emitEdges(lifter, row, begin, end);
  if (failed(states))
    return failure();

  Value degree = arith::SubIOp::create(builder, loc, end, begin);
  degree =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), degree);
  auto degreeType = RankedTensorType::get({}, builder.getI64Type());
  Lifted lifted = {
      tensor::FromElementsOp::create(builder, loc, degreeType, degree), {}};
  return stream.finalise(lifter, *states, lifted);
}

FailureOr<SmallVector<Value>> RowLowering::emitRows(ArrayRef<Value> inBlocks) {
  Lifter lifter(builder, function.getShape().rows, 0, function.getFirst(), {});
  SmallVector<Value> blocks;
  for (Value result : inBlocks) {
    RankedTensorType feature = mp::getNodeFeature(result.getType());
    Layout layout = getCanonicalLayout(feature.getRank(), true, false);
    blocks.push_back(lifter
                         .fill(loc, feature.getShape(),
                               getComputeType(feature.getElementType()), layout,
                               0.0)
                         .tensor);
  }
  auto emitOne = [&](Value row,
                     ValueRange blocks) -> FailureOr<SmallVector<Value>> {
    FailureOr<SmallVector<Lifted>> values = emitRow(row);
    if (failed(values))
      return failure();
    Value position =
        arith::SubIOp::create(builder, loc, row, function.getFirst());
    Lifter lifter(builder, 0, 0, row, {});
    SmallVector<Value> next;
    for (auto [result, value] : llvm::zip_equal(getAggregated(), *values)) {
      if (!llvm::is_contained(inBlocks, result)) {
        function.storeRow(lifter, result, row, value);
        continue;
      }
      Value block = blocks[next.size()];
      RowSlice one(builder, cast<ShapedType>(block.getType()), position,
                   builder.getIndexAttr(1));
      next.push_back(tensor::InsertSliceOp::create(builder, loc, value.tensor,
                                                   block, one.offsets,
                                                   one.sizes, one.strides));
    }
    return next;
  };
  if (function.getShape().rows == 1)
    return emitOne(function.getFirst(), blocks);
  return emitLoop(function.getFirst(), function.getLast(), 1, blocks, emitOne);
}

bool RowLowering::storesMessages() {
  return llvm::any_of(info.messages, [&](mp::MessageOp message) {
    return llvm::any_of(message.getResults(), [&](Value result) {
      return !!function.getOutput(result);
    });
  });
}

SmallVector<Value> RowLowering::getAggregated() {
  SmallVector<Value> results;
  for (mp::AggregateOp op : info.aggregates)
    llvm::append_range(results, op.getResults());
  return results;
}

LogicalResult RowLowering::run() {
  // What only leaves the kernel is written row by row; what an update or a sum
  // over nodes reads is kept for a block of rows.
  SmallVector<Value> inBlocks;
  for (Value result : getAggregated())
    if (!function.getOutput(result) ||
        llvm::any_of(result.getUsers(),
                     [](Operation *user) { return !isa<mp::YieldOp>(user); }))
      inBlocks.push_back(result);
  FailureOr<SmallVector<Value>> blocks = emitRows(inBlocks);
  if (failed(blocks))
    return failure();
  SmallVector<std::pair<Value, Lifted>> aggregated;
  for (auto [result, block] : llvm::zip_equal(inBlocks, *blocks)) {
    unsigned rank = mp::getNodeFeature(result.getType()).getRank();
    aggregated.push_back(
        {result, {block, getCanonicalLayout(rank, true, false)}});
  }
  return function.finish(function.getRows(), aggregated);
}

LogicalResult clique::lowerToRows(BlockFunction &function) {
  RowLowering lowering(function);
  switch (function.getPart()) {
  case mp::BlockPart::rows:
    return function.getInfo().scan ? lowering.runScan() : lowering.run();
  case mp::BlockPart::chunk:
    return lowering.runChunk();
  case mp::BlockPart::merge:
    return lowering.runMerge();
  }
  llvm_unreachable("unknown part");
}
