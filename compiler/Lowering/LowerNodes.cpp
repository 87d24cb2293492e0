//===- LowerNodes.cpp - Functions of every node --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-nodes: a kernel without messages, whose updates are
// computed for a block of nodes at a time.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"

namespace clique {
#define GEN_PASS_DEF_LOWERNODESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static FailureOr<func::FuncOp> makeFunction(const KernelInfo &info,
                                            TileShape shape) {
  BlockFunction function(info, "_nodes", shape,
                         getGraphArrays(mp::Lowering::nodes));
  if (failed(function.finish(function.getRows(), {})))
    return failure();
  function.createReturn();
  return function.getFunction();
}

static LogicalResult lowerNodes(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  FailureOr<func::FuncOp> function = makeFunction(info, shape);
  if (failed(function))
    return failure();
  KernelCaller(info, shape).replaceWithCalls(*function);
  return success();
}

namespace {
struct LowerNodes : public clique::impl::LowerNodesPassBase<LowerNodes> {
  void runOnOperation() override {
    if (failed(lowerKernels<mp::NodeBlocksAttr>(getOperation(), lowerNodes)))
      signalPassFailure();
  }
};
} // namespace
