//===- HubCalls.cpp - Rows of very many edges -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/HubCalls.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

Value HubCalls::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value HubCalls::load(Value array, Value position) {
  Value entry = memref::LoadOp::create(builder, loc, array, position);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

Value HubCalls::loadChunk(Value chunk, int64_t part) {
  Value position = arith::MulIOp::create(builder, loc, chunk, constantIndex(2));
  return load(chunks, arith::AddIOp::create(builder, loc, position,
                                            constantIndex(part)));
}

void HubCalls::emitLoop(Value count, llvm::function_ref<void(Value)> body) {
  auto loop =
      scf::ParallelOp::create(builder, loc, ValueRange{constantIndex(0)},
                              ValueRange{count}, ValueRange{constantIndex(1)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVars().front());
}

void HubCalls::emit(Value graph, ValueRange args) {
  indptr = args.front();
  chunks = mp::HubChunksOp::create(builder, loc, graph, longestRow);
  Value entries = memref::DimOp::create(builder, loc, chunks, int64_t(0));
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      entries, constantIndex(0));
  auto branch = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());

  Value numChunks =
      arith::DivUIOp::create(builder, loc, entries, constantIndex(2));
  for (MemRefType type : functions.scratch)
    scratch.push_back(memref::AllocOp::create(builder, loc, type, numChunks));
  emitLoop(numChunks, [&](Value chunk) { callChunk(chunk, args); });

  Value hubs = mp::HubsOp::create(builder, loc, graph, longestRow);
  Value numHubs = arith::SubIOp::create(
      builder, loc, memref::DimOp::create(builder, loc, hubs, int64_t(0)),
      constantIndex(1));
  // Each part has its hubs added before its blocks.
  PartedArgs parted(functions.merge, 2, args);
  if (!parted.hasSums()) {
    emitLoop(numHubs, [&](Value hub) { callMerge(hubs, hub, args); });
    return;
  }
  Value parts = parted.countParts(builder, loc);
  emitLoop(parts, [&](Value part) {
    SmallVector<Value> own = parted.take(builder, loc, part);
    auto loop = scf::ForOp::create(builder, loc, part, numHubs, parts);
    builder.setInsertionPointToStart(loop.getBody());
    callMerge(hubs, loop.getInductionVar(), own);
  });
}

void HubCalls::callChunk(Value chunk, ValueRange args) {
  Value row = loadChunk(chunk, 0), begin = loadChunk(chunk, 1);
  Value next = arith::AddIOp::create(builder, loc, row, constantIndex(1));
  Value end = arith::AddIOp::create(builder, loc, begin, longestRow);
  end = arith::MinSIOp::create(builder, loc, end, load(indptr, next));
  SmallVector<Value> all = {row, next};
  // Sums over nodes are for what joins chunks: any part will do.
  llvm::append_range(all, PartedArgs(functions.chunk, 2, args)
                              .take(builder, loc, constantIndex(0)));
  llvm::append_range(all, ArrayRef<Value>{begin, end, chunk});
  llvm::append_range(all, scratch);
  func::CallOp::create(builder, loc, functions.chunk, all);
}

void HubCalls::callMerge(Value hubs, Value hub, ValueRange args) {
  Value one = constantIndex(1);
  Value firstChunk = load(hubs, hub);
  Value lastChunk = load(hubs, arith::AddIOp::create(builder, loc, hub, one));
  Value row = loadChunk(firstChunk, 0);
  SmallVector<Value> all = {row, arith::AddIOp::create(builder, loc, row, one)};
  llvm::append_range(all, args);
  llvm::append_range(all, ArrayRef<Value>{firstChunk, lastChunk});
  llvm::append_range(all, scratch);
  func::CallOp::create(builder, loc, functions.merge, all);
}

Value HubCalls::getLast(Value first, Value last) {
  // A row of more edges is a block of its own.
  Value next = arith::AddIOp::create(builder, loc, first, constantIndex(1));
  Value edges = arith::SubIOp::create(builder, loc, load(indptr, next),
                                      load(indptr, first));
  Value isHub = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                      edges, longestRow);
  return arith::SelectOp::create(builder, loc, isHub, first, last);
}
