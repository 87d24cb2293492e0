//===- BoundScores.cpp - Softmax without a running maximum ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-bound-scores.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FloatRanges.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "dialect/IR/MPScores.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_BOUNDSCORESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Weights are at most e^8, as in tiles with a running maximum, and at least
/// e^-32: a sum of them, times a value, has all its digits down to 1e-23.
static std::optional<double> getReference(const FloatRange &range) {
  constexpr double mostSpread = 40, largestExponent = 8;
  if (!range.isFinite() || range.isEmpty() ||
      range.most - range.least > mostSpread)
    return std::nullopt;
  return std::max(range.least, range.most - largestExponent);
}

static void report(mp::AggregateOp op, const FloatRange &range) {
  remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name("mp-bound-scores").category("schedule"))
      << llvm::formatv("scores lie between {0} and {1}: no running maximum "
                       "is kept, which saves a comparison per edge and score, "
                       "and rescaling",
                       range.least, range.most)
             .str();
}

namespace {
struct BoundScores : public clique::impl::BoundScoresPassBase<BoundScores> {
  void runOnOperation() override {
    FloatRanges ranges;
    getOperation()->walk([&](mp::AggregateOp op) {
      if (!op.getScore())
        return;
      op->removeAttr(mp::kScoreReferenceAttr);
      FloatRange range = ranges.get(op.getScore());
      std::optional<double> reference = getReference(range);
      if (!reference)
        return;
      op->setAttr(mp::kScoreReferenceAttr,
                  Builder(op.getContext()).getF64FloatAttr(*reference));
      report(op, range);
    });
  }
};
} // namespace
