//===- TileProducts.cpp - Products with weights, a part at a time ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "compiler/Threads/TensorCores.h"
#include "compiler/Threads/ThreadPasses.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

namespace clique {
#define GEN_PASS_DEF_TILEPRODUCTSPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// The buffer of a whole argument that is read as it is, or extended.
static MemRefType getWeights(Value tensor) {
  auto onlyViews = [](Operation *op) {
    return op && (isExtension(op) ||
                  isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op));
  };
  while (onlyViews(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  auto whole = tensor.getDefiningOp<bufferization::ToTensorOp>();
  if (!whole || !isa<BlockArgument>(whole.getBuffer()))
    return {};
  return cast<MemRefType>(whole.getBuffer().getType());
}

namespace {
struct TileProducts : public clique::impl::TileProductsPassBase<TileProducts> {
  using TileProductsPassBase::TileProductsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto threads = function->getAttrOfType<IntegerAttr>(kThreadsAttr);
    auto rows = function->getAttrOfType<IntegerAttr>(kRowsAttr);
    if (!threads || !rows || function.isExternal())
      return;
    TensorCores cores(function, threads.getInt(), rows.getInt(), tf32);
    SmallVector<linalg::LinalgOp> products;
    function.walk([&](linalg::LinalgOp op) {
      if (cores.canCompute(op))
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : products)
      if (failed(tile(rewriter, op, cores)))
        return signalPassFailure();
  }

  LogicalResult tile(IRRewriter &rewriter, linalg::LinalgOp op,
                     const TensorCores &cores) {
    MatrixProduct product = *MatrixProduct::match(op);
    MemRefType weights = getWeights(product.rhs);
    if (!weights)
      return success();
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    int64_t bytes =
        ranges[product.n] * weights.getElementTypeBitWidth() / CHAR_BIT;
    int64_t depth = cores.getDepth(), whole = ranges[product.k];
    while (2 * depth * bytes <= partBytes && whole % (2 * depth) == 0)
      depth *= 2;
    if (depth == whole)
      return success();
    SmallVector<OpFoldResult> sizes(op.getNumLoops(), rewriter.getIndexAttr(0));
    sizes[product.k] = rewriter.getIndexAttr(depth);
    scf::SCFTilingOptions options;
    options.setTileSizes(sizes);
    rewriter.setInsertionPoint(op);
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitOpError("cannot be tiled");
    rewriter.replaceOp(op, tiled->replacements);
    return success();
  }
};
} // namespace
