//===- HoistAllocas.cpp - Scratch on the stack once per call --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_HOISTALLOCASPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static int64_t getBytes(MemRefType type) {
  return type.getNumElements() *
         llvm::divideCeil(clique::getBits(type.getElementType()), 8);
}

namespace {
struct HoistAllocas : public clique::impl::HoistAllocasPassBase<HoistAllocas> {
  using HoistAllocasPassBase::HoistAllocasPassBase;

  void runOnOperation() override {
    SmallVector<memref::AllocaOp> allocas;
    getOperation()->walk([&](memref::AllocaOp alloca) {
      if (alloca->getNumOperands() == 0)
        allocas.push_back(alloca);
    });
    int64_t bytes = 0;
    for (memref::AllocaOp alloca : allocas)
      bytes += getBytes(alloca.getType());
    for (memref::AllocaOp alloca : llvm::reverse(allocas)) {
      // Threads of a parallel loop need buffers of their own.
      Region *region = alloca->getParentRegion();
      while (!isa<func::FuncOp, scf::ParallelOp>(region->getParentOp()))
        region = region->getParentRegion();
      Block &start = region->front();
      alloca->moveBefore(&start, start.begin());
      if (bytes <= maxBytes || !isa<func::FuncOp>(region->getParentOp()))
        continue;
      bytes -= getBytes(alloca.getType());
      OpBuilder builder(alloca);
      Value buffer =
          memref::AllocOp::create(builder, alloca.getLoc(), alloca.getType(),
                                  alloca.getAlignmentAttr());
      alloca.replaceAllUsesWith(buffer);
      alloca.erase();
    }
  }
};
} // namespace
