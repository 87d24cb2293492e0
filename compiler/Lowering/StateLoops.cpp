//===- StateLoops.cpp - Loops that carry states ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/StateLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

/// Ends the block at the insertion point, unless nothing is carried: then the
/// op ended it.
static LogicalResult yield(OpBuilder &builder, Location loc,
                           FailureOr<SmallVector<Value>> states) {
  if (failed(states))
    return failure();
  if (!states->empty())
    scf::YieldOp::create(builder, loc, *states);
  return success();
}

FailureOr<SmallVector<Value>> clique::emitFor(OpBuilder &builder, Location loc,
                                              Value first, Value past,
                                              int64_t step, ValueRange states,
                                              StateLoopBody body) {
  auto loop = scf::ForOp::create(
      builder, loc, first, past,
      arith::ConstantIndexOp::create(builder, loc, step), states);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  if (failed(yield(builder, loc,
                   body(loop.getInductionVar(), loop.getRegionIterArgs()))))
    return failure();
  return SmallVector<Value>(loop.getResults());
}

FailureOr<SmallVector<Value>> clique::emitIf(OpBuilder &builder, Location loc,
                                             Value condition, ValueRange states,
                                             StateBranch then,
                                             StateBranch otherwise) {
  auto branch = scf::IfOp::create(builder, loc, TypeRange(states), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [target, emit] : {std::pair(branch.thenBlock(), then),
                              std::pair(branch.elseBlock(), otherwise)}) {
    builder.setInsertionPointToStart(target);
    if (failed(yield(builder, loc, emit())))
      return failure();
  }
  return SmallVector<Value>(branch.getResults());
}
