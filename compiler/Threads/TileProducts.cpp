//===- TileProducts.cpp - Products with weights, a part at a time ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "compiler/Threads/TensorCores.h"
#include "compiler/Threads/ThreadPasses.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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

//===----------------------------------------------------------------------===//
// Parts of rows
//===----------------------------------------------------------------------===//

namespace {
/// Makes a part of the columns of a block's rows from memory, as
/// BlockFunction::stageRows spells them, as if there were no others.
class ColumnPart {
public:
  /// `slice`: of whole rows, for the part.
  ColumnPart(RewriterBase &rewriter, tensor::ExtractSliceOp slice)
      : b(rewriter), begin(slice.getMixedOffsets().back()),
        size(slice.getType().getShape().back()) {}

  static bool canMake(Value whole);
  Value make(Value whole);

private:
  RankedTensorType getType(Value whole) {
    auto type = cast<RankedTensorType>(whole.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = size;
    return type.clone(shape);
  }

  RewriterBase &b;
  OpFoldResult begin;
  int64_t size;
};
} // namespace

static bool isOfWholeRows(OffsetSizeAndStrideOpInterface slice, Value whole) {
  return slice.hasUnitStride() &&
         isZeroInteger(slice.getMixedOffsets().back()) &&
         getConstantIntValue(slice.getMixedSizes().back()) ==
             cast<ShapedType>(whole.getType()).getShape().back();
}

bool ColumnPart::canMake(Value whole) {
  Operation *op = whole.getDefiningOp();
  if (!op)
    return false;
  if (isExtension(op))
    return canMake(op->getOperand(0));
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return canMake(fill.getOutputs().front());
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return isOfWholeRows(insertion, whole) && canMake(insertion.getSource()) &&
           canMake(insertion.getDest());
  if (auto part = dyn_cast<tensor::ExtractSliceOp>(op))
    return isOfWholeRows(part, part.getSource()) &&
           part.getType().getRank() == 2 &&
           part.getSourceType().getRank() == 2 &&
           (part.getSource().getDefiningOp<bufferization::ToTensorOp>() ||
            canMake(part.getSource()));
  return isa<tensor::EmptyOp>(op);
}

Value ColumnPart::make(Value whole) {
  Operation *op = whole.getDefiningOp();
  Location loc = op->getLoc();
  RankedTensorType type = getType(whole);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = insertion.getMixedSizes();
    sizes.back() = b.getIndexAttr(size);
    return tensor::InsertSliceOp::create(
        b, loc, make(insertion.getSource()), make(insertion.getDest()),
        insertion.getMixedOffsets(), sizes, insertion.getMixedStrides());
  }
  if (auto rows = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> offsets = rows.getMixedOffsets(),
                              sizes = rows.getMixedSizes();
    sizes.back() = b.getIndexAttr(size);
    Value source = rows.getSource();
    if (source.getDefiningOp<bufferization::ToTensorOp>())
      offsets.back() = begin;
    else
      source = make(source);
    return tensor::ExtractSliceOp::create(b, loc, type, source, offsets, sizes,
                                          rows.getMixedStrides());
  }
  if (isa<tensor::EmptyOp>(op))
    return tensor::EmptyOp::create(b, loc, type.getShape(),
                                   type.getElementType());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      mapping.map(operand, make(operand));
  Operation *part = b.clone(*op, mapping);
  part->getResult(0).setType(type);
  return part->getResult(0);
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

  static bool isReadOnce(Value tensor) {
    Operation *op = tensor.getDefiningOp();
    return tensor.hasOneUse() &&
           (!op || !isExtension(op) || isReadOnce(op->getOperand(0)));
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
    // Rows that only this product reads are copied as its weights are.
    auto rows =
        MatrixProduct::match(cast<linalg::LinalgOp>(tiled->tiledOps.front()))
            ->lhs.getDefiningOp<tensor::ExtractSliceOp>();
    if (rows && isReadOnce(product.lhs) && ColumnPart::canMake(product.lhs)) {
      rewriter.setInsertionPoint(rows);
      rewriter.replaceOp(rows, ColumnPart(rewriter, rows).make(product.lhs));
    }
    return success();
  }
};
} // namespace
