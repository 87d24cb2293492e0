//===- ConvertKernels.cpp - Kernels to loops over blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-mp-kernels: the functions of blocks and the loops that call
// them.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/TypedProduct.h"
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
#define GEN_PASS_DEF_CONVERTMPKERNELSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct ConvertMPKernels
    : public clique::impl::ConvertMPKernelsPassBase<ConvertMPKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<mp::KernelOp> kernels;
    module.walk([&](mp::KernelOp kernel) { kernels.push_back(kernel); });
    for (mp::KernelOp kernel : kernels)
      if (failed(convert(kernel)))
        return signalPassFailure();
  }

  /// What clique-distribute-to-threads goes by, where threads share a block.
  static void describeThreads(func::FuncOp function, mp::Lowering lowering,
                              const TileShape &shape) {
    if (shape.threads == 0)
      return;
    bool isRow = lowering == mp::Lowering::sparse;
    Builder builder(function.getContext());
    function->setAttr("mp.threads", builder.getI64IntegerAttr(shape.threads));
    function->setAttr("mp.rows",
                      builder.getI64IntegerAttr(isRow ? 0 : shape.rows));
  }

  LogicalResult convert(mp::KernelOp kernel) {
    Attribute schedule = kernel.getScheduleAttr();
    if (!schedule)
      return kernel.emitOpError(
          "has no schedule: run mp-schedule-kernels first");
    KernelInfo info(kernel);
    mp::Lowering lowering = *kernel.getLowering();
    TileShape shape(schedule);
    bool inChunks = isa<mp::EdgeBlocksAttr>(schedule);
    std::optional<TypedProduct> typed;
    if (isa<mp::TypedBlocksAttr>(schedule)) {
      typed = TypedProduct::find(info);
      if (!typed)
        return kernel.emitOpError(
            "is scheduled as #mp.typed_blocks, but its messages are no sums of "
            "products with weights by the type of an edge: schedule it as "
            "#mp.row_blocks");
    }
    FailureOr<func::FuncOp> function = failure();
    std::optional<HubFunctions> hubs;
    switch (lowering) {
    case mp::Lowering::nodes:
      function = lowerToNodes(info, shape);
      break;
    case mp::Lowering::sparse:
      function = typed      ? lowerToTypedRows(info, *typed, shape)
                 : inChunks ? lowerToEdgeBlocks(info, shape)
                            : lowerToRows(info, shape);
      if (succeeded(function)) {
        FailureOr<HubFunctions> functions = lowerHubs(info, shape, inChunks);
        if (failed(functions))
          return failure();
        hubs = *functions;
        describeThreads(hubs->chunk, lowering, shape);
        describeThreads(hubs->merge, lowering, shape);
      }
      break;
    case mp::Lowering::dense:
      function = lowerToTiles(info, shape);
      break;
    }
    if (failed(function))
      return failure();
    describeThreads(*function, lowering, shape);
    KernelCaller(info, lowering, shape, typed)
        .replaceWithCalls(*function, hubs);
    return success();
  }
};
} // namespace
