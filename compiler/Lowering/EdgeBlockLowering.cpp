//===- EdgeBlockLowering.cpp - Sparse rows in chunks of edges -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edges of a block of rows lie one after the other, whatever the rows'
// lengths. They are taken in chunks of a fixed size, which begin and end
// anywhere in a row:
//
//   for each chunk of the block's edges
//     for each row of it, for each of its edges      gather its features
//     messages                                       [edge, feature...]
//     for each row of it, for each of its edges      take in its messages
//   for each step of rows                            finalise, update, store
//
// In the messages the edges of the chunk are the leading axis, as nodes are in
// updates: a linear map is a product of matrices. No edge value outlives its
// chunk, and a row's edges are taken in in their order.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeIds.h"
#include "compiler/Lowering/EdgeMessages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class EdgeBlockLowering {
public:
  explicit EdgeBlockLowering(BlockFunction &function)
      : info(function.getInfo()), function(function),
        builder(function.getBuilder()), loc(function.getLoc()), loops(function),
        rowStream(info, /*hasDst=*/false), blockStream(info, /*hasDst=*/true),
        messages(function, rowStream) {}

  /// A block of rows.
  LogicalResult run();
  /// A part of a row's edges, to the scratch.
  LogicalResult runChunk();

private:
  using Values = SmallVector<Value>;
  using EdgeValues = EdgeMessages::EdgeValues;
  /// The states of the block's rows without edges, in whole steps.
  FailureOr<Values> emitIdentity();
  /// The states after edges [begin, end), of which the first is one of `row` or
  /// of a later row.
  FailureOr<Values> emitChunks(Value row, Value begin, Value end,
                               ValueRange states);
  /// The state of a divided row after edges [begin, end), in parts.
  FailureOr<Values> emitParts(Value begin, Value end);
  /// Updates and stores of the block's rows.
  LogicalResult emitResults(ValueRange states);

  /// The states after the messages of a chunk.
  FailureOr<Values> emitTakeIn(const EdgeRange &chunk, const EdgeValues &values,
                               ValueRange states);
  /// The state of `row` after the messages at places [from, to) of a chunk.
  FailureOr<Values> emitSegment(const EdgeRange &chunk, Value row, Value from,
                                Value to, const EdgeValues &values,
                                ValueRange state);
  int64_t getChunkEdges() { return function.getShape().chunkEdges; }

  const KernelInfo &info;
  BlockFunction &function;
  OpBuilder &builder;
  Location loc;
  EdgeChunkLoops loops;
  EdgeStream rowStream, blockStream;
  EdgeMessages messages;
};
} // namespace

//===----------------------------------------------------------------------===//
// Monoids
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
EdgeBlockLowering::emitSegment(const EdgeRange &chunk, Value row, Value from,
                               Value to, const EdgeValues &values,
                               ValueRange state) {
  Lifter lifter(builder, 0, getChunkEdges(), row, {});
  Value count = loops.subtract(to, from);
  EdgeValues ahead = messages.takeAhead(lifter, values, from, count);
  EdgeStream::EdgeWeights weights;
  Values taken =
      rowStream.accumulateAhead(lifter, state, ahead, count, weights);
  return loops.emitLoop(
      loops.constantIndex(0), count, 1, taken,
      [&](Value k, ValueRange carried) -> FailureOr<Values> {
        Value place = loops.add(from, k);
        Lifter lifter(builder, 0, 0, row, {});
        if (failed(function.mapCaptures(lifter)))
          return failure();
        EdgeValues own = messages.getOwn(lifter, values, place);
        for (mp::MessageOp message : info.messages)
          for (Value result : message.getResults())
            if (function.getOutput(result))
              function.storeRow(
                  lifter, result,
                  EdgeIds(function).load(row, loops.add(chunk.begin, place)),
                  own.lookup(result));
        return rowStream.accumulateEdge(lifter, carried, own, weights, k);
      });
}

FailureOr<SmallVector<Value>>
EdgeBlockLowering::emitTakeIn(const EdgeRange &chunk, const EdgeValues &values,
                              ValueRange states) {
  return loops.emitRows(
      chunk, states,
      [&](Value row, Value from, Value to,
          ValueRange carried) -> FailureOr<Values> {
        Value place = loops.subtract(row, function.getFirst());
        Values state;
        for (Value block : carried)
          state.push_back(loops.extractRow(block, place));
        FailureOr<Values> next =
            emitSegment(chunk, row, from, to, values, state);
        if (failed(next))
          return failure();
        Values blocks;
        for (auto [part, block] : llvm::zip_equal(*next, carried))
          blocks.push_back(loops.insertRow(part, block, place));
        return blocks;
      });
}

FailureOr<SmallVector<Value>> EdgeBlockLowering::emitChunks(Value row,
                                                            Value begin,
                                                            Value end,
                                                            ValueRange states) {
  Values initial = {row};
  llvm::append_range(initial, states);
  FailureOr<Values> results = loops.emitLoop(
      begin, end, getChunkEdges(), initial,
      [&](Value position, ValueRange carried) -> FailureOr<Values> {
        EdgeRange chunk;
        chunk.begin = position;
        chunk.past = loops.min(
            loops.add(position, loops.constantIndex(getChunkEdges())), end);
        Value last = loops.subtract(chunk.past, loops.constantIndex(1));
        chunk.firstRow = carried.front();
        chunk.lastRow = loops.findRow(chunk.firstRow, last);
        GatheredEdges gathered = EdgeGathering(function).gather(chunk);
        FailureOr<EdgeValues> values = messages.compute(gathered);
        if (failed(values))
          return failure();
        FailureOr<Values> next =
            emitTakeIn(chunk, *values, carried.drop_front());
        if (failed(next))
          return failure();
        next->insert(next->begin(), chunk.lastRow);
        return next;
      });
  if (failed(results))
    return failure();
  results->erase(results->begin());
  return results;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> EdgeBlockLowering::emitIdentity() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.tileRows, 0, {}, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<Values> identity = blockStream.getIdentity(lifter);
  if (failed(identity))
    return failure();
  Values states;
  for (Value step : *identity) {
    auto type = cast<RankedTensorType>(step.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes.front() = shape.rows;
    states.push_back(
        tensor::EmptyOp::create(builder, loc, sizes, type.getElementType()));
  }
  return loops.emitLoop(
      loops.constantIndex(0), function.getNumRows(), shape.tileRows, states,
      [&](Value from, ValueRange carried) -> FailureOr<Values> {
        Values next;
        for (auto [step, state] : llvm::zip_equal(*identity, carried)) {
          RowSlice slice(builder, cast<ShapedType>(step.getType()), from,
                         builder.getIndexAttr(shape.tileRows));
          next.push_back(tensor::InsertSliceOp::create(
              builder, loc, step, state, slice.offsets, slice.sizes,
              slice.strides));
        }
        return next;
      });
}

LogicalResult EdgeBlockLowering::emitResults(ValueRange states) {
  int64_t step = function.getShape().tileRows;
  FailureOr<Values> done = loops.emitLoop(
      loops.constantIndex(0), function.getNumRows(), step, {},
      [&](Value from, ValueRange) -> FailureOr<Values> {
        Value first = loops.add(function.getFirst(), from);
        Value count = loops.min(loops.subtract(function.getNumRows(), from),
                                loops.constantIndex(step));
        Lifter lifter(builder, step, 0, first, {});
        if (failed(function.mapCaptures(lifter)))
          return failure();
        Values parts;
        for (Value state : states)
          parts.push_back(
              sliceRows(builder, loc, state, from, builder.getIndexAttr(step)));
        FailureOr<SmallVector<Lifted>> values = blockStream.finalise(
            lifter, parts, function.emitDegrees(lifter, first, count));
        if (failed(values))
          return failure();
        Values results;
        for (mp::AggregateOp op : info.aggregates)
          llvm::append_range(results, op.getResults());
        SmallVector<std::pair<Value, Lifted>> aggregated;
        for (auto [result, value] : llvm::zip_equal(results, *values))
          aggregated.emplace_back(result, value);
        if (failed(function.finish({first, count, step}, aggregated)))
          return failure();
        return Values();
      });
  return failure(failed(done));
}

LogicalResult EdgeBlockLowering::run() {
  Value first = function.getFirst(), last = function.getLast();
  Lifter lifter(builder, 0, 0, {}, {});
  if (failed(function.mapCaptures(lifter)) ||
      failed(rowStream.getIdentity(lifter)))
    return failure();
  FailureOr<Values> states = emitIdentity();
  if (failed(states))
    return failure();
  states = emitChunks(first, function.load(GraphArray::indptr, first),
                      function.load(GraphArray::indptr, last), *states);
  if (failed(states))
    return failure();
  return emitResults(*states);
}

FailureOr<SmallVector<Value>> EdgeBlockLowering::emitParts(Value begin,
                                                           Value end) {
  Lifter lifter(builder, 0, 0, function.getFirst(), {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<Values> initial = rowStream.getIdentity(lifter);
  if (failed(initial))
    return failure();
  int64_t edges = function.getShape().partEdges;
  auto emitPart = [&](Value first, Value past) -> FailureOr<Values> {
    Values blocks;
    for (Value state : *initial) {
      auto type = cast<RankedTensorType>(state.getType());
      SmallVector<int64_t> sizes = {1};
      llvm::append_range(sizes, type.getShape());
      Value block =
          tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
      blocks.push_back(loops.insertRow(state, block, loops.constantIndex(0)));
    }
    FailureOr<Values> states =
        emitChunks(function.getFirst(), first, past, blocks);
    if (failed(states))
      return failure();
    for (Value &state : *states)
      state = loops.extractRow(state, loops.constantIndex(0));
    return states;
  };
  if (edges == 0)
    return emitPart(begin, end);
  return loops.emitLoop(
      begin, end, edges, *initial,
      [&](Value first, ValueRange states) -> FailureOr<Values> {
        Value past =
            loops.min(loops.add(first, loops.constantIndex(edges)), end);
        FailureOr<Values> part = emitPart(first, past);
        if (failed(part))
          return failure();
        return rowStream.combine(lifter, states, *part);
      });
}

LogicalResult EdgeBlockLowering::runChunk() {
  ValueRange args = function.getArgs();
  FailureOr<Values> states = emitParts(args[0], args[1]);
  if (failed(states))
    return failure();
  return storeStates(function, *states, args[2]);
}

LogicalResult clique::lowerToEdgeBlocks(BlockFunction &function) {
  EdgeBlockLowering lowering(function);
  return function.getPart() == mp::BlockPart::chunk ? lowering.runChunk()
                                                    : lowering.run();
}
