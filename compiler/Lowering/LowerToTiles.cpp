//===- LowerToTiles.cpp - Dense tiles -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an interval graph, where destination i hears the sources [begin(i),
// end(i)), a block of destinations meets its sources tile by tile (as in
// FlashAttention: Dao et al., 2022):
//
//   for each tile of sources           staged once for the whole block
//     for each strip of destinations   whose edge values fit the first cache
//       messages, monoids
//
// Inside a tile the bilinear parts of the message are matrix products, the rest
// is elementwise, and the monoids reduce the source axis. A tile without an
// edge is skipped; in one where every pair is an edge (most of them on a
// complete or causal graph) nothing is masked; else a mask takes out the pairs
// that are none.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/TileEdges.h"
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
  /// What is known of a block, or of one strip of it.
  struct Destinations {
    Value first, count;
    /// The rows' intervals, i64 [dst]; empty beyond the last row.
    Lifted rowBegin, rowEnd;
    /// The features of the rows, by input of the kernel.
    DenseMap<Value, Lifted> features;
  };
  /// One tile's sources.
  struct Sources {
    Value first, count;
    int64_t size;
    /// By argument of a message, laid out as it is used there.
    DenseMap<Value, Lifted> features;
  };

  LogicalResult stageBlock(Lifter &lifter);
  /// The rows' entries of an array, i64 [dst]; 0 beyond the block's rows.
  Lifted stageInterval(Lifter &lifter, GraphArray array);
  Sources stageSources(Value firstSource, Value lastSource);
  Destinations sliceBlock(Value firstRow);
  Lifted emitDegrees(Lifter &lifter, const Destinations &dst);
  Lifted emitMask(Lifter &lifter, const Destinations &dst, const Sources &src);
  /// Whether any pair of the tile may be an edge, and whether all are.
  std::pair<Value, Value> emitExtent(const Destinations &dst,
                                     const Sources &src);
  /// A loop over the block's strips; the body gets a strip's first row, counted
  /// from the block's, and its part of the states, and returns the new part.
  using StripBody =
      llvm::function_ref<FailureOr<SmallVector<Value>>(Value, ValueRange)>;
  FailureOr<SmallVector<Value>> forEachStrip(ValueRange states, StripBody body);
  /// The states before the first edge.
  FailureOr<SmallVector<Value>> emitIdentity();
  LogicalResult emitResults(const Destinations &dst, ValueRange states);
  /// These return the new states.
  FailureOr<SmallVector<Value>>
  emitStrip(const Destinations &dst, const Sources &src, ValueRange states);
  /// A tile on the border, in narrow parts up to the last one with an edge.
  FailureOr<SmallVector<Value>>
  emitParts(const Destinations &dst, const Sources &src, ValueRange states);
  FailureOr<SmallVector<Value>> emitTile(const Destinations &dst,
                                         const Sources &src, ValueRange states,
                                         bool isFull);

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value negate(Value condition) {
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, condition, yes);
  }
  /// Rows [from, from + strip) of a tensor whose first dimension is the block's
  /// rows.
  Value sliceStrip(Value tensor, Value from);
  /// Sources [from, from + size) of a staged tile.
  Lifted sliceSources(const Lifted &tile, Value from, int64_t size);
  /// A conditional that yields `states` or what the branches return.
  using Branch = llvm::function_ref<FailureOr<SmallVector<Value>>()>;
  FailureOr<SmallVector<Value>> emitIf(Value condition, ValueRange states,
                                       Branch then, Branch otherwise);

  const KernelInfo &info;
  BlockFunction function;
  OpBuilder &builder;
  Location loc;
  EdgeStream stream;
  Destinations block;
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

LogicalResult TileLowering::stageBlock(Lifter &lifter) {
  if (failed(function.mapCaptures(lifter)))
    return failure();
  block.first = function.getFirst();
  block.count = function.getNumRows();
  block.rowBegin = stageInterval(lifter, GraphArray::rowBegin);
  block.rowEnd = stageInterval(lifter, GraphArray::rowEnd);
  for (mp::MessageOp message : info.messages)
    for (Value input : message.getDst())
      if (!block.features.contains(input))
        block.features[input] =
            function.stageRows(lifter, input, kDstAxis, block.first,
                               block.count, function.getShape().tileRows);
  return success();
}

/// A source feature that only becomes a weighted value stays as it lies in
/// memory, [src, feature]; where it meets destinations its sources run last.
static bool isOnlyValue(BlockArgument arg) {
  return llvm::all_of(arg.getUsers(),
                      [](Operation *user) { return isa<mp::YieldOp>(user); });
}

TileLowering::Sources TileLowering::stageSources(Value firstSource,
                                                 Value lastSource) {
  int64_t columns = function.getShape().columns;
  Lifter lifter(builder, 0, columns, {}, firstSource);
  Value rest = arith::SubIOp::create(builder, loc, lastSource, firstSource);
  Sources src;
  src.first = firstSource;
  src.size = columns;
  src.count =
      arith::MinSIOp::create(builder, loc, rest, constantIndex(columns));
  DenseMap<Value, Lifted> rows, transposed;
  for (Value input : info.srcInputs)
    rows[input] =
        function.stageRows(lifter, input, kSrcAxis, src.first, src.count);
  for (mp::MessageOp message : info.messages)
    for (auto [arg, input] :
         llvm::zip_equal(message.getSrcArgs(), message.getSrc())) {
      if (isOnlyValue(arg)) {
        src.features[arg] = rows.lookup(input);
        continue;
      }
      auto [it, isNew] = transposed.try_emplace(input);
      if (isNew)
        it->second = lifter.toCanonicalLayout(loc, rows.lookup(input));
      src.features[arg] = it->second;
    }
  return src;
}

Value TileLowering::sliceStrip(Value tensor, Value from) {
  RowSlice slice(builder, cast<ShapedType>(tensor.getType()), from,
                 builder.getIndexAttr(function.getShape().tileRows));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, slice.offsets,
                                        slice.sizes, slice.strides);
}

Lifted TileLowering::sliceSources(const Lifted &tile, Value from,
                                  int64_t size) {
  SmallVector<OpFoldResult> offsets, sizes,
      strides(tile.layout.size(), builder.getIndexAttr(1));
  for (auto [axis, extent] :
       llvm::zip_equal(tile.layout, tile.getType().getShape())) {
    bool isSource = axis == kSrcAxis;
    offsets.push_back(isSource ? OpFoldResult(from)
                               : OpFoldResult(builder.getIndexAttr(0)));
    sizes.push_back(builder.getIndexAttr(isSource ? size : extent));
  }
  return {tensor::ExtractSliceOp::create(builder, loc, tile.tensor, offsets,
                                         sizes, strides),
          tile.layout};
}

TileLowering::Destinations TileLowering::sliceBlock(Value firstRow) {
  Destinations strip;
  strip.first = arith::AddIOp::create(builder, loc, block.first, firstRow);
  Value rest = arith::SubIOp::create(builder, loc, block.count, firstRow);
  strip.count = arith::MinSIOp::create(
      builder, loc, rest, constantIndex(function.getShape().tileRows));
  auto slice = [&](const Lifted &rows) -> Lifted {
    return {sliceStrip(rows.tensor, firstRow), rows.layout};
  };
  strip.rowBegin = slice(block.rowBegin);
  strip.rowEnd = slice(block.rowEnd);
  for (auto &[input, rows] : block.features)
    strip.features[input] = slice(rows);
  return strip;
}

Lifted TileLowering::emitDegrees(Lifter &lifter, const Destinations &dst) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  return lifter.elementwise(
      loc, {}, builder.getI64Type(), {dst.rowBegin, dst.rowEnd},
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

Lifted TileLowering::emitMask(Lifter &lifter, const Destinations &dst,
                              const Sources &src) {
  Value noSelf = function.getArray(GraphArray::noSelf);
  // The pair's place in the tile is its loop indices (i, j).
  return lifter.generic(
      loc, {dst.rowBegin, dst.rowEnd},
      lifter.empty(loc, {}, builder.getI8Type(), {kDstAxis, kSrcAxis}),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value i = arith::AddIOp::create(b, loc, dst.first,
                                        linalg::IndexOp::create(b, loc, 0));
        Value j = arith::AddIOp::create(b, loc, src.first,
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

std::pair<Value, Value> TileLowering::emitExtent(const Destinations &dst,
                                                 const Sources &src) {
  using Predicate = arith::CmpIPredicate;
  auto both = [&](Value lhs, Value rhs) -> Value {
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  };
  // begin and end are monotone: the first row begins and ends first.
  Value pastRow = arith::AddIOp::create(builder, loc, dst.first, dst.count);
  Value lastRow =
      arith::SubIOp::create(builder, loc, pastRow, constantIndex(1));
  Value pastTile = arith::AddIOp::create(
      builder, loc, src.first, constantIndex(function.getShape().columns));
  Value any =
      both(compare(Predicate::slt,
                   function.load(GraphArray::rowBegin, dst.first), pastTile),
           compare(Predicate::sgt, function.load(GraphArray::rowEnd, lastRow),
                   src.first));
  Value inside =
      both(compare(Predicate::sle, function.load(GraphArray::rowBegin, lastRow),
                   src.first),
           compare(Predicate::sge, function.load(GraphArray::rowEnd, dst.first),
                   pastTile));
  Value onDiagonal = both(compare(Predicate::slt, src.first, pastRow),
                          compare(Predicate::slt, dst.first, pastTile));
  Value dropped = both(onDiagonal, function.getArray(GraphArray::noSelf));
  return {any, both(inside, negate(dropped))};
}

FailureOr<SmallVector<Value>> TileLowering::emitIf(Value condition,
                                                   ValueRange states,
                                                   Branch then,
                                                   Branch otherwise) {
  auto branch = scf::IfOp::create(builder, loc, TypeRange(states), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [target, emit] : {std::pair(branch.thenBlock(), then),
                              std::pair(branch.elseBlock(), otherwise)}) {
    builder.setInsertionPointToStart(target);
    FailureOr<SmallVector<Value>> next = emit();
    if (failed(next))
      return failure();
    if (!next->empty())
      scf::YieldOp::create(builder, loc, *next);
  }
  return SmallVector<Value>(branch.getResults());
}

FailureOr<SmallVector<Value>> TileLowering::emitTile(const Destinations &dst,
                                                     const Sources &src,
                                                     ValueRange states,
                                                     bool isFull) {
  Lifter lifter(builder, function.getShape().tileRows, src.size, dst.first,
                src.first);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  TilePlace place{dst.first, dst.count, src.first, src.count};
  FailureOr<DenseMap<Value, Lifted>> edgeValues = stream.computeMessages(
      lifter,
      [&](BlockArgument, Value input) { return dst.features.lookup(input); },
      [&](BlockArgument arg, Value) { return src.features.lookup(arg); },
      [&](BlockArgument, Value input) {
        return gatherEdges(function, lifter, input, place);
      });
  if (failed(edgeValues))
    return failure();
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (function.getOutput(result))
        scatterEdges(function, lifter, result, edgeValues->lookup(result),
                     place);

  // A value that is the same for all sources counts once for each of them: the
  // mask says how often.
  bool alike = llvm::any_of(info.aggregates, [&](mp::AggregateOp op) {
    return llvm::any_of(op->getOperands().drop_front(), [&](Value value) {
      return !edgeValues->lookup(value).has(kSrcAxis);
    });
  });
  EdgeTile tile;
  if (!isFull || alike)
    tile.mask = emitMask(lifter, dst, src);
  return stream.accumulate(lifter, states, *edgeValues, tile);
}

FailureOr<SmallVector<Value>> TileLowering::emitParts(const Destinations &dst,
                                                      const Sources &src,
                                                      ValueRange states) {
  Sources part;
  part.size = std::min<int64_t>(src.size, function.getShape().borderColumns);
  Value pastRow = arith::AddIOp::create(builder, loc, dst.first, dst.count);
  Value lastRow =
      arith::SubIOp::create(builder, loc, pastRow, constantIndex(1));
  Value end = arith::SubIOp::create(
      builder, loc, function.load(GraphArray::rowEnd, lastRow), src.first);
  end = arith::MinSIOp::create(builder, loc, end, src.count);
  auto parts = scf::ForOp::create(builder, loc, constantIndex(0), end,
                                  constantIndex(part.size), states);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  Value offset = parts.getInductionVar();
  part.first = arith::AddIOp::create(builder, loc, src.first, offset);
  part.count = arith::SubIOp::create(builder, loc, src.count, offset);
  part.count = arith::MinSIOp::create(builder, loc, part.count,
                                      constantIndex(part.size));
  for (auto &[arg, tile] : src.features)
    part.features[arg] = sliceSources(tile, offset, part.size);
  FailureOr<SmallVector<Value>> next =
      emitTile(dst, part, parts.getRegionIterArgs(), /*isFull=*/false);
  if (failed(next))
    return failure();
  if (!next->empty())
    scf::YieldOp::create(builder, loc, *next);
  return SmallVector<Value>(parts.getResults());
}

FailureOr<SmallVector<Value>> TileLowering::emitStrip(const Destinations &dst,
                                                      const Sources &src,
                                                      ValueRange states) {
  auto [any, all] = emitExtent(dst, src);
  return emitIf(
      any, states,
      [&, all = all] {
        return emitIf(
            all, states, [&] { return emitTile(dst, src, states, true); },
            [&] { return emitParts(dst, src, states); });
      },
      [&] { return SmallVector<Value>(states); });
}

FailureOr<SmallVector<Value>> TileLowering::forEachStrip(ValueRange states,
                                                         StripBody body) {
  int64_t tileRows = function.getShape().tileRows;
  auto strips = scf::ForOp::create(builder, loc, constantIndex(0), block.count,
                                   constantIndex(tileRows), states);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(strips.getBody());
  Value firstRow = strips.getInductionVar();
  SmallVector<Value> old;
  for (Value state : strips.getRegionIterArgs())
    old.push_back(sliceStrip(state, firstRow));
  FailureOr<SmallVector<Value>> next = body(firstRow, old);
  if (failed(next))
    return failure();
  SmallVector<Value> merged;
  for (auto [state, part] :
       llvm::zip_equal(strips.getRegionIterArgs(), *next)) {
    RowSlice slice(builder, cast<ShapedType>(state.getType()), firstRow,
                   builder.getIndexAttr(tileRows));
    merged.push_back(tensor::InsertSliceOp::create(
        builder, loc, part, state, slice.offsets, slice.sizes, slice.strides));
  }
  if (!merged.empty())
    scf::YieldOp::create(builder, loc, merged);
  return SmallVector<Value>(strips.getResults());
}

FailureOr<SmallVector<Value>> TileLowering::emitIdentity() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.tileRows, 0, block.first, {});
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
  return forEachStrip(empty, [&](Value, ValueRange) { return identity; });
}

LogicalResult TileLowering::emitResults(const Destinations &dst,
                                        ValueRange states) {
  int64_t tileRows = function.getShape().tileRows;
  Lifter lifter(builder, tileRows, 0, dst.first, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<SmallVector<Lifted>> values =
      stream.finalise(lifter, states, emitDegrees(lifter, dst));
  if (failed(values))
    return failure();
  SmallVector<std::pair<Value, Lifted>> aggregated;
  for (mp::AggregateOp op : info.aggregates)
    for (Value result : op.getResults())
      aggregated.push_back({result, (*values)[aggregated.size()]});
  return function.finish({dst.first, dst.count, tileRows}, aggregated);
}

FailureOr<func::FuncOp> TileLowering::run() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.rows, 0, function.getFirst(), {});
  if (failed(stageBlock(lifter)))
    return failure();
  FailureOr<SmallVector<Value>> initial = emitIdentity();
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
    Sources src = stageSources(tiles.getInductionVar(), high);
    FailureOr<SmallVector<Value>> next = forEachStrip(
        tiles.getRegionIterArgs(), [&](Value firstRow, ValueRange states) {
          return emitStrip(sliceBlock(firstRow), src, states);
        });
    if (failed(next))
      return failure();
    if (!next->empty())
      scf::YieldOp::create(builder, loc, *next);
  }

  FailureOr<SmallVector<Value>> stored =
      forEachStrip({}, [&](Value firstRow, ValueRange) {
        SmallVector<Value> states;
        for (Value state : tiles.getResults())
          states.push_back(sliceStrip(state, firstRow));
        return failed(emitResults(sliceBlock(firstRow), states))
                   ? FailureOr<SmallVector<Value>>()
                   : SmallVector<Value>();
      });
  if (failed(stored))
    return failure();
  function.createReturn();
  return function.getFunction();
}

FailureOr<func::FuncOp> clique::lowerToTiles(const KernelInfo &info,
                                             TileShape shape) {
  return TileLowering(info, shape).run();
}
