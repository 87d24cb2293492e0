//===- TypedRowCaller.cpp - The loop over blocks of edges by type ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TypedRowCaller.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

void TypedRowCaller::emitGraphReads() {
  // Long blocks, whose weights come from memory once, but some for each thread.
  const int64_t jobs = tuning::jobsPerCore * mp::getCpu(info.kernel).getCores();
  Value limit = arith::CeilDivUIOp::create(
      builder, loc, create<mp::NumEdgesOp>(graph), constantIndex(jobs));
  limit = arith::MaxUIOp::create(builder, loc, limit, blockEdges);
  blockEdges = arith::MinUIOp::create(builder, loc, limit,
                                      constantIndex(tuning::mostTypedEdges));
}

void TypedRowCaller::emitBeforeBlocks(ValueRange args) {
  RowCaller::emitBeforeBlocks(args);
  Value types = asBuffer(asTensor(KernelInfo::getSource(product.types)));
  edges = mp::EdgesByTypeOp::create(
      builder, loc, graph, types, constantIndex(shape.rows), blockEdges,
      shape.groups, product.getNumTypes(), product.readsEdges);
}

SmallVector<Value> TypedRowCaller::getLastArgs(const Job &job) {
  auto [firstChunk, pastChunk] = loadBounds(edges.getBlocks(), job.block);
  return {firstChunk,           pastChunk,          edges.getChunks(),
          edges.getGroupList(), edges.getSources(), edges.getIds()};
}
