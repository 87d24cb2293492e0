//===- DistributeToThreads.cpp - Block functions for threads --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Threads/Distribution.h"
#include "compiler/Threads/ThreadPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace clique {
#define GEN_PASS_DEF_DISTRIBUTETOTHREADSPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Stores come right behind the last loop or sum that their values need: the
/// registers of one result are free before the next one is computed.
static void storeEarly(func::FuncOp function) {
  Block &body = function.getBody().front();
  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return op->getBlock() == &body; };
  for (auto store : llvm::make_early_inc_range(
           body.getOps<bufferization::MaterializeInDestinationOp>())) {
    SetVector<Operation *> needed;
    if (failed(getBackwardSlice(store.getOperation(), &needed, options)))
      continue;
    Operation *place = nullptr;
    for (Operation *op : needed) {
      auto linalg = dyn_cast<linalg::LinalgOp>(op);
      if (isa<LoopLikeOpInterface>(op) ||
          (linalg && linalg.getNumReductionLoops() > 0))
        place = !place || place->isBeforeInBlock(op) ? op : place;
    }
    if (!place)
      continue;
    // In topological order.
    Operation *last = place;
    for (Operation *op : needed)
      if (place->isBeforeInBlock(op)) {
        op->moveAfter(last);
        last = op;
      }
    store->moveAfter(last);
  }
}

namespace {
struct DistributeToThreads
    : public clique::impl::DistributeToThreadsPassBase<DistributeToThreads> {
  using DistributeToThreadsPassBase::DistributeToThreadsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(distribute(function)))
        return signalPassFailure();
  }

  LogicalResult distribute(func::FuncOp function) {
    auto threads = function->getAttrOfType<IntegerAttr>(kThreadsAttr);
    auto rows = function->getAttrOfType<IntegerAttr>(kRowsAttr);
    if (!threads || !rows || function.isExternal())
      return success();
    const int64_t count = threads.getInt();
    // Two buffers hide the time that a copy takes, and so does a second block
    // on the multiprocessor: that is not given up for them.
    mp::GpuAttr gpu = mp::getGpuOrDefault(function);
    int64_t mostBytes =
        std::min(gpu.getMultiprocessorSharedBytes() / 2 - tuning::gpuBlockShare,
                 tuning::gpuStagedBytes);
    storeEarly(function);
    OwningOpRef<func::FuncOp> original = function.clone();
    FailureOr<int64_t> bytes = run(function, count, rows.getInt(), 2);
    if (succeeded(bytes) && *bytes > mostBytes) {
      function.getBody().takeBody(original->getBody());
      bytes = run(function, count, rows.getInt(), 1);
    }
    if (failed(bytes))
      return failure();
    function->setAttr(kSharedBytesAttr,
                      Builder(&getContext()).getI64IntegerAttr(*bytes));
    return success();
  }

  /// Returns the shared memory of a group.
  FailureOr<int64_t> run(func::FuncOp function, int64_t threads, int64_t rows,
                         int64_t stages) {
    Distribution distribution(function, threads, rows, stages, tf32);
    if (failed(distribution.run()))
      return failure();
    return distribution.getSharedBytes();
  }
};
} // namespace
