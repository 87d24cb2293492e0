//===- HoistAllocas.cpp - Scratch on the stack once per call --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

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
    for (memref::AllocaOp alloca : llvm::reverse(allocas)) {
      Block &start = getScope(alloca)->front();
      alloca->moveBefore(&start, start.begin());
    }
    moveToHeap(allocas);
  }

private:
  /// Threads of a parallel loop need buffers of their own.
  static Region *getScope(memref::AllocaOp alloca) {
    Region *region = alloca->getParentRegion();
    while (!isa<func::FuncOp, scf::ParallelOp>(region->getParentOp()))
      region = region->getParentRegion();
    return region;
  }

  /// The largest first: few calls make room for all others.
  void moveToHeap(ArrayRef<memref::AllocaOp> allocas) {
    int64_t bytes = 0;
    std::multimap<int64_t, memref::AllocaOp, std::greater<>> bySize;
    for (memref::AllocaOp alloca : allocas) {
      const int64_t size = getBytes(alloca.getType());
      bytes += size;
      bySize.emplace(size, alloca);
    }
    for (auto [size, alloca] : bySize) {
      if (bytes <= maxBytes)
        return;
      if (!isa<func::FuncOp>(getScope(alloca)->getParentOp()))
        continue;
      bytes -= size;
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
