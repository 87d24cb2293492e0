//===- LowerRows.cpp - Kernels of sparse rows ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-rows.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/RowCaller.h"

namespace clique {
#define GEN_PASS_DEF_LOWERROWSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static LogicalResult lowerRows(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  return replaceByRows(info, shape, lowerToRows(info, shape),
                       /*inChunks=*/false);
}

namespace {
struct LowerRows : public clique::impl::LowerRowsPassBase<LowerRows> {
  void runOnOperation() override {
    if (failed(lowerKernels<mp::RowBlocksAttr>(getOperation(), lowerRows)))
      signalPassFailure();
  }
};
} // namespace
