//===- SoftmaxAggregator.cpp - Softmax as a stream ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum_j p_j v_j / sum_j p_j, p_j the weights of online softmax. Without values,
// for its log-sum-exp alone, a chunk of edges is taken in ahead, all of it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Lowering/OnlineSoftmax.h"
#include "dialect/IR/MPScores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// State: m, unless scores have a reference, l, then one weighted sum per
/// value.
class SoftmaxAggregator : public Aggregator {
public:
  SoftmaxAggregator(mp::AggregateOp op, bool hasDst)
      : Aggregator(op, hasDst), scores(getLoc(), mp::getScoreReference(op)) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    mp::EdgesType score = op.getScore().getType();
    SmallVector<Lifted> state = scores.getIdentity(
        lifter, score, getStateLayout(score.getShape().size()));
    for (Value value : op.getValues()) {
      ArrayRef<int64_t> shape = cast<mp::EdgesType>(value.getType()).getShape();
      state.push_back(lifter.fill(getLoc(), shape,
                                  getComputeType(score.getElementType()),
                                  getStateLayout(shape.size()), 0.0));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    SmallVector<Lifted> next(state);
    Lifted weight = scores.accumulate(lifter, next, inputs[0], tile);
    if (tile.emitBetween)
      tile.emitBetween();
    addAllWeighted(lifter, next, weight, inputs.drop_front(), tile);
    return next;
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    return scores.combine(lifter, state, other);
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    SmallVector<Lifted> results;
    if (!op.getValues().empty())
      results = getMeans(lifter, state);
    const bool withLow = bool(op.getLogSumExpLow());
    if (op.getLogSumExp())
      llvm::append_range(results, scores.getLogSumExp(lifter, state, withLow));
    return results;
  }

  SmallVector<Value> getAhead() override { return {op.getScore()}; }

  Lifted prepareAhead(Lifter &lifter, const Lifted &tensor,
                      Value count) override {
    return scores.padChunk(lifter, tensor, count);
  }

  SmallVector<Lifted> accumulateAhead(Lifter &lifter,
                                      MutableArrayRef<Lifted> state,
                                      ArrayRef<Lifted> ahead,
                                      Value count) override {
    return {scores.accumulateChunk(lifter, state, ahead.front(), count)};
  }

  bool isDoneAhead() override { return op.getValues().empty(); }

  FailureOr<SmallVector<Lifted>>
  accumulateEdge(Lifter &lifter, ArrayRef<Lifted> state,
                 ArrayRef<Lifted> inputs, ArrayRef<Lifted> weights) override {
    SmallVector<Lifted> next(state);
    addAllWeighted(lifter, next, weights.front(), inputs.drop_front(), {});
    return next;
  }

private:
  /// The weighted sums over the sum of the weights.
  SmallVector<Lifted> getMeans(Lifter &lifter, ArrayRef<Lifted> state) const {
    // Nothing received, or nothing with a score above -inf: 0. The reciprocal
    // is a named op, so as not to be fused into what it is broadcast to.
    const Lifted &sum = scores.getSum(state);
    Type type = sum.getType().getElementType();
    Lifted inverse =
        lifter.empty(getLoc(), Lifter::getFeatureShape(sum), type, sum.layout);
    inverse.tensor = linalg::ReciprocalOp::create(lifter.getBuilder(), getLoc(),
                                                  ValueRange{sum.tensor},
                                                  ValueRange{inverse.tensor})
                         .getResult(0);
    SmallVector<Lifted> results;
    for (const Lifted &weighted : state.drop_front(scores.getNumParts()))
      results.push_back(lifter.elementwise(
          getLoc(), Lifter::getFeatureShape(weighted), type,
          {weighted, inverse},
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value silent = arith::CmpFOp::create(
                b, loc, arith::CmpFPredicate::OEQ, args[1],
                constant(b, loc, type, kInfinity));
            Value mean = arith::MulFOp::create(b, loc, args[0], args[1]);
            return arith::SelectOp::create(b, loc, silent,
                                           constant(b, loc, type, 0.0), mean);
          }));
    return results;
  }

  void addAllWeighted(Lifter &lifter, MutableArrayRef<Lifted> state,
                      const Lifted &weight, ArrayRef<Lifted> values,
                      const EdgeTile &tile) {
    for (auto [sum, value, edges] : llvm::zip_equal(
             state.drop_front(scores.getNumParts()), values, op.getValues())) {
      EdgeTile received = tile;
      if (tile.masksPadding && isSourceFeature(edges))
        received.mask = std::nullopt;
      sum = addSum(lifter, getLoc(), sum, {weight, value}, tile,
                   [&, &value = value](const Lifted &sum) {
                     return addWeighted(lifter, getLoc(), {weight, value}, sum,
                                        received);
                   });
    }
  }

  OnlineSoftmax scores;
};
} // namespace

std::unique_ptr<Aggregator> clique::detail::createSoftmax(mp::AggregateOp op,
                                                          bool hasDst) {
  return std::make_unique<SoftmaxAggregator>(op, hasDst);
}
