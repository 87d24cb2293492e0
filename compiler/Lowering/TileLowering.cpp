//===- TileLowering.cpp - Dense tiles -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of destinations meets its sources tile by tile (as in FlashAttention:
// Dao et al., 2022), those of its interval, or those that are listed:
//
//   for each group of tiles
//     for each tile of sources           staged once for the whole block
//       for each register block of destinations   whose edge values fit the
//       first cache
//         messages, monoids
//
// Inside a tile the bilinear parts of the message are matrix products, the rest
// is elementwise, and the monoids reduce the source axis (TileStep.h). Each
// group of tiles has states of its own, which are combined with those of the
// groups before: a sum of many terms added one after the other would lose
// digits.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/CarriedTensors.h"
#include "compiler/Lowering/MaskBounds.h"
#include "compiler/Lowering/NextTile.h"
#include "compiler/Lowering/TileOperands.h"
#include "compiler/Lowering/TileStep.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class TileLowering {
public:
  explicit TileLowering(BlockFunction &function)
      : info(function.getInfo()), function(function),
        builder(function.getBuilder()), loc(function.getLoc()),
        operands(function), pattern(function),
        stream(info, /*hasDst=*/true, /*mayBeNone=*/true), sourceSums(function),
        ahead(function),
        step(function, operands, pattern, stream, sourceSums, ahead) {}

  LogicalResult run();

private:
  /// A loop over the block's register blocks; the body gets a register block's
  /// first row, counted from the block's, and its part of the states, and
  /// behind them what is carried as a whole.
  FailureOr<SmallVector<Value>> forEachRegisterBlock(ValueRange states,
                                                     CarryingBody body,
                                                     ValueRange whole = {});
  /// The same with other parts of the block, of `size` rows.
  FailureOr<SmallVector<Value>> forEachPart(int64_t size, ValueRange states,
                                            CarryingBody body,
                                            ValueRange whole = {});
  /// The states of the block before the first edge.
  FailureOr<SmallVector<Value>> emitIdentity();
  /// The states after tiles [first, past).
  FailureOr<SmallVector<Value>> emitTiles(Value first, Value past,
                                          ValueRange states);
  /// The states after all tiles.
  FailureOr<SmallVector<Value>> emitGroups(Value numTiles);
  /// Given the states of the groups before the one that begins with tile
  /// `first`, and those that it starts with: the same for the next group.
  FailureOr<SmallVector<Value>> emitGroup(Value first, Value numTiles,
                                          ValueRange both);
  /// Given the states of the groups before (nothing yet after the first group)
  /// and of this one: those of all so far, and those that the next group starts
  /// with or, after the last one, all of them.
  FailureOr<SmallVector<Value>> joinGroups(ValueRange states, Value isFirst,
                                           Value isLast);
  LogicalResult emitResults(const RowRange &rows, ValueRange states);

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  const KernelInfo &info;
  BlockFunction &function;
  OpBuilder &builder;
  Location loc;
  TileOperands operands;
  TilePattern pattern;
  EdgeStream stream;
  SourceSums sourceSums;
  FetchAhead ahead;
  TileStep step;
};
} // namespace

static SmallVector<Value> join(ValueRange first, ValueRange second) {
  SmallVector<Value> all(first);
  llvm::append_range(all, second);
  return all;
}

FailureOr<SmallVector<Value>>
TileLowering::forEachRegisterBlock(ValueRange states, CarryingBody body,
                                   ValueRange whole) {
  int64_t tileRows = function.getShape().tileRows;
  if (tileRows == function.getShape().rows)
    return body(constantIndex(0), join(states, whole));
  return forEachPart(tileRows, states, body, whole);
}

FailureOr<SmallVector<Value>> TileLowering::forEachPart(int64_t size,
                                                        ValueRange states,
                                                        CarryingBody body,
                                                        ValueRange whole) {
  return emitCarryingLoop(
      builder, loc, constantIndex(0), operands.getBlock().count, size,
      join(states, whole),
      [&](Value firstRow, ValueRange all) -> FailureOr<SmallVector<Value>> {
        ValueRange carried = all.drop_front(states.size());
        all = all.take_front(states.size());
        auto slice = [&](Value state) {
          return RowSlice(builder, cast<ShapedType>(state.getType()), firstRow,
                          builder.getIndexAttr(size));
        };
        SmallVector<Value> old;
        for (Value state : all) {
          RowSlice rows = slice(state);
          old.push_back(tensor::ExtractSliceOp::create(
              builder, loc, state, rows.offsets, rows.sizes, rows.strides));
        }
        FailureOr<SmallVector<Value>> next = body(firstRow, join(old, carried));
        if (failed(next))
          return failure();
        SmallVector<Value> merged;
        ArrayRef<Value> parts = *next;
        for (auto [state, part] :
             llvm::zip_equal(all, parts.take_front(all.size()))) {
          RowSlice rows = slice(state);
          merged.push_back(tensor::InsertSliceOp::create(
              builder, loc, part, state, rows.offsets, rows.sizes,
              rows.strides));
        }
        llvm::append_range(merged, parts.drop_front(all.size()));
        return merged;
      });
}

FailureOr<SmallVector<Value>> TileLowering::emitIdentity() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.tileRows, 0, operands.getBlock().first, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<SmallVector<Value>> identity = stream.getIdentity(lifter);
  if (failed(identity))
    return failure();
  SmallVector<Value> empty;
  for (Value part : *identity) {
    auto type = cast<RankedTensorType>(part.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes.front() = shape.rows;
    empty.push_back(
        tensor::EmptyOp::create(builder, loc, sizes, type.getElementType()));
  }
  return forEachRegisterBlock(empty,
                              [&](Value, ValueRange) { return identity; });
}

LogicalResult TileLowering::emitResults(const RowRange &rows,
                                        ValueRange states) {
  Lifter lifter(builder, rows.size, 0, rows.first, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<SmallVector<Lifted>> values = stream.finalise(
      lifter, states, function.emitDegrees(lifter, rows.first, rows.count));
  if (failed(values))
    return failure();
  SmallVector<std::pair<Value, Lifted>> aggregated;
  for (mp::AggregateOp op : info.aggregates)
    for (Value result : op.getResults())
      aggregated.push_back({result, (*values)[aggregated.size()]});
  return function.finish(rows, aggregated);
}

FailureOr<SmallVector<Value>> TileLowering::emitTiles(Value first, Value past,
                                                      ValueRange states) {
  return emitCarryingLoop(
      builder, loc, first, past, 1, states,
      [&, maskedFeatures = getMaskedFeatures(info)](
          Value number, ValueRange all) -> FailureOr<SmallVector<Value>> {
        TilePlace tile = pattern.emitTile(number);
        TileSources src = operands.stageSources(tile.first, tile.past);
        // The threads of a device go through their tiles in step.
        if (maskedFeatures && function.getShape().threads == 0)
          tile.isAnyNotFinite =
              operands.emitIsAnyNotFinite(src, *maskedFeatures);
        Value isFirst = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, number, first);
        NextTile next(function, pattern, number, past,
                      operands.getBlock().count);
        FailureOr<SmallVector<Value>> after = forEachRegisterBlock(
            all,
            [&](Value firstRow, ValueRange old) {
              next.fetch(firstRow);
              TileDestinations dst = operands.getRegisterBlock(firstRow);
              return step.emit(dst, src, pattern.emitRegisterBlock(dst, tile),
                               isFirst, old);
            },
            sourceSums.emitZero());
        if (failed(after))
          return failure();
        ArrayRef<Value> sums = *after;
        sourceSums.add(src, sums.drop_front(all.size()));
        after->truncate(all.size());
        return after;
      });
}

FailureOr<SmallVector<Value>>
TileLowering::joinGroups(ValueRange states, Value isFirst, Value isLast) {
  // Row by row, which is less code.
  return forEachPart(
      1, states,
      [&](Value number, ValueRange both) -> FailureOr<SmallVector<Value>> {
        const size_t count = both.size() / 2;
        Value row = arith::AddIOp::create(builder, loc,
                                          operands.getBlock().first, number);
        Lifter lifter(builder, 1, 0, row, {});
        if (failed(function.mapCaptures(lifter)))
          return failure();
        FailureOr<SmallVector<Value>> identity = stream.getIdentity(lifter);
        if (failed(identity))
          return failure();
        SmallVector<Value> before =
            stream.select(lifter, isFirst, *identity, both.take_front(count));
        FailureOr<SmallVector<Value>> joined =
            stream.combine(lifter, before, both.drop_front(count));
        if (failed(joined))
          return failure();
        SmallVector<Value> next(*joined);
        llvm::append_range(next,
                           stream.select(lifter, isLast, *joined, *identity));
        return next;
      });
}

FailureOr<SmallVector<Value>>
TileLowering::emitGroup(Value first, Value numTiles, ValueRange both) {
  Value past = arith::AddIOp::create(builder, loc, first,
                                     constantIndex(tuning::groupTiles));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        first, constantIndex(0));
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       past, numTiles);
  past = arith::MinSIOp::create(builder, loc, past, numTiles);
  SmallVector<Value> states(both);
  const size_t count = states.size() / 2;
  FailureOr<SmallVector<Value>> group =
      emitTiles(first, past, ArrayRef(states).drop_front(count));
  if (failed(group))
    return failure();
  llvm::copy(*group, states.begin() + count);
  Value isOnly = arith::AndIOp::create(builder, loc, isFirst, isLast);
  return emitCarryingBranch(
      builder, loc, isOnly, states, [&] { return states; },
      [&] { return joinGroups(states, isFirst, isLast); });
}

FailureOr<SmallVector<Value>> TileLowering::emitGroups(Value numTiles) {
  FailureOr<SmallVector<Value>> identity = emitIdentity();
  if (failed(identity))
    return failure();
  if (!step.holdsTwoSets(*identity))
    return emitTiles(constantIndex(0), numTiles, *identity);
  // Those of the groups before the current one, and its own. Equal tensors
  // without contents would become one, whose buffer serves two states; threads
  // have registers, and no buffers.
  SmallVector<Value> initial;
  for (Value state : *identity) {
    auto type = cast<RankedTensorType>(state.getType());
    initial.push_back(
        function.getShape().threads > 0
            ? tensor::EmptyOp::create(builder, loc, type, ValueRange())
                  .getResult()
            : bufferization::AllocTensorOp::create(builder, loc, type,
                                                   ValueRange())
                  .getResult());
  }
  llvm::append_range(initial, *identity);
  FailureOr<SmallVector<Value>> all = emitCarryingLoop(
      builder, loc, constantIndex(0), numTiles, tuning::groupTiles, initial,
      [&](Value first, ValueRange states) {
        return emitGroup(first, numTiles, states);
      });
  if (failed(all))
    return failure();
  return SmallVector<Value>(ArrayRef(*all).drop_front(identity->size()));
}

LogicalResult TileLowering::run() {
  // First, so that the first tile's sources and the block's destinations can be
  // fetched together.
  Value numTiles = pattern.emitNumTiles();
  if (failed(operands.stageBlock()))
    return failure();
  ahead.begin(step.emitNumSteps(numTiles));
  FailureOr<SmallVector<Value>> states = emitGroups(numTiles);
  if (failed(states))
    return failure();
  FailureOr<SmallVector<Value>> stored =
      forEachRegisterBlock({}, [&](Value firstRow, ValueRange) {
        SmallVector<Value> registerBlock;
        for (Value state : *states)
          registerBlock.push_back(operands.sliceRegisterBlock(state, firstRow));
        return failed(emitResults(operands.getRows(firstRow), registerBlock))
                   ? FailureOr<SmallVector<Value>>()
                   : SmallVector<Value>();
      });
  return failure(failed(stored));
}

LogicalResult clique::lowerToTiles(BlockFunction &function) {
  return TileLowering(function).run();
}
