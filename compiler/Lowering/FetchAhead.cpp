//===- FetchAhead.cpp - The rows of the block that comes next -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/FetchAhead.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

/// What is asked for at once is partly dropped: steps that take less than a row
/// each take one now and then.
static constexpr int64_t kFractionBits = 16;

FetchAhead::FetchAhead(BlockFunction &function)
    : function(function), builder(function.getBuilder()),
      loc(function.getLoc()) {
  if (function.getShape().prefetchBlocks == 0)
    return;
  // Behind the block's tiles.
  ValueRange args = function.getArgs().drop_front(2);
  first = args[0];
  last = args[1];
  if (args.size() == 2)
    return;
  head = args[2];
  firstSlice = args[3];
  pastSlice = args[4];
  heads = args[5];
}

void FetchAhead::begin(Value numSteps) {
  if (!first)
    return;
  position = memref::AllocaOp::create(
      builder, loc, MemRefType::get({}, builder.getIndexType()));
  Value unit = arith::ConstantIndexOp::create(builder, loc, kFractionBits);
  auto inFractions = [&](Value rows) -> Value {
    return arith::ShLIOp::create(builder, loc, rows, unit);
  };
  memref::StoreOp::create(builder, loc, inFractions(first), position);
  Value count = arith::SubIOp::create(builder, loc, last, first);
  share =
      arith::CeilDivUIOp::create(builder, loc, inFractions(count), numSteps);
}

bool FetchAhead::isLarge() const {
  if (!first)
    return false;
  const int64_t line = mp::getCpu(function.getInfo().kernel).getLineBytes();
  int64_t lines = 0;
  for (Value input : function.getInfo().getNodeInputs())
    lines +=
        llvm::divideCeil(getBytes(mp::getNodeFeature(input.getType())), line);
  return lines >= tuning::leastLinesApart;
}

void FetchAhead::step() {
  if (!first)
    return;
  Value before = memref::LoadOp::create(builder, loc, position);
  Value after = arith::AddIOp::create(builder, loc, before, share);
  memref::StoreOp::create(builder, loc, after, position);
  Value unit = arith::ConstantIndexOp::create(builder, loc, kFractionBits);
  auto getRow = [&](Value fractions) -> Value {
    Value row = arith::ShRUIOp::create(builder, loc, fractions, unit);
    return arith::MinUIOp::create(builder, loc, row, last);
  };
  scf::ForOp rows =
      function.prefetchRows(function.getInfo().getNodeInputs().getArrayRef(),
                            getRow(before), getRow(after), head);
  if (!head)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(rows.getBody()->getTerminator());
  fetchSlice(rows.getInductionVar());
}

void FetchAhead::fetchSlice(Value row) {
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      firstSlice, pastSlice);
  auto any = scf::IfOp::create(builder, loc, isAny, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(any.thenBlock());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value slice =
      arith::AddIOp::create(builder, loc, firstSlice,
                            arith::SubIOp::create(builder, loc, row, first));
  slice = arith::MinUIOp::create(
      builder, loc, slice, arith::SubIOp::create(builder, loc, pastSlice, one));
  function.prefetchRow(function.getInfo().getNodeInputs().getArrayRef(),
                       arith::DivUIOp::create(builder, loc, slice, heads),
                       arith::RemUIOp::create(builder, loc, slice, heads));
}
