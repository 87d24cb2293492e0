//===- LowerEdgeBlocks.cpp - Kernels of networks on edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-edge-blocks.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/RowCaller.h"

namespace clique {
#define GEN_PASS_DEF_LOWEREDGEBLOCKSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static LogicalResult lowerEdgeBlocks(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  return replaceByRows(info, shape, lowerToEdgeBlocks(info, shape),
                       /*inChunks=*/true);
}

namespace {
struct LowerEdgeBlocks
    : public clique::impl::LowerEdgeBlocksPassBase<LowerEdgeBlocks> {
  void runOnOperation() override {
    if (failed(
            lowerKernels<mp::EdgeBlocksAttr>(getOperation(), lowerEdgeBlocks)))
      signalPassFailure();
  }
};
} // namespace
