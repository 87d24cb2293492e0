//===- DeallocateHostBuffers.cpp - Who frees the host's buffers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_DEALLOCATEHOSTBUFFERSPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct DeallocateHostBuffers
    : public clique::impl::DeallocateHostBuffersPassBase<
          DeallocateHostBuffers> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && !function->hasAttr(mp::kThreadsAttr) &&
          failed(bufferization::deallocateBuffersOwnershipBased(
              function, bufferization::DeallocationOptions(), symbols)))
        return signalPassFailure();
  }
};
} // namespace
