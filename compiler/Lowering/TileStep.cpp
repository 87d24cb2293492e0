//===- TileStep.cpp - What a tile adds to the states of rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileStep.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/CarriedTensors.h"
#include "compiler/Lowering/TileEdges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace clique;

TileStep::TileStep(BlockFunction &function, TileOperands &operands,
                   TilePattern &pattern, EdgeStream &stream,
                   SourceSums &sourceSums, FetchAhead &ahead)
    : function(function), info(function.getInfo()),
      builder(function.getBuilder()), loc(function.getLoc()),
      operands(operands), pattern(pattern), stream(stream),
      sourceSums(sourceSums), ahead(ahead) {}

Value TileStep::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

bool TileStep::holdsTwoSets(ValueRange states) const {
  if (function.getShape().threads == 0)
    return true;
  int64_t elements = 0;
  for (Value state : states)
    elements += computeProduct(
        cast<RankedTensorType>(state.getType()).getShape().drop_front());
  return elements <= tuning::gpuGroupElements;
}

bool TileStep::hasHalfSources() const {
  return llvm::any_of(info.srcInputs, [](Value input) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(input.getType()));
    return type && type.getWidth() < 32;
  });
}

Value TileStep::emitNumParts(Value numTiles) {
  if (!mayHaveEvenBlocks())
    return numTiles;
  // Where a clique has a tile or two, their parts are what there is.
  TileShape shape = function.getShape();
  Value columns = pattern.emitNumShared(), tile = constantIndex(shape.columns);
  Value rest = arith::RemUIOp::create(builder, loc, columns, tile);
  auto countParts = [&](Value columns, int64_t size) -> Value {
    return arith::CeilDivUIOp::create(builder, loc, columns,
                                      constantIndex(size));
  };
  // Pairs of narrow ones are one.
  Value narrow = arith::SubIOp::create(
      builder, loc, countParts(rest, shape.borderColumns / 2),
      emitNumWideParts(rest));
  Value parts = arith::SelectOp::create(
      builder, loc, function.getArray(GraphArray::noSelf),
      countParts(rest, shape.borderColumns), narrow);
  parts = arith::AddIOp::create(
      builder, loc, arith::DivUIOp::create(builder, loc, columns, tile), parts);
  return arith::MaxUIOp::create(builder, loc, parts, numTiles);
}

Value TileStep::emitNumSteps(Value numTiles) {
  constexpr int64_t stepsOfPart = 3;
  Value registerBlocks =
      arith::CeilDivUIOp::create(builder, loc, function.getNumRows(),
                                 constantIndex(function.getShape().tileRows));
  Value steps = arith::MulIOp::create(builder, loc, registerBlocks,
                                      emitNumParts(numTiles));
  steps =
      arith::MulIOp::create(builder, loc, steps, constantIndex(stepsOfPart));
  return arith::MaxUIOp::create(builder, loc, steps, constantIndex(1));
}

TileStep::States TileStep::emitTile(const Place &place, ValueRange states,
                                    Pairs pairs) {
  const TileDestinations &dst = place.dst;
  const TileSources &src = place.src;
  const RegisterBlockEdges &registerBlock = place.registerBlock;
  Lifter lifter(builder, function.getShape().tileRows, src.size, dst.first,
                src.first);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  TileEdges edges(function, pattern, dst, src, registerBlock);
  if (info.usesEdgeNumbers())
    lifter.mapNumbers(mp::Endpoint::edge, edges.getNumbers(lifter));
  ahead.step();
  FailureOr<DenseMap<Value, Lifted>> edgeValues = stream.computeMessages(
      lifter,
      [&](BlockArgument, Value input) { return dst.features.lookup(input); },
      [&](BlockArgument arg, Value) { return src.features.lookup(arg); },
      [&](BlockArgument, Value input) { return edges.gather(lifter, input); });
  if (failed(edgeValues))
    return failure();
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (function.getOutput(result))
        edges.scatter(lifter, result, edgeValues->lookup(result));

  // A value that is the same for all sources counts once for each of them: the
  // mask says how often.
  bool alike = llvm::any_of(info.aggregates, [&](mp::AggregateOp op) {
    return llvm::any_of(op->getOperands().drop_front(), [&](Value value) {
      return !edgeValues->lookup(value).has(kSrcAxis);
    });
  });
  EdgeTile tile;
  tile.inRegisters = function.getShape().threads > 0;
  tile.hasOneSet = !holdsTwoSets(states);
  tile.isFirst = place.isFirst;
  tile.masksPadding = pairs == Pairs::columns && !alike;
  if (tile.masksPadding) {
    Value numColumns = pattern.emitNumColumns(src, registerBlock);
    tile.mask = pattern.emitColumnMask(lifter, numColumns);
    if (!hasHalfSources())
      tile.numColumns = numColumns;
  } else if (pairs != Pairs::all || alike) {
    tile.mask = pattern.emitMask(lifter, dst, src, registerBlock);
  }
  ahead.step();
  // Three times, apart from each other where it is much: what is asked for at
  // once is partly dropped.
  bool isBetween = false;
  if (ahead.isLarge())
    tile.emitBetween = [&] {
      ahead.step();
      isBetween = true;
    };
  size_t numSums = sourceSums.size();
  States next =
      stream.accumulate(lifter, states.drop_back(numSums), *edgeValues, tile);
  if (failed(next))
    return failure();
  if (!isBetween)
    ahead.step();
  llvm::append_range(*next, sourceSums.accumulate(
                                lifter, states.take_back(numSums), *edgeValues,
                                tile.mask, {dst, src, registerBlock}));
  return next;
}

TileStep::States TileStep::emitColumns(const Place &place, ValueRange states,
                                       std::pair<Value, Value> columns,
                                       int64_t size, Pairs pairs) {
  return emitCarryingLoop(
      builder, loc, columns.first, columns.second, size, states,
      [&](Value column, ValueRange old) {
        TileSources part = operands.getPart(place.src, column, size);
        Value isFirst = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, column, columns.first);
        isFirst = arith::AndIOp::create(builder, loc, isFirst, place.isFirst);
        return emitTile({place.dst, part, place.registerBlock, isFirst}, old,
                        pairs);
      });
}

TileStep::States TileStep::emitParts(const Place &place, ValueRange states) {
  int64_t size =
      std::min<int64_t>(place.src.size, function.getShape().borderColumns);
  if (size == place.src.size)
    return emitTile(place, states, Pairs::mixed);
  auto [begin, end] =
      pattern.emitColumns(place.dst, place.src, place.registerBlock);
  Value before =
      arith::RemUIOp::create(builder, loc, begin, constantIndex(size));
  begin = arith::SubIOp::create(builder, loc, begin, before);
  return emitColumns(place, states, {begin, end}, size, Pairs::mixed);
}

bool TileStep::hasWideParts() const {
  return llvm::any_of(info.aggregates,
                      [](mp::AggregateOp op) { return bool(op.getScore()); });
}

Value TileStep::emitNumWideParts(Value columns) {
  if (!hasWideParts())
    return constantIndex(0);
  // Of the narrow parts that are needed, pairs.
  const int64_t wide = function.getShape().borderColumns;
  Value parts = arith::DivUIOp::create(
      builder, loc,
      arith::AddIOp::create(builder, loc, columns, constantIndex(wide / 2 - 1)),
      constantIndex(wide));
  if (!ahead.isLarge())
    return parts;
  // Where much is fetched ahead, a single part leaves too little time between
  // fetches: attention on cliques of 24 and 32 nodes, 8 heads of 64, takes 1.2
  // times as long with it as with two narrow ones.
  Value isSingle = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ule, columns, constantIndex(wide));
  return arith::SelectOp::create(builder, loc, isSingle, constantIndex(0),
                                 parts);
}

TileStep::States TileStep::emitEvenParts(const Place &place,
                                         ValueRange states) {
  const int64_t wide = function.getShape().borderColumns, narrow = wide / 2;
  Value end = arith::SubIOp::create(builder, loc, place.registerBlock.end,
                                    place.src.first);
  end = arith::MinSIOp::create(builder, loc, end, place.src.count);
  Value zero = constantIndex(0);
  if (!hasWideParts())
    return emitColumns(place, states, {zero, end}, narrow, Pairs::columns);
  Value middle = arith::MulIOp::create(builder, loc, emitNumWideParts(end),
                                       constantIndex(wide));
  States after =
      emitColumns(place, states, {zero, middle}, wide, Pairs::columns);
  if (failed(after))
    return failure();
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        middle, zero);
  isFirst = arith::AndIOp::create(builder, loc, isFirst, place.isFirst);
  return emitColumns({place.dst, place.src, place.registerBlock, isFirst},
                     *after, {middle, end}, narrow, Pairs::columns);
}

bool TileStep::mayHaveEvenBlocks() const {
  TileShape shape = function.getShape();
  if (shape.threads > 0 || shape.borderColumns == shape.columns ||
      shape.borderColumns / 2 < tuning::leastTileColumns)
    return false;
  switch (
      cast<mp::MPGraphType>(info.kernel.getGraph().getType()).getTopology()) {
  case mp::Topology::unknown:
  case mp::Topology::complete:
  case mp::Topology::bipartite:
  case mp::Topology::cliques:
    return true;
  default:
    return false;
  }
}

TileStep::States TileStep::emit(const TileDestinations &dst,
                                const TileSources &src,
                                const RegisterBlockEdges &registerBlock,
                                Value isFirst, ValueRange states) {
  const Place place = {dst, src, registerBlock, isFirst};
  auto emitMixed = [&] { return emitParts(place, states); };
  auto emitPartly = [&]() -> States {
    if (!mayHaveEvenBlocks())
      return emitMixed();
    return emitCarryingBranch(
        builder, loc, registerBlock.even, states,
        [&] { return emitEvenParts(place, states); }, emitMixed);
  };
  return emitCarryingBranch(
      builder, loc, registerBlock.any, states,
      [&] {
        return emitCarryingBranch(
            builder, loc, registerBlock.all, states,
            [&] { return emitTile(place, states, Pairs::all); }, emitPartly);
      },
      [&] { return SmallVector<Value>(states); });
}
