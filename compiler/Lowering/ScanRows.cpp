//===- ScanRows.cpp - Recurrences over the edges of rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of an mp.scan: edges are gathered and their messages computed as in
// other rows, from the first to the last or the other way round, and what the
// region yields for each of them is stored. No row is divided: a step needs the
// one before it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeIds.h"
#include "compiler/Lowering/RowLowering.h"

using namespace mlir;
using namespace clique;

FailureOr<SmallVector<Value>>
RowLowering::emitScanStep(Lifter &lifter, const Edge &edge,
                          const EdgeValues &values, ValueRange states) {
  mp::ScanOp scan = info.scan;
  for (auto [arg, state] : llvm::zip_equal(scan.getFromArgs(), states)) {
    unsigned rank = cast<RankedTensorType>(arg.getType()).getRank();
    lifter.map(arg, {state, getCanonicalLayout(rank, false, false)});
  }
  for (auto [arg, operand] :
       llvm::zip_equal(scan.getEdgeArgs(), scan.getEdge()))
    lifter.map(arg, values.lookup(operand));
  FailureOr<SmallVector<Lifted>> yielded = lifter.lift(scan.getBody().front());
  if (failed(yielded))
    return failure();
  Value id;
  SmallVector<Value> next;
  for (auto [result, value] : llvm::zip_equal(scan.getResults(), *yielded)) {
    if (next.size() < states.size()) {
      Layout layout = getCanonicalLayout(value.getFeatureRank(), false, false);
      next.push_back(value.layout == layout
                         ? value.tensor
                         : lifter.spread(loc, value, layout).tensor);
      continue;
    }
    if (!function.getOutput(result))
      continue;
    if (!id)
      id = EdgeIds(function).load(edge.row, edge.position);
    function.storeRow(lifter, result, id, value);
  }
  return next;
}

LogicalResult RowLowering::emitScanRow(Value row) {
  mp::ScanOp scan = info.scan;
  Lifter lifter(builder, 0, 0, row, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  SmallVector<Value> initial;
  for (Value state : scan.getFrom())
    initial.push_back(function.stageRow(lifter, state, row).tensor);
  DenseMap<Value, Lifted> dst;
  for (mp::MessageOp message : info.messages)
    for (Value input : message.getDst())
      if (!dst.contains(input))
        dst[input] = function.stageRow(lifter, input, row);

  Value begin = loadBegin(row), end = loadEnd(row);
  Value shift = arith::SubIOp::create(
      builder, loc, function.load(GraphArray::rowSources, row), begin);
  Value last = arith::SubIOp::create(builder, loc, end, constantIndex(1));
  FailureOr<SmallVector<Value>> states =
      emitLoop(begin, end, 1, initial, [&](Value position, ValueRange carried) {
        if (scan.getReversed()) {
          Value done = arith::SubIOp::create(builder, loc, position, begin);
          position = arith::SubIOp::create(builder, loc, last, done);
        }
        Edge edge = {row, position, shift, dst};
        return emitEdge(edge, /*store=*/true,
                        [&](Lifter &lifter, EdgeValues &values) {
                          return emitScanStep(lifter, edge, values, carried);
                        });
      });
  if (failed(states))
    return failure();
  for (auto [result, state] : llvm::zip_equal(scan.getLast(), *states)) {
    unsigned rank = cast<RankedTensorType>(state.getType()).getRank();
    if (function.getOutput(result))
      function.storeRow(lifter, result, row,
                        {state, getCanonicalLayout(rank, false, false)});
  }
  return success();
}

LogicalResult RowLowering::runScan() {
  auto emitOne = [&](Value row, ValueRange) -> FailureOr<SmallVector<Value>> {
    if (failed(emitScanRow(row)))
      return failure();
    return SmallVector<Value>();
  };
  FailureOr<SmallVector<Value>> done =
      function.getShape().rows == 1
          ? emitOne(function.getFirst(), {})
          : emitLoop(function.getFirst(), function.getLast(), 1, {}, emitOne);
  return failure(failed(done));
}
