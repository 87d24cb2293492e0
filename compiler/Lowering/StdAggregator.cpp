//===- StdAggregator.cpp - Standard deviation as a stream ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std with the state (n, mu, M2): moments of a tile are joined with those so
// far (Chan, Golub, LeVeque, 1979); the sum of squares alone would cancel.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// Per value a state of three: the number of edges so far (of every feature:
/// one shape for all three keeps the join elementwise), their mean, and the sum
/// of squared distances from it.
class StdAggregator : public Aggregator {
public:
  StdAggregator(mp::AggregateOp op, bool hasDst) : Aggregator(op, hasDst) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    SmallVector<Lifted> state;
    for (Value value : op.getValues()) {
      auto type = cast<mp::EdgesType>(value.getType());
      Type elementType = getComputeType(type.getElementType());
      Layout layout = getStateLayout(type.getShape().size());
      state.push_back(
          lifter.fill(getLoc(), {}, elementType, getStateLayout(0), 0.0));
      for (int k = 0; k < 2; ++k)
        state.push_back(
            lifter.fill(getLoc(), type.getShape(), elementType, layout, 0.0));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    SmallVector<Lifted> next;
    for (auto [k, value] : llvm::enumerate(inputs))
      llvm::append_range(next,
                         addTile(lifter, state.slice(3 * k, 3), value, tile));
    return next;
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    SmallVector<Lifted> next;
    for (size_t k = 0; k < state.size(); k += 3)
      llvm::append_range(next,
                         join(lifter, state.slice(k, 3), other.slice(k, 3)));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    SmallVector<Lifted> results;
    for (size_t k = 0; k < state.size(); k += 3) {
      Type type = state[k].getType().getElementType();
      results.push_back(lifter.elementwise(
          getLoc(), Lifter::getFeatureShape(state[k + 2]), type,
          {state[k + 2], state[k]},
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value count = atLeastOne(b, loc, args[1]);
            Value variance = arith::DivFOp::create(b, loc, args[0], count);
            return math::SqrtOp::create(b, loc, variance);
          }));
    }
    return results;
  }

private:
  static Value atLeastOne(OpBuilder &b, Location loc, Value count) {
    return arith::MaximumFOp::create(b, loc, count,
                                     constant(b, loc, count.getType(), 1.0));
  }

  /// How many edges of the tile each destination has.
  Lifted countEdges(Lifter &lifter, Type type, const Lifted &value,
                    const EdgeTile &tile) {
    if (!tile.mask)
      return lifter.fill(getLoc(), {}, type, getStateLayout(0),
                         value.has(kSrcAxis)
                             ? static_cast<double>(lifter.getSize(kSrcAxis))
                             : 1.0);
    return lifter.generic(
        getLoc(), *tile.mask,
        lifter.fill(getLoc(), {}, type, getStateLayout(0), 0.0),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value isEdge = arith::UIToFPOp::create(b, loc, type, args[0]);
          return arith::AddFOp::create(b, loc, args[1], isEdge);
        });
  }

  /// The sum of `term` of each edge's distance from `mean`.
  Lifted sumDistances(Lifter &lifter, const Lifted &value, const Lifted &mean,
                      const EdgeTile &tile,
                      function_ref<Value(OpBuilder &, Location, Value)> term) {
    SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
    SmallVector<Lifted> ins = {value, mean};
    if (tile.mask)
      ins.push_back(*tile.mask);
    return lifter.generic(
        getLoc(), ins,
        lifter.fill(getLoc(), shape, value.getType().getElementType(),
                    getStateLayout(shape.size()), 0.0),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[0], args[1]);
          Value summed = term(b, loc, distance);
          if (tile.mask)
            summed = selectEdge(b, loc, args[2], summed, 0.0);
          return arith::AddFOp::create(b, loc, args.back(), summed);
        });
  }

  /// The mean with what rounding took from it. That of equal values becomes
  /// their value, and their deviation 0: distances from a mean that is near
  /// them are exact.
  Lifted correctMean(Lifter &lifter, const Lifted &mean, const Lifted &count,
                     const Lifted &value, const EdgeTile &tile) {
    Lifted rest = sumDistances(
        lifter, value, mean, tile,
        [](OpBuilder &, Location, Value distance) { return distance; });
    return lifter.elementwise(
        getLoc(), Lifter::getFeatureShape(value),
        value.getType().getElementType(), {mean, rest, count},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value step = arith::DivFOp::create(b, loc, args[1],
                                             atLeastOne(b, loc, args[2]));
          return arith::AddFOp::create(b, loc, args[0], step);
        });
  }

  SmallVector<Lifted> addTile(Lifter &lifter, ArrayRef<Lifted> state,
                              const Lifted &value, const EdgeTile &tile) {
    Location loc = getLoc();
    Type type = value.getType().getElementType();
    SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
    Layout layout = getStateLayout(shape.size());

    // Moments of the tile: count, sum, squared distances from the tile's mean.
    Lifted tileCount = countEdges(lifter, type, value, tile);
    Lifted tileSum = reduceEdges(
        lifter, loc, lifter.fill(loc, shape, type, layout, 0.0), value, tile);
    Lifted tileMean = lifter.elementwise(
        loc, shape, type, {tileSum, tileCount},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::DivFOp::create(b, loc, args[0],
                                       atLeastOne(b, loc, args[1]));
        });
    if (value.has(kSrcAxis) || tile.mask)
      tileMean = correctMean(lifter, tileMean, tileCount, value, tile);
    Lifted tileSquares =
        sumDistances(lifter, value, tileMean, tile,
                     [&](OpBuilder &b, Location loc, Value distance) -> Value {
                       return arith::MulFOp::create(b, loc, distance, distance);
                     });
    return join(lifter, state, {tileCount, tileMean, tileSquares});
  }

  /// Moments of the edges of both.
  SmallVector<Lifted> join(Lifter &lifter, ArrayRef<Lifted> state,
                           ArrayRef<Lifted> other) {
    Location loc = getLoc();
    const Lifted &count = state[0], &mean = state[1], &squares = state[2];
    const Lifted &otherCount = other[0], &otherMean = other[1],
                 &otherSquares = other[2];
    // Joined: mu' = mu + d n_t / n', M2' = M2 + M2_t + d^2 n n_t / n'.
    auto share = [&](OpBuilder &b, Location loc, Value n, Value nt) -> Value {
      Value total = arith::AddFOp::create(b, loc, n, nt);
      return arith::DivFOp::create(b, loc, nt, atLeastOne(b, loc, total));
    };
    // Each part in place, the ones that others read last.
    Lifted newSquares = lifter.generic(
        loc, {otherSquares, mean, otherMean, count, otherCount}, squares,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[2], args[1]);
          Value weight = arith::MulFOp::create(b, loc, args[3],
                                               share(b, loc, args[3], args[4]));
          // The square may be infinite where the weight of an empty state is 0.
          Value weighted = arith::MulFOp::create(b, loc, distance, weight);
          Value between = arith::MulFOp::create(b, loc, weighted, distance);
          Value within = arith::AddFOp::create(b, loc, args.back(), args[0]);
          return arith::AddFOp::create(b, loc, within, between);
        });
    Lifted newMean = lifter.generic(
        loc, {otherMean, count, otherCount}, mean,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[0], args.back());
          Value step = arith::MulFOp::create(b, loc, distance,
                                             share(b, loc, args[1], args[2]));
          return arith::AddFOp::create(b, loc, args.back(), step);
        });
    Lifted newCount = lifter.generic(
        loc, otherCount, count,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::AddFOp::create(b, loc, args.back(), args[0]);
        });
    return {newCount, newMean, newSquares};
  }
};
} // namespace

std::unique_ptr<Aggregator> clique::detail::createStd(mp::AggregateOp op,
                                                      bool hasDst) {
  return std::make_unique<StdAggregator>(op, hasDst);
}
