//===- MergeAggregations.cpp - One softmax for each score -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-merge-aggregations.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace clique {
#define GEN_PASS_DEF_MERGEAGGREGATIONSPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::MessageOp;

/// A message's value that it yields twice is one result.
static void joinEqualResults(MessageOp message) {
  DenseMap<Value, Value> results;
  for (auto [result, yielded] :
       llvm::zip_equal(message->getResults(), message.getYield().getValues())) {
    auto [it, isNew] = results.try_emplace(yielded, result);
    if (!isNew)
      result.replaceAllUsesWith(it->second);
  }
}

/// Whether each result belongs to one value, but for a softmax's log-sum-exp.
static bool hasResultPerValue(AggregateOp op) {
  return op.getKind() != mp::AggregatorKind::custom &&
         (op.getScore() || op.getExtraResults().empty());
}

/// Up to the last one that somebody uses.
static size_t countUsedExtras(AggregateOp op) {
  auto extras = op.getExtraResults();
  size_t count = extras.size();
  while (count > 0 && extras[count - 1].use_empty())
    --count;
  return count;
}

static void report(Location loc, const llvm::Twine &text) {
  remark::passed(
      loc, remark::RemarkOpts::name("mp-merge-aggregations").category("fusion"))
      << text.str();
}

static int64_t getNumElements(Value edges) {
  return cast<mp::EdgesType>(edges.getType()).getFeatureType().getNumElements();
}

/// Puts one aggregation in the place of the first of these, which have one kind
/// and score: of each of their values that somebody uses, once.
static AggregateOp merge(ArrayRef<AggregateOp> ops) {
  AggregateOp first = ops.front();
  llvm::MapVector<Value, SmallVector<Value>> results;
  size_t numExtras = 0;
  Type extraType;
  for (AggregateOp op : ops) {
    for (auto [value, result] : llvm::zip(op.getValues(), op.getResults()))
      if (!result.use_empty())
        results[value].push_back(result);
    numExtras = std::max(numExtras, countUsedExtras(op));
    if (!op.getExtraResults().empty())
      extraType = op.getExtraResults().front().getType();
  }
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (const auto &[value, own] : results) {
    values.push_back(value);
    types.push_back(own.front().getType());
  }
  types.append(numExtras, extraType);
  for (AggregateOp op : ops)
    locations.push_back(op.getLoc());
  OpBuilder builder(first);
  auto merged = AggregateOp::create(builder, builder.getFusedLoc(locations),
                                    types, first.getGraph(), first.getKind(),
                                    first.getScore(), values);
  for (auto [own, result] : llvm::zip(results, merged.getResults()))
    for (Value old : own.second)
      old.replaceAllUsesWith(result);
  for (AggregateOp op : ops) {
    for (auto [old, extra] :
         llvm::zip(op.getExtraResults(), merged.getExtraResults()))
      old.replaceAllUsesWith(extra);
    op.erase();
  }
  return merged;
}

/// Takes values out that nobody uses, or that the aggregation has twice.
static void dropValues(AggregateOp op) {
  if (op.use_empty()) {
    op.erase();
    return;
  }
  if (!hasResultPerValue(op))
    return;
  SetVector<Value> used;
  int64_t before = 0, after = 0;
  for (auto [value, result] : llvm::zip(op.getValues(), op.getResults())) {
    before += getNumElements(value);
    if (!result.use_empty() && used.insert(value))
      after += getNumElements(value);
  }
  if (after == before && countUsedExtras(op) == op.getExtraResults().size())
    return;
  if (after < before)
    report(op.getLoc(), llvm::Twine(before - after) +
                            " elements per edge that nobody uses, or that are "
                            "there twice, are not aggregated");
  merge(op);
}

/// Whether all that `op` aggregates is there where `first` stands.
static bool canMoveTo(AggregateOp op, AggregateOp first) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return !def || def->getBlock() != first->getBlock() ||
           def->isBeforeInBlock(first);
  });
}

/// Softmaxes of one score, whose weights are the same.
static void mergeSoftmaxes(Block &block) {
  llvm::MapVector<std::pair<Value, Value>, SmallVector<AggregateOp>> groups;
  for (auto op : block.getOps<AggregateOp>()) {
    if (!op.getScore() || op.use_empty())
      continue;
    auto &group = groups[{op.getGraph(), op.getScore()}];
    if (group.empty() || canMoveTo(op, group.front()))
      group.push_back(op);
  }
  for (auto &[key, group] : groups) {
    if (group.size() < 2)
      continue;
    int64_t scores = getNumElements(key.second);
    report(group.front().getLoc(),
           llvm::Twine(group.size()) + " softmaxes have one score: " +
               llvm::Twine(scores * int64_t(group.size() - 1)) +
               " exponentials per edge are saved");
    merge(group);
  }
}

namespace {
struct MergeAggregationsPass
    : clique::impl::MergeAggregationsPassBase<MergeAggregationsPass> {
  void runOnOperation() override {
    SetVector<Block *> blocks;
    getOperation()->walk([&](MessageOp op) { joinEqualResults(op); });
    getOperation()->walk(
        [&](AggregateOp op) { blocks.insert(op->getBlock()); });
    for (Block *block : blocks) {
      mergeSoftmaxes(*block);
      for (auto op : llvm::make_early_inc_range(block->getOps<AggregateOp>()))
        dropValues(op);
    }
    dropUnusedResults();
  }

private:
  /// Messages go without results that have lost their users, and what these
  /// were computed from goes.
  void dropUnusedResults() {
    SmallVector<Operation *> messages;
    getOperation()->walk([&](MessageOp op) { messages.push_back(op); });
    RewritePatternSet patterns(&getContext());
    MessageOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(messages, std::move(patterns), config)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
