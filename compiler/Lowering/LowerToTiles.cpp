//===- LowerToTiles.cpp - Dense tiles -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an interval graph, where destination i hears the sources [begin(i),
// end(i)), a block of destinations meets its sources tile by tile (as in
// FlashAttention: Dao et al., 2022). Inside a tile the bilinear parts of the
// message are matrix products, the rest is elementwise, and the monoids reduce
// the source axis. A mask takes out the pairs of a tile that are no edges; a
// tile in which every pair is one (most of them on a complete or causal graph)
// has code of its own without.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/EdgeStream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class TileLowering {
public:
  TileLowering(const KernelInfo &info, TileShape shape)
      : info(info),
        function(info, "_dense", shape, getGraphArrays(mp::Lowering::dense)),
        builder(function.getBuilder()), loc(function.getLoc()),
        stream(info, /*hasDst=*/true) {}

  FailureOr<func::FuncOp> run();

private:
  using EdgeBody = llvm::function_ref<SmallVector<Value>(
      Value dstOffset, Value srcOffset, Value edge, ValueRange carried)>;

  /// The rows' intervals, i64 [dst]; 0 beyond the block's rows.
  Lifted stageInterval(Lifter &lifter, GraphArray array);
  Lifted emitDegrees(Lifter &lifter);
  Lifted emitMask(Lifter &lifter, Value firstSource);
  /// Whether every pair of the tile is an edge, for all rows of the block.
  Value emitIsFull(Value firstSource);
  /// One tile: messages and accumulation; returns the new states.
  FailureOr<SmallVector<Value>> emitTile(Value firstSource, Value lastSource,
                                         ValueRange states, bool isFull);
  /// The body of the loop over tiles: one tile, full or not.
  LogicalResult emitTileOfEitherKind(Value firstSource, Value lastSource,
                                     ValueRange states);
  /// Loops over the edges of a tile, one at a time, with `carried` tensors.
  SmallVector<Value> forEachEdge(Value firstSource, Value numSources,
                                 ValueRange carried, EdgeBody body);
  /// The tile of an edge input, [feature..., dst, src].
  Lifted gatherEdges(Lifter &lifter, Value input, Value firstSource,
                     Value numSources);
  void scatterEdges(Lifter &lifter, Value result, Lifted value,
                    Value firstSource, Value numSources);

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  const KernelInfo &info;
  BlockFunction function;
  OpBuilder &builder;
  Location loc;
  EdgeStream stream;
  DenseMap<Value, Lifted> dstTiles;
  Lifted rowBegin, rowEnd;
};
} // namespace

Lifted TileLowering::stageInterval(Lifter &lifter, GraphArray array) {
  Value buffer = function.getArray(array);
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
      buffer, /*restrict=*/true);
  Lifted staged = lifter.fill(loc, {}, builder.getI64Type(), {kDstAxis}, 0.0);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult from = function.getFirst(), count = function.getNumRows();
  Value rows = tensor::ExtractSliceOp::create(
      builder, loc, tensor, ArrayRef<OpFoldResult>{from},
      ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{one});
  staged.tensor = tensor::InsertSliceOp::create(
      builder, loc, rows, staged.tensor, ArrayRef<OpFoldResult>{zero},
      ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{one});
  return staged;
}

Lifted TileLowering::emitDegrees(Lifter &lifter) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  return lifter.elementwise(
      loc, {}, builder.getI64Type(), {rowBegin, rowEnd},
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value length = arith::SubIOp::create(b, loc, args[1], args[0]);
        Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
        Value heard = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                            length, zero);
        Value itself = arith::AndIOp::create(b, loc, heard, noSelf);
        return arith::SubIOp::create(
            b, loc, length,
            arith::ExtUIOp::create(b, loc, b.getI64Type(), itself));
      });
}

Lifted TileLowering::emitMask(Lifter &lifter, Value firstSource) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  Value firstRow = function.getFirst();
  // The pair's place in the tile is its loop indices (i, j).
  return lifter.generic(
      loc, {rowBegin, rowEnd},
      lifter.empty(loc, {}, builder.getI8Type(), {kDstAxis, kSrcAxis}),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value i = arith::AddIOp::create(b, loc, firstRow,
                                        linalg::IndexOp::create(b, loc, 0));
        Value j = arith::AddIOp::create(b, loc, firstSource,
                                        linalg::IndexOp::create(b, loc, 1));
        Type i64 = b.getI64Type();
        Value source = arith::IndexCastOp::create(b, loc, i64, j);
        Value after = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                            source, args[0]);
        Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             source, args[1]);
        Value same =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i, j);
        Value dropped = arith::AndIOp::create(b, loc, same, noSelf);
        Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
        Value kept = arith::XOrIOp::create(b, loc, dropped, yes);
        Value inside = arith::AndIOp::create(b, loc, after, before);
        Value edge = arith::AndIOp::create(b, loc, inside, kept);
        return arith::ExtUIOp::create(b, loc, b.getI8Type(), edge);
      });
}

SmallVector<Value> TileLowering::forEachEdge(Value firstSource,
                                             Value numSources,
                                             ValueRange carried,
                                             EdgeBody body) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = constantIndex(0), one = constantIndex(1);
  auto rows = scf::ForOp::create(builder, loc, zero, function.getNumRows(), one,
                                 carried);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = arith::AddIOp::create(builder, loc, function.getFirst(),
                                    rows.getInductionVar());
  Value begin = function.load(GraphArray::rowBegin, row);
  Value end = function.load(GraphArray::rowEnd, row);
  Value firstEdge = function.load(GraphArray::indptr, row);
  // The part of the row's interval that lies in the tile.
  Value stop = arith::AddIOp::create(builder, loc, firstSource, numSources);
  Value low = arith::MaxSIOp::create(builder, loc, begin, firstSource);
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
  Value srcOffset = arith::SubIOp::create(builder, loc, source, firstSource);

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

/// Offsets, sizes and strides of one point of a tile.
static void getPoint(OpBuilder &b, const Lifted &tile, Value dstOffset,
                     Value srcOffset, SmallVectorImpl<OpFoldResult> &offsets,
                     SmallVectorImpl<OpFoldResult> &sizes,
                     SmallVectorImpl<OpFoldResult> &strides) {
  for (auto [axis, size] :
       llvm::zip_equal(tile.layout, tile.getType().getShape())) {
    strides.push_back(b.getIndexAttr(1));
    sizes.push_back(b.getIndexAttr(axis >= 0 ? size : 1));
    offsets.push_back(axis == kDstAxis   ? OpFoldResult(dstOffset)
                      : axis == kSrcAxis ? OpFoldResult(srcOffset)
                                         : OpFoldResult(b.getIndexAttr(0)));
  }
}

Lifted TileLowering::gatherEdges(Lifter &lifter, Value input, Value firstSource,
                                 Value numSources) {
  RankedTensorType feature =
      cast<mp::EdgesType>(input.getType()).getFeatureType();
  Lifted tile = lifter.fill(
      loc, feature.getShape(), getComputeType(feature.getElementType()),
      getCanonicalLayout(feature.getRank(), true, true), 0.0);
  tile.tensor =
      forEachEdge(firstSource, numSources, tile.tensor,
                  [&](Value dst, Value src, Value edge, ValueRange carried) {
                    Lifted value = function.stageRow(lifter, input, edge);
                    SmallVector<OpFoldResult> offsets, sizes, strides;
                    getPoint(builder, tile, dst, src, offsets, sizes, strides);
                    Value next = tensor::InsertSliceOp::create(
                        builder, loc, value.tensor, carried[0], offsets, sizes,
                        strides);
                    return SmallVector<Value>{next};
                  })
          .front();
  return tile;
}

void TileLowering::scatterEdges(Lifter &lifter, Value result, Lifted value,
                                Value firstSource, Value numSources) {
  forEachEdge(firstSource, numSources, {},
              [&](Value dst, Value src, Value edge, ValueRange) {
                SmallVector<OpFoldResult> offsets, sizes, strides;
                getPoint(builder, value, dst, src, offsets, sizes, strides);
                SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
                auto type = RankedTensorType::get(
                    shape, value.getType().getElementType());
                Value slice = tensor::ExtractSliceOp::create(
                    builder, loc, type, value.tensor, offsets, sizes, strides);
                function.storeRow(
                    lifter, result, edge,
                    {slice, getCanonicalLayout(shape.size(), false, false)});
                return SmallVector<Value>();
              });
}

/// A source feature that only becomes a weighted value stays as it lies in
/// memory, [src, feature]; where it meets destinations its sources run last.
static bool isOnlyValue(BlockArgument arg) {
  return llvm::all_of(arg.getUsers(),
                      [](Operation *user) { return isa<mp::YieldOp>(user); });
}

Value TileLowering::emitIsFull(Value firstSource) {
  // begin and end are monotone: the last row begins last, the first ends first.
  Value lastRow =
      arith::SubIOp::create(builder, loc, function.getLast(), constantIndex(1));
  Value begin = function.load(GraphArray::rowBegin, lastRow);
  Value end = function.load(GraphArray::rowEnd, function.getFirst());
  Value lastColumn = arith::AddIOp::create(
      builder, loc, firstSource, constantIndex(function.getShape().columns));
  Value begun = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      firstSource, begin);
  Value unended = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        lastColumn, end);
  Value inside = arith::AndIOp::create(builder, loc, begun, unended);
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value withSelf = arith::XOrIOp::create(
      builder, loc, function.getArray(GraphArray::noSelf), yes);
  return arith::AndIOp::create(builder, loc, inside, withSelf);
}

LogicalResult TileLowering::emitTileOfEitherKind(Value firstSource,
                                                 Value lastSource,
                                                 ValueRange states) {
  auto branch = scf::IfOp::create(builder, loc, TypeRange(states),
                                  emitIsFull(firstSource),
                                  /*withElseRegion=*/true);
  for (bool isFull : {true, false}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(isFull ? branch.thenBlock()
                                            : branch.elseBlock());
    FailureOr<SmallVector<Value>> next =
        emitTile(firstSource, lastSource, states, isFull);
    if (failed(next))
      return failure();
    if (!next->empty())
      scf::YieldOp::create(builder, loc, *next);
  }
  if (!states.empty())
    scf::YieldOp::create(builder, loc, branch.getResults());
  return success();
}

FailureOr<SmallVector<Value>> TileLowering::emitTile(Value firstSource,
                                                     Value lastSource,
                                                     ValueRange states,
                                                     bool isFull) {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.rows, shape.columns, function.getFirst(),
                firstSource);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  Value rest = arith::SubIOp::create(builder, loc, lastSource, firstSource);
  Value numSources =
      arith::MinSIOp::create(builder, loc, rest, constantIndex(shape.columns));

  DenseMap<Value, Lifted> srcTiles;
  for (Value input : info.srcInputs)
    srcTiles[input] =
        function.stageRows(lifter, input, kSrcAxis, firstSource, numSources);
  FailureOr<DenseMap<Value, Lifted>> edgeValues = stream.computeMessages(
      lifter,
      [&](BlockArgument, Value input) { return dstTiles.lookup(input); },
      [&](BlockArgument arg, Value input) {
        Lifted tile = srcTiles.lookup(input);
        return isOnlyValue(arg) ? tile : lifter.toCanonicalLayout(loc, tile);
      },
      [&](BlockArgument, Value input) {
        return gatherEdges(lifter, input, firstSource, numSources);
      });
  if (failed(edgeValues))
    return failure();
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (function.getOutput(result))
        scatterEdges(lifter, result, edgeValues->lookup(result), firstSource,
                     numSources);

  // A value that is the same for all sources counts once for each of them: the
  // mask says how often.
  bool alike = llvm::any_of(info.aggregates, [&](mp::AggregateOp op) {
    return llvm::any_of(op->getOperands().drop_front(), [&](Value value) {
      return !edgeValues->lookup(value).has(kSrcAxis);
    });
  });
  EdgeTile tile;
  if (!isFull || alike)
    tile.mask = emitMask(lifter, firstSource);
  return stream.accumulate(lifter, states, *edgeValues, tile);
}

FailureOr<func::FuncOp> TileLowering::run() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.rows, 0, function.getFirst(), {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  rowBegin = stageInterval(lifter, GraphArray::rowBegin);
  rowEnd = stageInterval(lifter, GraphArray::rowEnd);
  for (mp::MessageOp message : info.messages)
    for (Value input : message.getDst())
      if (!dstTiles.contains(input))
        dstTiles[input] =
            function.stageRows(lifter, input, kDstAxis, function.getFirst(),
                               function.getNumRows());

  FailureOr<SmallVector<Value>> initial = stream.getIdentity(lifter);
  if (failed(initial))
    return failure();

  // begin and end are monotone: the block hears [begin(first), end(last - 1)).
  Value lastRow =
      arith::SubIOp::create(builder, loc, function.getLast(), constantIndex(1));
  Value low = function.load(GraphArray::rowBegin, function.getFirst());
  Value high = function.load(GraphArray::rowEnd, lastRow);
  auto tiles = scf::ForOp::create(builder, loc, low, high,
                                  constantIndex(shape.columns), *initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(tiles.getBody());
    if (failed(emitTileOfEitherKind(tiles.getInductionVar(), high,
                                    tiles.getRegionIterArgs())))
      return failure();
  }

  FailureOr<SmallVector<Lifted>> values =
      stream.finalise(lifter, tiles.getResults(), emitDegrees(lifter));
  if (failed(values))
    return failure();
  SmallVector<std::pair<Value, Lifted>> aggregated;
  for (mp::AggregateOp op : info.aggregates)
    for (Value result : op.getResults())
      aggregated.push_back({result, (*values)[aggregated.size()]});
  if (failed(function.finish(aggregated)))
    return failure();
  return function.getFunction();
}

FailureOr<func::FuncOp> clique::lowerToTiles(const KernelInfo &info,
                                             TileShape shape) {
  return TileLowering(info, shape).run();
}
