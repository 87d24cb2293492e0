//===- EdgeChunkLoops.cpp - Loops over the edges of a block ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeChunkLoops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

FailureOr<SmallVector<Value>> EdgeChunkLoops::emitRows(const EdgeRange &chunk,
                                                       ValueRange initial,
                                                       RowBody body) {
  Value one = constantIndex(1);
  return emitLoop(
      chunk.firstRow, add(chunk.lastRow, one), 1, initial,
      [&](Value row, ValueRange carried) {
        Value begin = function.load(GraphArray::indptr, row);
        Value end = function.load(GraphArray::indptr, add(row, one));
        Value from =
            subtract(arith::MaxSIOp::create(builder, loc, begin, chunk.begin),
                     chunk.begin);
        Value to = subtract(min(end, chunk.past), chunk.begin);
        return body(row, from, to, carried);
      });
}

Value EdgeChunkLoops::findRow(Value row, Value last) {
  Value one = constantIndex(1);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{builder.getIndexType()}, ValueRange{row},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value next = arith::AddIOp::create(b, loc, args[0], one);
        Value end = function.load(GraphArray::indptr, next);
        Value isBefore =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end, last);
        scf::ConditionOp::create(b, loc, isBefore, args);
      },
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value next = arith::AddIOp::create(b, loc, args[0], one);
        scf::YieldOp::create(b, loc, next);
      });
  return loop.getResult(0);
}
