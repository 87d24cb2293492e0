//===- LowerEdgeBlocks.cpp - Kernels of networks on edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-edge-blocks.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/RowCaller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_LOWEREDGEBLOCKSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static LogicalResult lower(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  FailureOr<func::FuncOp> function = lowerToEdgeBlocks(info, shape);
  if (failed(function))
    return failure();
  FailureOr<HubFunctions> hubs = lowerHubs(info, shape, /*inChunks=*/true);
  if (failed(hubs))
    return failure();
  RowCaller(info, shape, *hubs).replaceWithCalls(*function);
  return success();
}

namespace {
struct LowerEdgeBlocks
    : public clique::impl::LowerEdgeBlocksPassBase<LowerEdgeBlocks> {
  void runOnOperation() override {
    if (failed(lowerKernels<mp::EdgeBlocksAttr>(getOperation(), lower)))
      signalPassFailure();
  }
};
} // namespace
