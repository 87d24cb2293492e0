//===- RowCaller.cpp - The loop over blocks of sparse rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/RowCaller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

Value RowCaller::getLongestRow() {
  return shape.longestRow > 0 ? constantIndex(shape.longestRow) : blockEdges;
}

Value RowCaller::emitSplit() {
  if (isEven())
    return KernelCaller::emitSplit();
  Value longest = shape.longestRow > 0 ? getLongestRow() : Value();
  split = create<mp::RowBlocksOp>(graph, constantIndex(shape.rows), blockEdges,
                                  longest, /*aligned=*/false);
  return countBlocks(split);
}

KernelCaller::Bounds RowCaller::getBounds(Value block) {
  return isEven() ? KernelCaller::getBounds(block) : loadBounds(split, block);
}

void RowCaller::emitBeforeBlocks(ValueRange args) {
  if (!hubs)
    return;
  hubCalls.emplace(builder, loc, *hubs, getLongestRow());
  hubCalls->emit(graph, args);
}

Value RowCaller::getLast(Value first, Value last) {
  if (!hubCalls)
    return last;
  last = hubCalls->getLast(first, last);
  if (shape.rows == 1) {
    // Nothing in the function looks whether there is a row.
    Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        first, last);
    auto guarded = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
  }
  return last;
}
