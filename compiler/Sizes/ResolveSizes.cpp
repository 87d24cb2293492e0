//===- ResolveSizes.cpp - Sizes of what ops make --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From sizes of what ops made to sizes of what they were made from.
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace clique;

namespace {
/// The result of an elementwise op has the size of its operands.
struct SizeOfElementwise : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp dim,
                                PatternRewriter &rewriter) const override {
    Operation *op = dim.getSource().getDefiningOp();
    if (!op || !OpTrait::hasElementwiseMappableTraits(op))
      return rewriter.notifyMatchFailure(dim, "not of an elementwise op");
    // The last operand is no scalar condition.
    rewriter.modifyOpInPlace(
        dim, [&] { dim.getSourceMutable().assign(op->getOperands().back()); });
    return success();
  }
};

/// Rows of edges are as many as the message or the graph has edges, which needs
/// no values.
struct SizeOfEdges : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp dim,
                                PatternRewriter &rewriter) const override {
    auto rows = dim.getSource().getDefiningOp<mp::ToTensorOp>();
    if (!rows || dim.getConstantIndex() != 0)
      return rewriter.notifyMatchFailure(dim, "not of edges' values");
    rewriter.replaceOpWithNewOp<mp::NumRowsOp>(dim, rows->getOperand(0));
    return success();
  }
};

/// A loop carries values of one size: that of the first.
struct SizeOfCarried : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp dim,
                                PatternRewriter &rewriter) const override {
    Value first = getFirst(dim.getSource());
    if (!first)
      return rewriter.notifyMatchFailure(dim, "not of what a loop carries");
    rewriter.modifyOpInPlace(dim,
                             [&] { dim.getSourceMutable().assign(first); });
    return success();
  }

private:
  static Value getFirst(Value value) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (auto loop = dyn_cast_if_present<scf::ForOp>(parent))
        return loop.getTiedLoopInit(arg)->get();
      if (auto loop = dyn_cast_if_present<scf::WhileOp>(parent))
        return arg.getOwner() == loop.getBeforeBody()
                   ? loop.getInits()[arg.getArgNumber()]
                   : Value();
      return Value();
    }
    auto result = cast<OpResult>(value);
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      return loop.getInitArgs()[result.getResultNumber()];
    return Value();
  }
};
} // namespace

void clique::resolveSizes(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  patterns.add<SizeOfElementwise, SizeOfEdges, SizeOfCarried>(context);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  mp::NumRowsOp::getCanonicalizationPatterns(patterns, context);
  mp::CheckOp::getCanonicalizationPatterns(patterns, context);
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<tensor::DimOp, mp::NumRowsOp, mp::NumDstOp, mp::NumSrcOp,
            mp::CheckOp>(op))
      ops.push_back(op);
  });
  (void)applyOpPatternsGreedily(ops, std::move(patterns));
}
