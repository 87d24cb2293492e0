//===- TileCaller.cpp - The loop over blocks of dense tiles ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileCaller.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

Value TileCaller::emitBlockRows() {
  // Short blocks on small graphs, so that there is work for several threads;
  // the number of threads must not matter for the result. Each block lays its
  // sources out anew, which a few register blocks must be worth.
  const int64_t jobs = mp::getCpu(info.kernel).getCores();
  auto divide = [&](Value count, Value size) -> Value {
    return arith::CeilDivUIOp::create(builder, loc, count, size);
  };
  Value registerBlock = constantIndex(shape.tileRows);
  Value heads = constantIndex(info.kernel.getHeads().value_or(1));
  Value all = arith::MulIOp::create(builder, loc, numRows, heads);
  const int64_t most = shape.rows / shape.tileRows;
  Value registerBlocks = divide(all, constantIndex(jobs * shape.tileRows));
  registerBlocks = arith::MaxUIOp::create(
      builder, loc, registerBlocks,
      constantIndex(std::min(tuning::leastBlockTiles, most)));
  registerBlocks =
      arith::MinUIOp::create(builder, loc, registerBlocks, constantIndex(most));
  // As many blocks as that makes, of equal size.
  Value blocks =
      divide(numRows, arith::MulIOp::create(builder, loc, registerBlocks,
                                            registerBlock));
  blocks = arith::MaxUIOp::create(builder, loc, blocks, constantIndex(1));
  registerBlocks = divide(
      numRows, arith::MulIOp::create(builder, loc, blocks, registerBlock));
  registerBlocks =
      arith::MaxUIOp::create(builder, loc, registerBlocks, constantIndex(1));
  return arith::MulIOp::create(builder, loc, registerBlocks, registerBlock);
}

void TileCaller::emitGraphReads() {
  if (shape.inOrder)
    graph = create<mp::InOrderOp>(graph);
  blockRows = emitBlockRows();
  tiles = mp::TileListOp::create(builder, loc, graph, blockRows, shape.tileRows,
                                 shape.columns);
}

Value TileCaller::getArray(GraphArray array) {
  switch (array) {
  case GraphArray::rowBegin:
    return rowBegin = create<mp::RowBeginOp>(graph);
  case GraphArray::rowEnd:
    return rowEnd = create<mp::RowEndOp>(graph);
  case GraphArray::noSelf:
    return create<mp::NoSelfOp>(graph);
  case GraphArray::areTilesListed:
    return tiles.getListed();
  case GraphArray::tileList:
    return tiles.getTiles();
  case GraphArray::tileRegisterBlocks:
    return tiles.getRegisterBlocks();
  case GraphArray::tileWords:
    return tiles.getWords();
  case GraphArray::tileFirstEdges:
    return info.usesEdgeFeatures() ? tiles.getFirstEdges() : getNoArray(array);
  case GraphArray::nodeOrder:
    return shape.inOrder ? create<mp::NodeOrderOp>(graph) : getNoArray(array);
  default:
    return KernelCaller::getArray(array);
  }
}

Value TileCaller::emitSplit() {
  // Tiles are of equal work whatever the edges, and one with rows of two
  // cliques would be half empty.
  split = create<mp::RowBlocksOp>(graph, blockRows, constantIndex(0), Value(),
                                  /*aligned=*/true);
  return countBlocks(split);
}

SmallVector<Value> TileCaller::getLastArgs(const Job &job) {
  // Of tiles that are not listed there are two entries, whatever the block.
  Value known = arith::SelectOp::create(builder, loc, tiles.getListed(),
                                        job.block, constantIndex(0));
  auto [firstTile, pastTile] = loadBounds(tiles.getBlocks(), known);
  SmallVector<Value> args = {firstTile, pastTile};
  if (shape.prefetchBlocks > 0) {
    auto [first, last] = getBounds(job.nextBlock);
    args.append({first, last});
    if (job.nextHead) {
      args.push_back(job.nextHead);
      auto [begin, end] =
          emitSlices(job, arith::SubIOp::create(builder, loc, last, first));
      args.append({begin, end, constantIndex(*info.kernel.getHeads())});
    }
  }
  return args;
}

KernelCaller::Bounds TileCaller::emitSlices(const Job &job, Value rowsAhead) {
  Value zero = constantIndex(0);
  if (!job.headsFirst)
    return {zero, zero};
  Value heads = constantIndex(*info.kernel.getHeads());
  auto [first, last] = getBounds(emitNext(job.block, getBlocks()));
  Value isShort =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                            arith::SubIOp::create(builder, loc, last, first),
                            constantIndex(tuning::mostWholeRows));
  int64_t rowBytes = 0; // of all heads
  for (Value input : info.getNodeInputs())
    rowBytes +=
        *info.kernel.getHeads() * getBytes(mp::getNodeFeature(input.getType()));
  Value isFar = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge, numRows,
      constantIndex(tuning::leastFarBytes / std::max<int64_t>(rowBytes, 1)));
  isShort = arith::AndIOp::create(builder, loc, isShort, isFar);
  isShort = arith::AndIOp::create(builder, loc, isShort, job.headsFirst);
  // As many slices as rows: those of all heads are those of all rows.
  Value begin = arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, first, heads),
      arith::MulIOp::create(builder, loc, job.head, rowsAhead));
  Value end = arith::MulIOp::create(builder, loc, last, heads);
  return {begin, arith::SelectOp::create(builder, loc, isShort, end,
                                         constantIndex(0))};
}

//===----------------------------------------------------------------------===//
// Sums for sources
//===----------------------------------------------------------------------===//

// The blocks whose sources are not all apart are one job, which adds to their
// rows block after block. Rows of an interval graph begin and end one after the
// other, so that a block shares sources with one of those before if it does
// with the last row before it. The job also sets the rows to 0, and those of
// sources without edges before the next job's.

Value TileCaller::loadFirstRow(Value number) {
  return arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      memref::LoadOp::create(builder, loc, split, number));
}

std::pair<Value, Value> TileCaller::emitIsApart(Value number) {
  Value one = constantIndex(1);
  Value row = loadFirstRow(number);
  // Block 0 is asked for nothing but its number.
  Value before = arith::SubIOp::create(
      builder, loc, arith::MaxUIOp::create(builder, loc, row, one), one);
  Value begin = memref::LoadOp::create(builder, loc, rowBegin, row);
  Value end = memref::LoadOp::create(builder, loc, rowEnd, before);
  Value apart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      begin, end);
  Value isListed = tiles.getListed();
  Value isInterval = arith::XOrIOp::create(
      builder, loc, isListed, arith::ConstantIntOp::create(builder, loc, 1, 1));
  apart = arith::AndIOp::create(builder, loc, apart, isInterval);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        number, constantIndex(0));
  Value first =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), begin);
  return {
      arith::OrIOp::create(builder, loc, apart, isFirst),
      arith::SelectOp::create(builder, loc, isFirst, constantIndex(0), first)};
}

std::pair<Value, Value> TileCaller::emitGroupEnd(Value block) {
  Type index = builder.getIndexType();
  Value one = constantIndex(1), all = getBlocks();
  Value numSrc = create<mp::NumSrcOp>(graph);
  Value next = arith::AddIOp::create(builder, loc, block, one);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{index, index}, ValueRange{next},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value isBlock = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                              args[0], all);
        auto known = scf::IfOp::create(b, loc, TypeRange{b.getI1Type(), index},
                                       isBlock, true);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(known.thenBlock());
        auto [apart, begin] = emitIsApart(args[0]);
        Value goesOn = arith::XOrIOp::create(
            builder, loc, apart,
            arith::ConstantIntOp::create(builder, loc, 1, 1));
        scf::YieldOp::create(builder, loc, ValueRange{goesOn, begin});
        builder.setInsertionPointToStart(known.elseBlock());
        Value isOver = arith::ConstantIntOp::create(builder, loc, 0, 1);
        scf::YieldOp::create(builder, loc, ValueRange{isOver, numSrc});
        b.setInsertionPointAfter(known);
        scf::ConditionOp::create(b, loc, known.getResult(0),
                                 ValueRange{args[0], known.getResult(1)});
      },
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value after = arith::AddIOp::create(b, loc, args[0], one);
        scf::YieldOp::create(b, loc, after);
      });
  return {loop.getResult(0), loop.getResult(1)};
}

void TileCaller::emitZeros(Value from, Value to, Value head) {
  Value count = arith::SubIOp::create(builder, loc, to, from);
  for (Value output : sourceOutputs) {
    auto type = cast<MemRefType>(output.getType());
    RowSlice rows(builder, type, from, count);
    if (head) {
      rows.offsets[1] = head;
      rows.sizes[1] = builder.getIndexAttr(1);
    }
    Value view = memref::SubViewOp::create(builder, loc, output, rows.offsets,
                                           rows.sizes, rows.strides);
    Value zero =
        create<arith::ConstantOp>(builder.getZeroAttr(type.getElementType()));
    linalg::FillOp::create(builder, loc, zero, view);
  }
}

void TileCaller::emitBeforeBlocks(ValueRange) {
  if (sourceOutputs.empty())
    return;
  // Without a block there is no job that would do it.
  Value isNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       getBlocks(), constantIndex(0));
  Value to = arith::SelectOp::create(
      builder, loc, isNone, create<mp::NumSrcOp>(graph), constantIndex(0));
  emitZeros(constantIndex(0), to, Value());
}

// Of blocks that are one job the first one has it: with all heads of it next to
// each other all jobs would be one thread's.
Value TileCaller::emitHeadsFirst() {
  Value few = KernelCaller::emitHeadsFirst();
  if (sourceOutputs.empty())
    return few;
  Value one = constantIndex(1);
  Value several = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                        getBlocks(), one);
  auto known = scf::IfOp::create(builder, loc, builder.getI1Type(), several,
                                 /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(known.thenBlock());
    Value last = arith::SubIOp::create(builder, loc, getBlocks(), one);
    scf::YieldOp::create(builder, loc, emitIsApart(last).first);
    builder.setInsertionPointToStart(known.elseBlock());
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    scf::YieldOp::create(builder, loc, yes);
  }
  return arith::AndIOp::create(builder, loc, few, known.getResult(0));
}

void TileCaller::emitJob(func::FuncOp function, const Job &job,
                         ValueRange args) {
  if (sourceOutputs.empty()) {
    emitCall(function, job, args);
    return;
  }
  auto [apart, from] = emitIsApart(job.block);
  auto group = scf::IfOp::create(builder, loc, apart);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(group.thenBlock());
  auto [end, to] = emitGroupEnd(job.block);
  emitZeros(from, to, job.head);
  auto loop =
      scf::ForOp::create(builder, loc, job.block, end, constantIndex(1));
  builder.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar();
  emitCall(function, {block, job.head, emitNext(block, end), job.head, {}},
           args);
}
