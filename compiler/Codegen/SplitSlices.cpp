//===- SplitSlices.cpp - Slices with strides and reshapes apart -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_SPLITSLICESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether a slice has other strides than 1; one entry has none. `strides`: as
/// the op is to have them.
static bool hasStrides(OffsetSizeAndStrideOpInterface op,
                       SmallVectorImpl<OpFoldResult> &strides) {
  strides = op.getMixedStrides();
  Builder builder(op.getContext());
  for (auto [size, stride] : llvm::zip_equal(op.getMixedSizes(), strides))
    if (isConstantIntValue(size, 1))
      stride = builder.getIndexAttr(1);
  return !llvm::all_of(strides, [](OpFoldResult stride) {
    return isConstantIntValue(stride, 1);
  });
}

/// Which dimensions of a slice make each one of its type without `dropped`.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (dropped.test(dim)) {
      (groups.empty() ? leading : groups.back()).push_back(dim);
      continue;
    }
    groups.push_back(leading);
    groups.back().push_back(dim);
    leading.clear();
  }
  return groups;
}

static LogicalResult splitExtract(tensor::ExtractSliceOp op,
                                  PatternRewriter &rewriter) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> strides;
  bool isStrided = hasStrides(op, strides);
  bool isChanged = strides != op.getMixedStrides();
  if (!isChanged && (!isStrided || dropped.none()))
    return rewriter.notifyMatchFailure(op, "strides or a reshape, not both");
  if (!isStrided || dropped.none()) {
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, op.getType(), op.getSource(), op.getMixedOffsets(),
        op.getMixedSizes(), strides);
    return success();
  }
  Value whole = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(),
      op.getMixedSizes(), strides);
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), whole,
                                                       getGroups(dropped));
  return success();
}

static LogicalResult splitInsert(tensor::InsertSliceOp op,
                                 PatternRewriter &rewriter) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> strides;
  bool isStrided = hasStrides(op, strides);
  bool isChanged = strides != op.getMixedStrides();
  if (!isChanged && (!isStrided || dropped.none()))
    return rewriter.notifyMatchFailure(op, "strides or a reshape, not both");
  Value source = op.getSource();
  if (isStrided && dropped.any()) {
    auto whole = RankedTensorType::get(op.getStaticSizes(),
                                       op.getSourceType().getElementType());
    source =
        tensor::ExpandShapeOp::create(rewriter, op.getLoc(), whole, source,
                                      getGroups(dropped), op.getMixedSizes());
  }
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, source, op.getDest(), op.getMixedOffsets(), op.getMixedSizes(),
      strides);
  return success();
}

namespace {
struct SplitSlices : public clique::impl::SplitSlicesPassBase<SplitSlices> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(splitExtract);
    patterns.add(splitInsert);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
