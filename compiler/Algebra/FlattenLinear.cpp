//===- FlattenLinear.cpp - Linear maps as products with one matrix --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_FLATTENLINEARPASS
#include "compiler/Algebra/Passes.h.inc"
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
  auto inputType = cast<RankedTensorType>(op.getX().getType());
  auto outputType = cast<RankedTensorType>(op.getResult().getType());
  int64_t in = inputType.getRank(), out = outputType.getRank();
  if (in <= 1 && out <= 1)
    return failure();
  Location loc = op.getLoc();
  auto collapse = [&](Value value, ArrayRef<int64_t> sizes) -> Value {
    SmallVector<ReassociationIndices> groups = getGroups(sizes);
    if (static_cast<int64_t>(groups.size()) ==
        cast<RankedTensorType>(value.getType()).getRank())
      return value;
    return tensor::CollapseShapeOp::create(rewriter, loc, value, groups);
  };
  SmallVector<int64_t> sizes = {in};
  if (out > 0)
    sizes.push_back(out);
  Value x = collapse(op.getX(), in);
  Value weights = collapse(op.getWeights(), sizes);
  Value bias = op.getBias();
  auto type = outputType;
  if (out > 1) {
    type = RankedTensorType::get(outputType.getNumElements(),
                                 outputType.getElementType());
    if (bias)
      bias = collapse(bias, out);
  }
  Value flat =
      mp::LinearOp::create(rewriter, loc, type, x, weights, bias).getResult();
  if (out > 1)
    flat = tensor::ExpandShapeOp::create(rewriter, loc, outputType, flat,
                                         getGroups(out));
  rewriter.replaceOp(op, flat);
  return success();
}

namespace {
struct FlattenLinearPass
    : clique::impl::FlattenLinearPassBase<FlattenLinearPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(flatten);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
