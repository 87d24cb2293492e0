//===- DecomposeLogSumExp.cpp - Log-sum-exp as a softmax ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the compiler knows of the aggregator `logsumexp`: it is what a
// softmax divides by, with no value to weigh.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeLogSumExp.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;

namespace {
struct LogSumExpAsSoftmax : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AggregateOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != AggregatorKind::logsumexp)
      return failure();
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip_equal(op.getValues(), op.getResultTypes()))
      results.push_back(
          AggregateOp::create(rewriter, op.getLoc(), TypeRange(type),
                              op.getGraph(), AggregatorKind::softmax,
                              /*score=*/value, /*values=*/ValueRange())
              .getResult(0));
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void clique::populateDecomposeLogSumExpPatterns(RewritePatternSet &patterns) {
  patterns.add<LogSumExpAsSoftmax>(patterns.getContext());
}
