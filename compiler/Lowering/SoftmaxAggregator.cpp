//===- SoftmaxAggregator.cpp - Softmax as a stream ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Online softmax (Milakov, Gimelshein, 2018; Rabe, Staats, 2021), state (m, l,
// a):
//   m' = max(m, max_j s_j), c = exp(m - m'), p_j = exp(s_j - m')
//   l' = c l + sum_j p_j,   a' = c a + sum_j p_j v_j,   result a / l
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
    const Lifted &max = state[0], &sum = state[1];

    if (tile.mask)
      score = lifter.elementwise(
          loc, shape, type, {score, *tile.mask},
          [&](OpBuilder &b, Location loc, ValueRange args) {
            return selectEdge(b, loc, args[1], args[0], -kInfinity);
          });
    auto maximum = [](OpBuilder &b, Location loc, ValueRange args) -> Value {
      return arith::MaximumFOp::create(b, loc, args.back(), args[0]);
    };
    Lifted tileMax = lifter.generic(
        loc, score,
        lifter.fill(loc, shape, type, getStateLayout(shape.size()), -kInfinity),
        maximum);
    Lifted rescale = lifter.elementwise(
        loc, shape, type, {tileMax, max},
        [&](OpBuilder &b, Location loc, ValueRange args) {
          return expDifference(b, loc, args[1], maximum(b, loc, args));
        });
    // The states are updated in place, the old maximum last.
    Lifted newMax = lifter.generic(loc, tileMax, max, maximum);
    Lifted weight =
        lifter.elementwise(loc, shape, type, {score, newMax},
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return expDifference(b, loc, args[0], args[1]);
                           });

    SmallVector<Lifted> next = {newMax};
    auto scale = [&](const Lifted &old) {
      return lifter.generic(
          loc, rescale, old,
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return arith::MulFOp::create(b, loc, args[1], args[0]);
          });
    };
    next.push_back(sumEdges(lifter, loc, scale(sum), weight, {}));
    for (auto [old, value] :
         llvm::zip_equal(state.drop_front(2), inputs.drop_front()))
      next.push_back(addWeighted(lifter, weight, value, scale(old), tile));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    // Nothing heard, or nothing with a score above -inf: 0. The reciprocal is a
    // named op, so as not to be fused into what it is broadcast to.
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
    return results;
  }

private:
  /// sum + sum_j weight_j value_j. A pair that is no edge has the weight 0,
  /// which does not take out the infinity or NaN that a value may have there: 1
  /// / (j - i) of both ends, or one of a source that other rows of the tile
  /// hear. Selection keeps the product from being one of matrices, so values
  /// without a destination get it only where it makes a difference.
  Lifted addWeighted(Lifter &lifter, const Lifted &weight, const Lifted &value,
                     const Lifted &sum, const EdgeTile &tile) {
    Location loc = getLoc();
    auto addAll = [&] {
      return lifter.generic(
          loc, {weight, value}, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return multiplyAdd(b, loc, args[0], args[1], args[2]);
          });
    };
    auto addEdges = [&] {
      return lifter.generic(
          loc, {weight, value, *tile.mask}, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value heard = selectEdge(b, loc, args[2], args[1], 0.0);
            return multiplyAdd(b, loc, args[0], heard, args[3]);
          });
    };
    if (!tile.mask)
      return addAll();
    if (value.has(kDstAxis))
      return addEdges();

    OpBuilder &builder = lifter.getBuilder();
    auto branch = scf::IfOp::create(builder, loc, sum.getType(),
                                    isAnyNotFinite(lifter, value),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, addEdges().tensor);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, addAll().tensor);
    return {branch.getResult(0), sum.layout};
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

  /// exp(x - max); where all scores so far are -inf, max is, and 0 is wanted.
  static Value expDifference(OpBuilder &b, Location loc, Value x, Value max) {
    Type type = x.getType();
    Value lowest = constant(b, loc, type, -kInfinity);
    Value none =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, max, lowest);
    Value reference =
        arith::SelectOp::create(b, loc, none, constant(b, loc, type, 0.0), max);
    Value difference = arith::SubFOp::create(b, loc, x, reference);
    return math::ExpOp::create(b, loc, difference);
  }
};
} // namespace

std::unique_ptr<Aggregator> clique::detail::createSoftmax(mp::AggregateOp op,
                                                          bool hasDst) {
  return std::make_unique<SoftmaxAggregator>(op, hasDst);
}
