//===- LimitSharedMemory.cpp - Tiles that no block has the memory for -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Versions.h"
#include "compiler/Threads/ThreadPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clique {
#define GEN_PASS_DEF_LIMITSHAREDMEMORYPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct LimitSharedMemory
    : public clique::impl::LimitSharedMemoryPassBase<LimitSharedMemory> {
  void runOnOperation() override {
    mostBytes = mp::getGpuOrDefault(getOperation()).getSharedBytes();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto bytes = function->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
      if (bytes && bytes.getInt() > mostBytes &&
          failed(avoid(function, bytes.getInt())))
        return signalPassFailure();
    }
  }

  func::CallOp findCall(func::FuncOp function) {
    func::CallOp found;
    getOperation().walk([&](func::CallOp call) {
      if (call.getCallee() != function.getName())
        return WalkResult::advance();
      found = call;
      return WalkResult::interrupt();
    });
    return found;
  }

  LogicalResult avoid(func::FuncOp function, int64_t bytes) {
    // What is not kept goes, with any other calls in it.
    while (func::CallOp call = findCall(function)) {
      scf::IfOp versions = findVersions(call);
      if (!versions)
        return emitError(call.getLoc())
               << "a block of threads needs " << bytes
               << " bytes of shared memory here, and has " << mostBytes
               << ": compile with lowering=sparse if they are for tiles of "
                  "edges, or split what is computed for a node";
      keepRows(versions);
    }
    return success();
  }

  int64_t mostBytes = 0;
};
} // namespace
