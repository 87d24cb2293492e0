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
  if (args.size() > 2)
    head = args[2];
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

SetVector<Value> FetchAhead::getInputs() const {
  const KernelInfo &info = function.getInfo();
  SetVector<Value> inputs(info.dstInputs.begin(), info.dstInputs.end());
  inputs.insert(info.srcInputs.begin(), info.srcInputs.end());
  return inputs;
}

bool FetchAhead::isLarge() const {
  if (!first)
    return false;
  const int64_t line = mp::getCpu(function.getInfo().kernel).getLineBytes();
  int64_t lines = 0;
  for (Value input : getInputs())
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
  function.prefetchRows(getInputs().getArrayRef(), getRow(before),
                        getRow(after), head);
}
