//===- ConvertKernels.cpp - Kernels to loops over blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-mp-kernels: the extents of blocks and tiles, the functions
// of blocks and the loops that call them.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/TypedProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Threads of a tile, or of most blocks of nodes, on a GPU.
constexpr int64_t kBlockThreads = 128;

namespace {
struct ConvertMPKernels
    : public clique::impl::ConvertMPKernelsPassBase<ConvertMPKernels> {
  using ConvertMPKernelsPassBase::ConvertMPKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    constexpr int64_t mostColumns = 64;
    if (tileColumns > mostColumns) {
      module.emitError() << "convert-mp-kernels: tile-columns="
                         << tileColumns.getValue() << ", but a tile has "
                         << mostColumns
                         << " columns at most: a row of it is a word of bits";
      return signalPassFailure();
    }
    RuntimeCalls runtime(module);
    SmallVector<mp::KernelOp> kernels;
    module.walk([&](mp::KernelOp kernel) { kernels.push_back(kernel); });
    for (mp::KernelOp kernel : kernels)
      if (failed(convert(kernel, runtime)))
        return signalPassFailure();
  }

  /// A value of all rows lies in the registers of a block's threads.
  TileShape getThreadedNodeShape(const KernelInfo &info) {
    int64_t size = info.getUpdateValueSize();
    TileShape shape{nodeRows};
    shape.threads = kBlockThreads;
    if (info.hasHalfProducts()) {
      // Each weight is read once for all rows of a block: they should be many.
      // A matrix instruction has 16.
      constexpr int64_t most = 64, least = 16;
      auto isTooLarge = [&] {
        return shape.rows * size > most * shape.threads;
      };
      auto doubleThreads = [&](int64_t limit) {
        while (shape.threads < limit && isTooLarge())
          shape.threads *= 2;
      };
      doubleThreads(2 * kBlockThreads);
      while (shape.rows > least && isTooLarge())
        shape.rows /= 2;
      doubleThreads(4 * kBlockThreads);
      if (!isTooLarge())
        return shape;
    }
    constexpr int64_t most = 32, least = 4;
    shape = {nodeRows};
    shape.threads = kBlockThreads;
    while (shape.rows > least && shape.rows * size > most * shape.threads)
      shape.rows /= 2;
    return shape;
  }

  TileShape getNodeShape(const KernelInfo &info) {
    if (forThreads)
      return getThreadedNodeShape(info);
    // Large weights pass the caches once per block: it should be long.
    constexpr int64_t many = 32768, factor = 4;
    int64_t numbers = 0;
    for (Value capture : info.captures)
      if (auto type = dyn_cast<RankedTensorType>(capture.getType()))
        numbers += type.getNumElements();
    bool isLong = numbers > many;
    return {isLong ? factor * nodeRows : nodeRows};
  }

  /// Blocks of rows for which nothing is kept may be long: the more edges a
  /// block has, the less its work differs from that of others.
  TileShape getRowShape(const KernelInfo &info) {
    constexpr int64_t factor = 4;
    bool isKept = forThreads || !info.updates.empty();
    return {isKept ? blockRows : factor * blockRows};
  }

  /// Long blocks, whose sums fit a cache. Few groups make a product, as types
  /// often have few in a block, but enough that each weight that is loaded
  /// serves several.
  TileShape getTypedShape(const TypedProduct &product) {
    constexpr int64_t numbers = 262144, least = 128, most = 4096;
    int64_t rows = std::clamp(numbers / product.getOutSize(), least, most);
    TileShape shape;
    shape.rows = std::max(rows / blockRows, int64_t(1)) * blockRows;
    shape.tileRows = blockRows;
    shape.groups = 8;
    return shape;
  }

  /// Smaller tiles for larger edge values.
  TileShape getTileShape(const KernelInfo &info) {
    constexpr int64_t minColumns = 16, bytesPerNumber = 4;
    int64_t limit = tileBytes / (bytesPerNumber * info.getEdgeValueSize());
    int64_t columns = tileColumns;
    while (tileRows * columns > limit && columns > minColumns)
      columns /= 2;
    int64_t rowBytes = bytesPerNumber * info.getRowSize();
    int64_t rows =
        std::min<int64_t>(denseBlockRows, denseBlockBytes / rowBytes);
    rows = std::max<int64_t>(1, rows / tileRows) * tileRows;
    return {rows, tileRows, columns, std::min<int64_t>(columns, borderColumns)};
  }

  /// Threads that compute a row together: each has four numbers of its largest
  /// value, what one access of 16 bytes takes of `f32`. With more threads some
  /// would repeat what others do, in whose place a warp can have further rows.
  /// But a warp takes as long as the longest of its rows: eight are enough.
  static int64_t getRowThreads(const KernelInfo &info) {
    constexpr int64_t perThread = 4, fewest = 4, warp = 32;
    int64_t numbers = int64_t(llvm::PowerOf2Ceil(info.getLargestValueSize()));
    return std::clamp(numbers / perThread, fewest, warp);
  }

  /// What clique-distribute-to-threads goes by.
  static void describeThreads(func::FuncOp function, const KernelInfo &info,
                              mp::Lowering lowering, const TileShape &shape) {
    bool isRow = lowering == mp::Lowering::sparse;
    int64_t threads = isRow ? getRowThreads(info) : shape.threads;
    Builder builder(function.getContext());
    function->setAttr("mp.threads", builder.getI64IntegerAttr(threads));
    function->setAttr("mp.rows",
                      builder.getI64IntegerAttr(isRow ? 0 : shape.rows));
  }

  LogicalResult convert(mp::KernelOp kernel, const RuntimeCalls &runtime) {
    if (!kernel.getLowering())
      return kernel.emitOpError(
          "has no lowering: run mp-select-lowering first");
    KernelInfo info(kernel);
    mp::Lowering lowering = *kernel.getLowering();
    TileShape shape;
    FailureOr<func::FuncOp> function = failure();
    std::optional<HubFunctions> hubs;
    std::optional<TypedProduct> typed;
    if (lowering == mp::Lowering::sparse && !forThreads)
      typed = TypedProduct::find(info);
    switch (lowering) {
    case mp::Lowering::nodes:
      shape = getNodeShape(info);
      shape.forThreads = forThreads;
      function = lowerToNodes(info, shape);
      break;
    case mp::Lowering::sparse:
      shape = typed ? getTypedShape(*typed) : getRowShape(info);
      shape.forThreads = forThreads;
      function = typed ? lowerToTypedRows(info, *typed, shape)
                       : lowerToRows(info, shape);
      if (succeeded(function)) {
        FailureOr<HubFunctions> functions = lowerHubs(info, shape);
        if (failed(functions))
          return failure();
        hubs = *functions;
      }
      break;
    case mp::Lowering::dense:
      shape = getTileShape(info);
      shape.forThreads = forThreads;
      shape.threads = kBlockThreads;
      function = lowerToTiles(info, shape);
      break;
    }
    if (failed(function))
      return failure();
    if (forThreads)
      describeThreads(*function, info, lowering, shape);
    if (forThreads && hubs) {
      describeThreads(hubs->chunk, info, lowering, shape);
      describeThreads(hubs->merge, info, lowering, shape);
    }
    KernelCaller(info, runtime, lowering, shape, blockEdges, typed)
        .replaceWithCalls(*function, hubs);
    return success();
  }
};
} // namespace
