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
#include "compiler/Lowering/EdgeChunk.h"
#include "compiler/Lowering/EdgeStream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class RowLowering {
public:
  RowLowering(const KernelInfo &info, TileShape shape,
              StringRef suffix = "_sparse")
      : info(info),
        function(info, suffix, shape, getGraphArrays(mp::Lowering::sparse)),
        builder(function.getBuilder()), loc(function.getLoc()),
        stream(info, /*hasDst=*/false) {}

  /// The function of a block of rows.
  FailureOr<func::FuncOp> run();
  /// That of a part of a row's edges; `types`: of the scratch.
  FailureOr<func::FuncOp> runChunk(SmallVectorImpl<MemRefType> &types);
  /// That of a row whose edges are in the scratch.
  FailureOr<func::FuncOp> runMerge(ArrayRef<MemRefType> types);

private:
  /// The results of all aggregations.
  SmallVector<Value> getAggregated();
  /// Whether values of edges leave the kernel.
  bool storesMessages();
  /// The loop over the block's rows; returns the blocks of these results of
  /// aggregations. The others are stored.
  FailureOr<SmallVector<Value>> emitRows(ArrayRef<Value> inBlocks);
  /// One row; returns the aggregated features.
  FailureOr<SmallVector<Lifted>> emitRow(Value row);
  /// The loop over the edges [begin, end) of a row; returns the states.
  FailureOr<SmallVector<Value>> emitEdges(Lifter &lifter, Value row,
                                          Value begin, Value end);
  /// The same in parts, so that the error of a sum grows less with its length.
  FailureOr<SmallVector<Value>> emitParts(Lifter &lifter, Value row,
                                          Value begin, Value end);
  /// The states of a row in chunks.
  FailureOr<SmallVector<Value>> emitMerge(Lifter &lifter);
  /// The first edge of a row.
  Value loadBegin(Value row) { return function.load(GraphArray::indptr, row); }
  Value loadEnd(Value row) {
    return loadBegin(
        arith::AddIOp::create(builder, loc, row, constantIndex(1)));
  }
  /// What an edge is computed from: its row, its position among all edges, how
  /// much further its source stands in the array of sources, and the row's own
  /// features.
  struct Edge {
    Value row, position, shift;
    const DenseMap<Value, Lifted> &dst;
  };
  using EdgeValues = DenseMap<Value, Lifted>;
  using Accumulate =
      llvm::function_ref<FailureOr<SmallVector<Value>>(Lifter &, EdgeValues &)>;
  /// One edge: messages, and what `accumulate` makes of them. `store`: those
  /// that leave the kernel are written.
  FailureOr<SmallVector<Value>> emitEdge(const Edge &edge, bool store,
                                         Accumulate accumulate);
  /// Fetches features of the source of an edge some way ahead into the caches.
  void emitPrefetch(const Edge &edge, ArrayRef<Value> inputs);
  using Body =
      llvm::function_ref<FailureOr<SmallVector<Value>>(Value, ValueRange)>;
  /// A loop that carries `initial`; returns what it ends with.
  FailureOr<SmallVector<Value>> emitLoop(Value begin, Value end, int64_t step,
                                         ValueRange initial, Body body);
  /// A chunk of a row's edges, for kernels with a softmax; returns the states.
  FailureOr<SmallVector<Value>> emitChunk(const Edge &firstEdge, Value count,
                                          ValueRange states);

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  const KernelInfo &info;
  BlockFunction function;
  OpBuilder &builder;
  Location loc;
  EdgeStream stream;

  /// Of a merging function: the chunks of the row, and their states.
  struct Merge {
    Value firstChunk, lastChunk;
    SmallVector<Value> scratch;
  };
  std::optional<Merge> merge;
};
} // namespace

FailureOr<SmallVector<Value>>
RowLowering::emitEdge(const Edge &edge, bool store, Accumulate accumulate) {
  Value source = function.load(
      GraphArray::sources,
      arith::AddIOp::create(builder, loc, edge.position, edge.shift));
  Lifter lifter(builder, 0, 0, edge.row, source);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  Value id;
  if (info.usesEdgeFeatures())
    id = function.load(GraphArray::edgeIds, edge.position);
  if (info.usesEdgeNumbers()) {
    Type type = builder.getI64Type();
    Value number = arith::IndexCastOp::create(builder, loc, type, id);
    lifter.mapNumbers(
        mp::Endpoint::edge,
        {tensor::FromElementsOp::create(
             builder, loc, RankedTensorType::get({}, type), number),
         {}});
  }

  DenseMap<Value, Lifted> src;
  for (Value input : info.srcInputs)
    src[input] = function.stageRow(lifter, input, source);
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

void RowLowering::emitPrefetch(const Edge &edge, ArrayRef<Value> inputs) {
  int64_t distance = function.getShape().prefetchEdges;
  if (inputs.empty() || distance == 0)
    return;
  Value place = arith::AddIOp::create(builder, loc, edge.position, edge.shift);
  Value ahead =
      arith::AddIOp::create(builder, loc, place, constantIndex(distance));
  Value sources = function.getArray(GraphArray::sources);
  Value last = arith::SubIOp::create(
      builder, loc, memref::DimOp::create(builder, loc, sources, int64_t(0)),
      constantIndex(1));
  ahead = arith::MinSIOp::create(builder, loc, ahead, last);
  Value source = function.load(GraphArray::sources, ahead);
  for (Value input : inputs)
    function.prefetchRow(input, source);
}

FailureOr<SmallVector<Value>> RowLowering::emitLoop(Value begin, Value end,
                                                    int64_t step,
                                                    ValueRange initial,
                                                    Body body) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, constantIndex(step),
                                 initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  FailureOr<SmallVector<Value>> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  if (!next->empty())
    scf::YieldOp::create(builder, loc, *next);
  return SmallVector<Value>(loop.getResults());
}

FailureOr<SmallVector<Value>>
RowLowering::emitChunk(const Edge &firstEdge, Value count, ValueRange states) {
  Lifter lifter(builder, 0, function.getShape().chunkEdges, firstEdge.row, {});
  auto atPlace = [&](Value place) {
    return Edge{firstEdge.row,
                arith::AddIOp::create(builder, loc, firstEdge.position, place),
                firstEdge.shift, firstEdge.dst};
  };
  EdgeChunk chunk(stream, lifter, count);
  // Each loop fetches what it reads itself, so that memory has work in both.
  llvm::SetVector<Value> early = chunk.getSources(), late = info.srcInputs;
  late.set_subtract(early);
  Value zero = constantIndex(0);
  FailureOr<SmallVector<Value>> filled = emitLoop(
      zero, count, 1, chunk.create(loc), [&](Value place, ValueRange carried) {
        Edge edge = atPlace(place);
        emitPrefetch(edge, early.getArrayRef());
        return emitEdge(edge, /*store=*/false,
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
    Edge edge = atPlace(place);
    emitPrefetch(edge, late.getArrayRef());
    return emitEdge(
        edge, /*store=*/true, [&](Lifter &lifter, EdgeValues &values) {
          chunk.replace(loc, known, place, values);
          return stream.accumulateEdge(lifter, carried, values, weights, place);
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
  int64_t chunkEdges =
      stream.getAhead().empty() ? 0 : function.getShape().chunkEdges;
  return emitLoop(
      begin, end, std::max<int64_t>(chunkEdges, 1), *initial,
      [&](Value position, ValueRange states) {
        Edge edge = {row, position, shift, dst};
        if (chunkEdges == 0) {
          emitPrefetch(edge, info.srcInputs.getArrayRef());
          return emitEdge(
              edge, /*store=*/true, [&](Lifter &lifter, EdgeValues &values) {
                return stream.accumulate(lifter, states, values, {});
              });
        }
        Value rest = arith::SubIOp::create(builder, loc, end, position);
        Value count = arith::MinSIOp::create(builder, loc, rest,
                                             constantIndex(chunkEdges));
        return emitChunk(edge, count, states);
      });
}

FailureOr<SmallVector<Value>> RowLowering::emitParts(Lifter &lifter, Value row,
                                                     Value begin, Value end) {
  int64_t edges = function.getShape().partEdges;
  if (edges == 0)
    return emitEdges(lifter, row, begin, end);
  FailureOr<SmallVector<Value>> initial = stream.getIdentity(lifter);
  if (failed(initial))
    return failure();
  return emitLoop(
      begin, end, edges, *initial,
      [&](Value first, ValueRange states) -> FailureOr<SmallVector<Value>> {
        Value past =
            arith::AddIOp::create(builder, loc, first, constantIndex(edges));
        past = arith::MinSIOp::create(builder, loc, past, end);
        FailureOr<SmallVector<Value>> part =
            emitEdges(lifter, row, first, past);
        if (failed(part))
          return failure();
        return stream.combine(lifter, states, *part);
      });
}

FailureOr<SmallVector<Value>> RowLowering::emitMerge(Lifter &lifter) {
  FailureOr<SmallVector<Value>> initial = stream.getIdentity(lifter);
  if (failed(initial))
    return failure();
  return emitLoop(merge->firstChunk, merge->lastChunk, 1, *initial,
                  [&](Value chunk, ValueRange states) {
                    SmallVector<Value> others;
                    for (Value scratch : merge->scratch)
                      others.push_back(function.loadRow(scratch, chunk));
                    return stream.combine(lifter, states, others);
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

FailureOr<func::FuncOp> RowLowering::run() {
  // What only leaves the kernel is written row by row; what an update reads is
  // kept for a block of rows.
  SmallVector<Value> inBlocks;
  for (Value result : getAggregated())
    if (!function.getOutput(result) ||
        llvm::any_of(result.getUsers(),
                     [](Operation *user) { return isa<mp::UpdateOp>(user); }))
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
  if (failed(function.finish(function.getRows(), aggregated)))
    return failure();
  function.createReturn();
  return function.getFunction();
}

FailureOr<func::FuncOp>
RowLowering::runChunk(SmallVectorImpl<MemRefType> &types) {
  Value begin = function.addArgument(builder.getIndexType());
  Value end = function.addArgument(builder.getIndexType());
  Value chunk = function.addArgument(builder.getIndexType());
  Value row = function.getFirst();
  Lifter lifter(builder, 0, 0, row, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<SmallVector<Value>> states = emitParts(lifter, row, begin, end);
  if (failed(states))
    return failure();
  for (Value state : *states) {
    auto type = cast<RankedTensorType>(state.getType());
    SmallVector<int64_t> shape = {ShapedType::kDynamic};
    llvm::append_range(shape, type.getShape());
    types.push_back(MemRefType::get(shape, type.getElementType()));
    function.storeRow(state, function.addArgument(types.back()), chunk);
  }
  function.createReturn();
  return function.getFunction();
}

FailureOr<func::FuncOp> RowLowering::runMerge(ArrayRef<MemRefType> types) {
  merge.emplace();
  merge->firstChunk = function.addArgument(builder.getIndexType());
  merge->lastChunk = function.addArgument(builder.getIndexType());
  for (MemRefType type : types)
    merge->scratch.push_back(function.addArgument(type));
  return run();
}

FailureOr<func::FuncOp> clique::lowerToRows(const KernelInfo &info,
                                            TileShape shape) {
  return RowLowering(info, shape).run();
}

FailureOr<HubFunctions> clique::lowerHubs(const KernelInfo &info,
                                          TileShape shape, bool inChunks) {
  HubFunctions functions;
  TileShape oneRow = shape;
  oneRow.rows = 1;
  FailureOr<func::FuncOp> chunk =
      inChunks ? lowerHubChunkToEdgeBlocks(info, oneRow, functions.scratch)
               : RowLowering(info, oneRow, "_sparse_chunk")
                     .runChunk(functions.scratch);
  if (failed(chunk))
    return failure();
  FailureOr<func::FuncOp> merge =
      RowLowering(info, oneRow, "_sparse_merge").runMerge(functions.scratch);
  if (failed(merge))
    return failure();
  functions.chunk = *chunk;
  functions.merge = *merge;
  return functions;
}
