//===- LogSumExpAggregator.cpp - Log-sum-exp as a stream ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log sum_j exp(v_j): online softmax of values that nothing is weighed by. A
// chunk of edges is taken in ahead, all of it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/OnlineSoftmax.h"
#include "dialect/IR/MPScores.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// State: m, unless values have a reference, and l of each value.
class LogSumExpAggregator : public Aggregator {
public:
  LogSumExpAggregator(mp::AggregateOp op, bool hasDst)
      : Aggregator(op, hasDst), scores(getLoc(), mp::getScoreReference(op)) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    SmallVector<Lifted> state;
    for (Value value : op.getValues()) {
      auto type = cast<mp::EdgesType>(value.getType());
      llvm::append_range(
          state, scores.getIdentity(lifter, type,
                                    getStateLayout(type.getShape().size())));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    SmallVector<Lifted> next(state);
    for (auto [k, value] : llvm::enumerate(inputs))
      scores.accumulate(lifter, getParts(next, k), value, tile);
    return next;
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    SmallVector<Lifted> next;
    const size_t parts = scores.getNumParts();
    for (size_t k = 0; k < state.size(); k += parts)
      llvm::append_range(next, scores.combine(lifter, state.slice(k, parts),
                                              other.slice(k, parts)));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    SmallVector<Lifted> results;
    const bool withLow = bool(op.getLogSumExpLow());
    for (; !state.empty(); state = state.drop_front(scores.getNumParts()))
      llvm::append_range(results, scores.getLogSumExp(lifter, state, withLow));
    return results;
  }

  SmallVector<Value> getAhead() override { return op.getValues(); }

  Lifted prepareAhead(Lifter &lifter, const Lifted &tensor,
                      Value count) override {
    return scores.padChunk(lifter, tensor, count);
  }

  SmallVector<Lifted> accumulateAhead(Lifter &lifter,
                                      MutableArrayRef<Lifted> state,
                                      ArrayRef<Lifted> ahead,
                                      Value count) override {
    for (auto [k, value] : llvm::enumerate(ahead))
      scores.accumulateChunk(lifter, getParts(state, k), value, count);
    return {};
  }

  bool isDoneAhead() const override { return true; }

  FailureOr<SmallVector<Lifted>> accumulateEdge(Lifter &,
                                                ArrayRef<Lifted> state,
                                                ArrayRef<Lifted>,
                                                ArrayRef<Lifted>) override {
    return SmallVector<Lifted>(state);
  }

private:
  MutableArrayRef<Lifted> getParts(MutableArrayRef<Lifted> state,
                                   size_t value) const {
    const size_t parts = scores.getNumParts();
    return state.slice(parts * value, parts);
  }

  OnlineSoftmax scores;
};
} // namespace

std::unique_ptr<Aggregator> clique::detail::createLogSumExp(mp::AggregateOp op,
                                                            bool hasDst) {
  return std::make_unique<LogSumExpAggregator>(op, hasDst);
}
