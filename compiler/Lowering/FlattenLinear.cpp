//===- FlattenLinear.cpp - Linear maps as products with one matrix --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/LoweringPasses.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_FLATTENLINEARPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Groups of `sizes[k]` consecutive dimensions.
static SmallVector<ReassociationIndices> getGroups(ArrayRef<int64_t> sizes) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t size : sizes)
    for (ReassociationIndices &group = groups.emplace_back(); size > 0; --size)
      group.push_back(next++);
  return groups;
}

static LogicalResult flatten(mp::LinearOp op, PatternRewriter &rewriter) {
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  const int64_t outer = op.getNumOuterDims(), in = op.getNumContractedDims();
  const int64_t out = resultType.getRank() - outer;
  if ((outer <= 1 && in <= 1 && out <= 1) || !resultType.hasStaticShape())
    return failure();
  Location loc = op.getLoc();
  auto collapse = [&](Value value, ArrayRef<int64_t> sizes) -> Value {
    SmallVector<ReassociationIndices> groups = getGroups(sizes);
    if (static_cast<int64_t>(groups.size()) ==
        cast<RankedTensorType>(value.getType()).getRank())
      return value;
    return tensor::CollapseShapeOp::create(rewriter, loc, value, groups);
  };
  // Of no dimensions there is no group.
  auto getSizes = [](ArrayRef<int64_t> counts) {
    return llvm::to_vector(llvm::make_filter_range(
        counts, [](int64_t count) { return count > 0; }));
  };
  Value x = collapse(op.getX(), getSizes({outer, in}));
  Value weights = collapse(op.getWeights(), getSizes({in, out}));
  Value bias = op.getBias();
  if (bias && out > 1)
    bias = collapse(bias, out);
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> sizes = resultType.getShape();
  if (outer > 0)
    shape.push_back(ShapedType::getNumElements(sizes.take_front(outer)));
  if (out > 0)
    shape.push_back(ShapedType::getNumElements(sizes.drop_front(outer)));
  Value flat = mp::LinearOp::create(rewriter, loc, resultType.clone(shape), x,
                                    weights, bias);
  if (outer > 1 || out > 1)
    flat = tensor::ExpandShapeOp::create(rewriter, loc, resultType, flat,
                                         getGroups(getSizes({outer, out})));
  rewriter.replaceOp(op, flat);
  return success();
}

/// A map to one element is an inner product with the weights, whose vectors run
/// along what is summed.
static LogicalResult dropColumn(mp::LinearOp op, PatternRewriter &rewriter) {
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  auto weightsType = cast<RankedTensorType>(op.getWeights().getType());
  const int64_t outer = op.getNumOuterDims(), in = op.getNumContractedDims();
  ArrayRef<int64_t> columns = weightsType.getShape().drop_front(in);
  if (columns.empty() || ShapedType::getNumElements(columns) != 1 ||
      !resultType.hasStaticShape())
    return failure();
  Location loc = op.getLoc();
  SmallVector<ReassociationIndices> groups;
  for (int64_t k = 0; k < in; ++k)
    groups.push_back({k});
  for (int64_t k = in; k < weightsType.getRank(); ++k)
    groups.back().push_back(k);
  Value weights =
      tensor::CollapseShapeOp::create(rewriter, loc, op.getWeights(), groups);
  ArrayRef<int64_t> rows = resultType.getShape().take_front(outer);
  Value sums = mp::LinearOp::create(rewriter, loc, resultType.clone(rows),
                                    op.getX(), weights, /*bias=*/Value());
  Value result = mp::BroadcastOp::create(rewriter, loc, resultType, sums,
                                         /*trailing=*/false);
  if (Value bias = op.getBias()) {
    if (outer > 0)
      bias = mp::BroadcastOp::create(rewriter, loc, resultType, bias,
                                     /*trailing=*/true);
    result = arith::AddFOp::create(rewriter, loc, result, bias);
  }
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct FlattenLinearPass
    : clique::impl::FlattenLinearPassBase<FlattenLinearPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(dropColumn, /*benefit=*/2);
    patterns.add(flatten);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
