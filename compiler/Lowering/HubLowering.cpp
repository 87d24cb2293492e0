//===- HubLowering.cpp - Rows of very many edges --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a divided row: a chunk of its edges, and their join.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/RowLowering.h"

using namespace mlir;
using namespace clique;

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
  if (failed(initial) || failed(function.verifyScratch(*initial)))
    return failure();
  auto emitGroup = [&](Value first, Value past, ValueRange states) {
    return emitLoop(first, past, 1, states,
                    [&](Value chunk, ValueRange states) {
                      SmallVector<Value> others;
                      for (Value scratch : merge->scratch)
                        others.push_back(function.loadRow(scratch, chunk));
                      return stream.combine(lifter, states, others);
                    });
  };
  return emitLoop(
      merge->firstChunk, merge->lastChunk, tuning::groupChunks, *initial,
      [&](Value first, ValueRange states) -> FailureOr<SmallVector<Value>> {
        Value past = arith::AddIOp::create(builder, loc, first,
                                           constantIndex(tuning::groupChunks));
        past = arith::MinSIOp::create(builder, loc, past, merge->lastChunk);
        FailureOr<SmallVector<Value>> group = emitGroup(first, past, *initial);
        if (failed(group))
          return failure();
        return stream.combine(lifter, states, *group);
      });
}

LogicalResult RowLowering::runChunk() {
  ValueRange args = function.getArgs();
  Value row = function.getFirst();
  Lifter lifter(builder, 0, 0, row, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  FailureOr<SmallVector<Value>> states =
      emitParts(lifter, row, args[0], args[1]);
  if (failed(states))
    return failure();
  return storeStates(function, *states, args[2]);
}

LogicalResult RowLowering::runMerge() {
  ValueRange args = function.getArgs();
  merge = {args[0], args[1], function.getScratch()};
  return run();
}
