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
  memref::StoreOp::create(builder, loc, first, position);
  Value count = arith::SubIOp::create(builder, loc, last, first);
  share = arith::CeilDivUIOp::create(builder, loc, count, numSteps);
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
  Value begin = memref::LoadOp::create(builder, loc, position);
  Value end = arith::AddIOp::create(builder, loc, begin, share);
  end = arith::MinUIOp::create(builder, loc, end, last);
  memref::StoreOp::create(builder, loc, end, position);
  function.prefetchRows(getInputs().getArrayRef(), begin, end, head);
}
