//===- SoftmaxAggregator.cpp - Softmax as a stream ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Online softmax (Milakov, Gimelshein, 2018; Rabe, Staats, 2021), state (m, l,
// a):
//   m' = max(m, max_j s_j), c = exp(m - m'), p_j = exp(s_j - m')
//   l' = c l + sum_j p_j,   a' = c a + sum_j p_j v_j,   result a / l
// In a dense tile m follows the maximum loosely, as any m gives the same
// result.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// State: m, l, then one weighted sum per value.
class SoftmaxAggregator : public Aggregator {
public:
  SoftmaxAggregator(mp::AggregateOp op, bool hasDst) : Aggregator(op, hasDst) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    auto score = cast<mp::EdgesType>(op.getScore().getType());
    Type type = getComputeType(score.getElementType());
    Layout layout = getStateLayout(score.getShape().size());
    SmallVector<Lifted> state = {
        lifter.fill(getLoc(), score.getShape(), type, layout, -kInfinity),
        lifter.fill(getLoc(), score.getShape(), type, layout, 0.0)};
    for (Value value : op.getValues()) {
      ArrayRef<int64_t> shape = cast<mp::EdgesType>(value.getType()).getShape();
      state.push_back(lifter.fill(getLoc(), shape, type,
                                  getStateLayout(shape.size()), 0.0));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    Location loc = getLoc();
    Lifted score = inputs[0];
    Type type = score.getType().getElementType();
    SmallVector<int64_t> shape = Lifter::getFeatureShape(score);
    if (tile.mask)
      score = lifter.elementwise(
          loc, shape, type, {score, *tile.mask},
          [&](OpBuilder &b, Location loc, ValueRange args) {
            return selectEdge(b, loc, args[1], args[0], -kInfinity);
          });
    bool isLoose = score.has(kDstAxis) && score.has(kSrcAxis) && !tile.isClose;
    auto [rescaled, reference] = isLoose ? rescaleIfNeeded(lifter, state, score)
                                         : rescale(lifter, state, score);
    Lifted weight = expDifference(lifter, score, reference);
    SmallVector<Lifted> next = {rescaled[0],
                                sumEdges(lifter, loc, rescaled[1], weight, {})};
    for (auto [sum, value] :
         llvm::zip_equal(ArrayRef(rescaled).drop_front(2), inputs.drop_front()))
      next.push_back(addWeighted(lifter, weight, value, sum, tile));
    return next;
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    Location loc = getLoc();
    const Lifted &max = state[0], &otherMax = other[0];
    Lifted reference = lifter.elementwise(
        loc, Lifter::getFeatureShape(max), max.getType().getElementType(),
        {otherMax, max}, [](OpBuilder &b, Location loc, ValueRange args) {
          return getReference(b, loc, maximum(b, loc, args));
        });
    Lifted factor = expDifference(lifter, max, reference);
    Lifted otherFactor = expDifference(lifter, otherMax, reference);
    SmallVector<Lifted> next = {lifter.generic(loc, otherMax, max, maximum)};
    for (auto [sum, otherSum] :
         llvm::zip_equal(state.drop_front(), other.drop_front()))
      next.push_back(lifter.generic(
          loc, {factor, otherSum, otherFactor}, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value own = arith::MulFOp::create(b, loc, args[3], args[0]);
            return multiplyAdd(b, loc, args[1], args[2], own);
          }));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    // Nothing received, or nothing with a score above -inf: 0. The reciprocal
    // is a named op, so as not to be fused into what it is broadcast to.
    const Lifted &sum = state[1];
    Type type = sum.getType().getElementType();
    Lifted inverse =
        lifter.empty(getLoc(), Lifter::getFeatureShape(sum), type, sum.layout);
    inverse.tensor = linalg::ReciprocalOp::create(lifter.getBuilder(), getLoc(),
                                                  ValueRange{sum.tensor},
                                                  ValueRange{inverse.tensor})
                         .getResult(0);
    SmallVector<Lifted> results;
    for (const Lifted &weighted : state.drop_front(2))
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
    if (op.getNumResults() > results.size())
      results.push_back(getLogSumExp(lifter, state[0], sum));
    return results;
  }

private:
  /// m + log(l); 0 where nothing was received.
  Lifted getLogSumExp(Lifter &lifter, const Lifted &max, const Lifted &sum) {
    Type type = sum.getType().getElementType();
    return lifter.elementwise(
        getLoc(), Lifter::getFeatureShape(sum), type, {max, sum},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value zero = constant(b, loc, type, 0.0);
          Value silent = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OEQ, args[1], zero);
          Value all = arith::AddFOp::create(
              b, loc, args[0], math::LogOp::create(b, loc, args[1]));
          return arith::SelectOp::create(b, loc, silent, zero, all);
        });
  }

  /// States, and what is subtracted from scores before exp: m, or 0 where all
  /// scores so far are -inf.
  using Rescaled = std::pair<SmallVector<Lifted>, Lifted>;

  /// A score that is NaN may get lost here: its weight is NaN all the same.
  static Value maximum(OpBuilder &b, Location loc, ValueRange args) {
    return arith::MaxNumFOp::create(b, loc, args.back(), args[0]);
  }

  static Value getReference(OpBuilder &b, Location loc, Value max) {
    Type type = max.getType();
    Value lowest = constant(b, loc, type, -kInfinity);
    Value none =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, max, lowest);
    return arith::SelectOp::create(b, loc, none, constant(b, loc, type, 0.0),
                                   max);
  }

  Lifted expDifference(Lifter &lifter, const Lifted &x,
                       const Lifted &reference) {
    return lifter.elementwise(
        getLoc(), Lifter::getFeatureShape(x), x.getType().getElementType(),
        {x, reference}, [](OpBuilder &b, Location loc, ValueRange args) {
          // A weight is exact up to a factor, the same for a row's.
          constexpr auto flags =
              arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
          Value difference =
              arith::SubFOp::create(b, loc, args[0], args[1], flags);
          return math::ExpOp::create(b, loc, difference).getResult();
        });
  }

  /// m' = max(m, max_j s_j); l and a times c.
  Rescaled rescale(Lifter &lifter, ArrayRef<Lifted> state,
                   const Lifted &score) {
    Location loc = getLoc();
    const Lifted &max = state[0];
    Type type = score.getType().getElementType();
    SmallVector<int64_t> shape = Lifter::getFeatureShape(score);
    Lifted tileMax = lifter.generic(
        loc, score, lifter.fill(loc, shape, type, max.layout, -kInfinity),
        maximum);
    Lifted reference =
        lifter.elementwise(loc, shape, type, {tileMax, max},
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return getReference(b, loc, maximum(b, loc, args));
                           });
    Lifted factor = expDifference(lifter, max, reference);
    // The states are updated in place, the old maximum last.
    SmallVector<Lifted> next = {lifter.generic(loc, tileMax, max, maximum)};
    for (const Lifted &sum : state.drop_front())
      next.push_back(lifter.generic(
          loc, factor, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return arith::MulFOp::create(b, loc, args[1], args[0]);
          }));
    return {next, reference};
  }

  /// In a tile m need not be the largest score, only near it: nothing is
  /// rescaled until a score exceeds m by so much that weights could grow large.
  Rescaled rescaleIfNeeded(Lifter &lifter, ArrayRef<Lifted> state,
                           const Lifted &score) {
    constexpr double slack = 8.0;
    Location loc = getLoc();
    OpBuilder &builder = lifter.getBuilder();
    Type type = score.getType().getElementType();
    SmallVector<int64_t> shape = Lifter::getFeatureShape(score);

    // By how much, first over destinations, so that vectors stay whole.
    auto larger = [](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value excess = args.front();
      if (args.size() == 3)
        excess = arith::SubFOp::create(b, loc, args[0], args[1]);
      Value isLarger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                             excess, args.back());
      return arith::SelectOp::create(b, loc, isLarger, excess, args.back());
    };
    Lifted bySource = lifter.generic(
        loc, {score, state[0]},
        lifter.fill(loc, {}, type, {kSrcAxis}, -kInfinity), larger);
    Lifted excess = lifter.generic(
        loc, bySource, lifter.fill(loc, {}, type, {}, -kInfinity), maximum);
    Value most = tensor::ExtractOp::create(builder, loc, excess.tensor);
    Value isNeeded =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, most,
                              constant(builder, loc, type, slack));

    SmallVector<Type> types;
    for (const Lifted &part : state)
      types.push_back(part.tensor.getType());
    auto branch = scf::IfOp::create(builder, loc, types, isNeeded,
                                    /*withElseRegion=*/true);
    auto yield = [&](Block *block, ArrayRef<Lifted> parts) {
      SmallVector<Value> tensors;
      for (const Lifted &part : parts)
        tensors.push_back(part.tensor);
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, loc, tensors);
    };
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      SmallVector<Lifted> changed = rescale(lifter, state, score).first;
      yield(branch.thenBlock(), changed);
      yield(branch.elseBlock(), state);
    }
    SmallVector<Lifted> next;
    for (auto [tensor, part] : llvm::zip_equal(branch.getResults(), state))
      next.push_back({tensor, part.layout});
    Lifted reference =
        lifter.elementwise(loc, shape, type, next[0],
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return getReference(b, loc, args[0]);
                           });
    return {next, reference};
  }

  /// sum + sum_j weight_j value_j. A pair that is no edge has the weight 0,
  /// which does not take out the infinity or NaN that a value may have there: 1
  /// / (j - i) of both ends, or one of a source that only other rows of the
  /// tile receive. Selection keeps the product from being one of matrices, so
  /// values without a destination get it only where it makes a difference.
  Lifted addWeighted(Lifter &lifter, const Lifted &weight, const Lifted &value,
                     const Lifted &sum, const EdgeTile &tile) {
    Location loc = getLoc();
    auto addAll = [&](const Lifted &sum) {
      return lifter.generic(
          loc, {weight, value}, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return multiplyAdd(b, loc, args[0], args[1], args[2]);
          });
    };
    auto addEdges = [&](const Lifted &sum) {
      return lifter.generic(
          loc, {weight, value, *tile.mask}, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value received = selectEdge(b, loc, args[2], args[1], 0.0);
            return multiplyAdd(b, loc, args[0], received, args[3]);
          });
    };
    if (!tile.mask)
      return addAll(sum);
    if (value.has(kDstAxis))
      return addEdges(sum);

    // A loop of one round or none stands for the branch: what it carries is
    // updated in place, which bufferization does not see through scf.if.
    OpBuilder &builder = lifter.getBuilder();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value isAny = arith::IndexCastUIOp::create(
        builder, loc, builder.getIndexType(), isAnyNotFinite(lifter, value));
    auto addIf = [&](Value rounds, const Lifted &sum,
                     llvm::function_ref<Lifted(const Lifted &)> add) -> Lifted {
      auto loop =
          scf::ForOp::create(builder, loc, zero, rounds, one, sum.tensor);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Lifted next = add({loop.getRegionIterArg(0), sum.layout});
      scf::YieldOp::create(builder, loc, next.tensor);
      return {loop.getResult(0), sum.layout};
    };
    Value isNone = arith::SubIOp::create(builder, loc, one, isAny);
    return addIf(isNone, addIf(isAny, sum, addEdges), addAll);
  }

  Value isAnyNotFinite(Lifter &lifter, const Lifted &value) {
    Location loc = getLoc();
    OpBuilder &builder = lifter.getBuilder();
    Type type = value.getType().getElementType();
    // x - x is 0, or NaN where x is infinite or NaN.
    Lifted sum = lifter.generic(
        loc, value, lifter.fill(loc, {}, type, {}, 0.0),
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value nothing = arith::SubFOp::create(b, loc, args[0], args[0]);
          return arith::AddFOp::create(b, loc, args[1], nothing);
        });
    Value scalar = tensor::ExtractOp::create(builder, loc, sum.tensor);
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                 scalar, scalar);
  }
};
} // namespace

std::unique_ptr<Aggregator> clique::detail::createSoftmax(mp::AggregateOp op,
                                                          bool hasDst) {
  return std::make_unique<SoftmaxAggregator>(op, hasDst);
}
