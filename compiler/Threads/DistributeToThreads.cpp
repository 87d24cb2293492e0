//===- DistributeToThreads.cpp - Block functions for threads --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "compiler/Threads/ThreadPasses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_DISTRIBUTETOTHREADSPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct DistributeToThreads
    : public clique::impl::DistributeToThreadsPassBase<DistributeToThreads> {
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
    int64_t count = threads.getInt();
    if (count < kLanesPerWarp || !llvm::isPowerOf2_64(count))
      return function.emitOpError()
             << "has " << count << " threads in '" << kThreadsAttr
             << "', expected a power of two from " << kLanesPerWarp << " on";
    Distribution distribution(function, count, rows.getInt());
    if (failed(distribution.run()))
      return failure();
    Builder builder(&getContext());
    function->setAttr(kSharedBytesAttr,
                      builder.getI64IntegerAttr(distribution.getSharedBytes()));
    return success();
  }
};
} // namespace
