//===- LowerBlocks.cpp - Blocks to loops ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that make the loops of blocks, one for each kind of schedule.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/TypedProduct.h"

namespace clique {
#define GEN_PASS_DEF_LOWERNODESPASS
#define GEN_PASS_DEF_LOWERROWSPASS
#define GEN_PASS_DEF_LOWEREDGEBLOCKSPASS
#define GEN_PASS_DEF_LOWERTYPEDROWSPASS
#define GEN_PASS_DEF_LOWERTILESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static LogicalResult lowerToNodes(BlockFunction &function) {
  return function.finish(function.getRows(), {});
}

static LogicalResult lowerTypedRows(BlockFunction &function) {
  FailureOr<TypedProduct> product = TypedProduct::get(function.getInfo());
  if (failed(product))
    return failure();
  return lowerToTypedRows(function, *product);
}

static LogicalResult lowerTiles(BlockFunction &function) {
  const KernelInfo &info = function.getInfo();
  if (function.getShape().threads > 0 && !info.sourceSums.empty())
    return mp::SourceSumOp(info.sourceSums.front())
        .emitOpError("has no lowering for threads that share a block: a GPU "
                     "takes a kernel on the reverse graph in its place");
  return lowerToTiles(function);
}

namespace {
struct LowerNodes : public clique::impl::LowerNodesPassBase<LowerNodes> {
  void runOnOperation() override {
    if (failed(lowerBlocks<mp::NodeBlocksAttr>(getOperation(), lowerToNodes)))
      signalPassFailure();
  }
};

struct LowerRows : public clique::impl::LowerRowsPassBase<LowerRows> {
  void runOnOperation() override {
    if (failed(lowerBlocks<mp::RowBlocksAttr>(getOperation(), lowerToRows)))
      signalPassFailure();
  }
};

struct LowerEdgeBlocks
    : public clique::impl::LowerEdgeBlocksPassBase<LowerEdgeBlocks> {
  void runOnOperation() override {
    if (failed(
            lowerBlocks<mp::EdgeBlocksAttr>(getOperation(), lowerToEdgeBlocks)))
      signalPassFailure();
  }
};

struct LowerTypedRows
    : public clique::impl::LowerTypedRowsPassBase<LowerTypedRows> {
  void runOnOperation() override {
    if (failed(
            lowerBlocks<mp::TypedBlocksAttr>(getOperation(), lowerTypedRows)))
      signalPassFailure();
  }
};

struct LowerTiles : public clique::impl::LowerTilesPassBase<LowerTiles> {
  void runOnOperation() override {
    if (failed(lowerBlocks<mp::TilesAttr>(getOperation(), lowerTiles)))
      signalPassFailure();
  }
};
} // namespace
