//===- FreeEarly.cpp - Buffers are freed behind their last use ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's optimize-allocation-liveness moves the deallocation of an
// allocation of the same block. What a layer for any graph computes is the
// result of a branch, and whether it is freed may be known at run time only.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_FREEEARLYPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// The buffers that an op frees and does nothing else, at most on a condition.
static SmallVector<Value> getFreed(Operation *op) {
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return {dealloc.getMemref()};
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.elseBlock() || branch->getNumResults() > 0)
    return {};
  SmallVector<Value> freed;
  for (Operation &inner : branch.thenBlock()->without_terminator()) {
    auto dealloc = dyn_cast<memref::DeallocOp>(inner);
    if (!dealloc || dealloc.getMemref().getParentBlock() == branch.thenBlock())
      return {};
    freed.push_back(dealloc.getMemref());
  }
  return freed;
}

/// The last op before `free` that uses a value which may be a part of a buffer
/// that it frees, or that makes an operand; null if there is none.
static Operation *getLastUse(Operation *free, ArrayRef<Value> freed,
                             const BufferViewFlowAnalysis &views) {
  Block *block = free->getBlock();
  Operation *last = nullptr;
  auto comesAfter = [&](Operation *op) {
    op = block->findAncestorOpInBlock(*op);
    if (op && op->isBeforeInBlock(free) && (!last || last->isBeforeInBlock(op)))
      last = op;
  };
  SmallVector<Value> made(free->getOperands());
  BufferViewFlowAnalysis::ValueSetT aliases;
  for (Value buffer : freed) {
    made.push_back(buffer);
    for (Value source : views.resolveReverse(buffer))
      aliases.insert_range(views.resolve(source));
  }
  for (Value value : made)
    if (Operation *definition = value.getDefiningOp())
      comesAfter(definition);
  for (Value alias : aliases)
    for (Operation *user : alias.getUsers())
      comesAfter(user);
  return last;
}

/// Frees a buffer rather than the base that upstream takes from it behind its
/// last use: both name the same allocation.
static void freeSources(func::FuncOp function) {
  function.walk([](memref::DeallocOp dealloc) {
    auto base =
        dealloc.getMemref().getDefiningOp<memref::ExtractStridedMetadataOp>();
    if (!base || dealloc.getMemref() != base.getBaseBuffer())
      return;
    dealloc.getMemrefMutable().assign(base.getSource());
    if (base->use_empty())
      base.erase();
  });
}

namespace {
struct FreeEarly : public clique::impl::FreeEarlyPassBase<FreeEarly> {
  void runOnOperation() override {
    freeSources(getOperation());
    BufferViewFlowAnalysis views(getOperation());
    SmallVector<Operation *> frees;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (getFreed(op).empty())
        return WalkResult::advance();
      frees.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *free : frees) {
      if (Operation *last = getLastUse(free, getFreed(free), views))
        free->moveAfter(last);
      else
        free->moveBefore(free->getBlock(), free->getBlock()->begin());
    }
  }
};
} // namespace
