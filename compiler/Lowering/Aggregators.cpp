//===- Aggregators.cpp - Monoids over an iteration space ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum, mean, max, min, std, softmax and custom monoids as streams.
//
//   softmax (Milakov, Gimelshein, 2018; Rabe, Staats, 2021), state (m, l, a):
//     m' = max(m, max_j s_j), c = exp(m - m'), p_j = exp(s_j - m')
//     l' = c l + sum_j p_j,   a' = c a + sum_j p_j v_j,   result a / l
//   std (Chan, Golub, LeVeque, 1979), state (n, mu, M2): moments of a tile are
//     joined with those so far; the sum of squares alone would cancel.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/Aggregators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static Value constant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// `mask ? value : otherwise`, for scalars; the mask is an i8.
static Value selectEdge(OpBuilder &b, Location loc, Value mask, Value value,
                        double otherwise) {
  Value isEdge = arith::TruncIOp::create(b, loc, b.getI1Type(), mask);
  return arith::SelectOp::create(b, loc, isEdge, value,
                                 constant(b, loc, value.getType(), otherwise));
}

/// Inputs of a reduction over edges: the value and, where there is one, the
/// mask.
static SmallVector<Lifted> withMask(Lifted value, const EdgeTile &tile) {
  SmallVector<Lifted> ins = {value};
  if (tile.mask)
    ins.push_back(*tile.mask);
  return ins;
}

/// `state (+) value`, summed over the edges of the tile.
static Lifted sumEdges(Lifter &lifter, Location loc, Lifted state, Lifted value,
                       const EdgeTile &tile) {
  return lifter.generic(
      loc, withMask(value, tile), state,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value term = args[0];
        if (tile.mask)
          term = selectEdge(b, loc, args[1], term, 0.0);
        return arith::AddFOp::create(b, loc, args.back(), term);
      });
}

//===----------------------------------------------------------------------===//
// sum and mean
//===----------------------------------------------------------------------===//

namespace {
class SumAggregator : public Aggregator {
public:
  SumAggregator(mp::AggregateOp op, bool hasDst) : Aggregator(op, hasDst) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    SmallVector<Lifted> state;
    for (Value value : op.getValues()) {
      auto type = cast<mp::EdgesType>(value.getType());
      state.push_back(lifter.fill(getLoc(), type.getShape(),
                                  getComputeType(type.getElementType()),
                                  getStateLayout(type.getShape().size()), 0.0));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    SmallVector<Lifted> next;
    for (auto [sum, value] : llvm::zip_equal(state, inputs))
      next.push_back(sumEdges(lifter, getLoc(), sum, value, tile));
    return next;
  }

  FailureOr<SmallVector<Lifted>> finalise(Lifter &lifter,
                                          ArrayRef<Lifted> state,
                                          const Lifted &degree) override {
    if (op.getKind() == mp::AggregatorKind::sum)
      return SmallVector<Lifted>(state);
    SmallVector<Lifted> means;
    for (const Lifted &sum : state) {
      Type type = sum.getType().getElementType();
      means.push_back(lifter.elementwise(
          getLoc(), Lifter::getFeatureShape(sum), type, {sum, degree},
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            // An empty sum stays 0.
            Value count = arith::SIToFPOp::create(b, loc, type, args[1]);
            count = arith::MaximumFOp::create(b, loc, count,
                                              constant(b, loc, type, 1.0));
            return arith::DivFOp::create(b, loc, args[0], count);
          }));
    }
    return means;
  }
};

//===----------------------------------------------------------------------===//
// max and min
//===----------------------------------------------------------------------===//

class ExtremumAggregator : public Aggregator {
public:
  ExtremumAggregator(mp::AggregateOp op, bool hasDst)
      : Aggregator(op, hasDst), isMax(op.getKind() == mp::AggregatorKind::max) {
  }

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    SmallVector<Lifted> state;
    for (Value value : op.getValues()) {
      auto type = cast<mp::EdgesType>(value.getType());
      state.push_back(lifter.fill(
          getLoc(), type.getShape(), getComputeType(type.getElementType()),
          getStateLayout(type.getShape().size()), identity()));
    }
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    SmallVector<Lifted> next;
    for (auto [extremum, value] : llvm::zip_equal(state, inputs))
      next.push_back(lifter.generic(
          getLoc(), withMask(value, tile), extremum,
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value term = args[0];
            if (tile.mask)
              term = selectEdge(b, loc, args[1], term, identity());
            if (isMax)
              return arith::MaximumFOp::create(b, loc, args.back(), term);
            return arith::MinimumFOp::create(b, loc, args.back(), term);
          }));
    return next;
  }

  FailureOr<SmallVector<Lifted>> finalise(Lifter &lifter,
                                          ArrayRef<Lifted> state,
                                          const Lifted &degree) override {
    SmallVector<Lifted> results;
    for (const Lifted &extremum : state) {
      Type type = extremum.getType().getElementType();
      results.push_back(lifter.elementwise(
          getLoc(), Lifter::getFeatureShape(extremum), type, {extremum, degree},
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
            Value heard = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::sgt, args[1], zero);
            return arith::SelectOp::create(b, loc, heard, args[0],
                                           constant(b, loc, type, 0.0));
          }));
    }
    return results;
  }

private:
  double identity() const { return isMax ? -kInfinity : kInfinity; }
  bool isMax;
};

//===----------------------------------------------------------------------===//
// std
//===----------------------------------------------------------------------===//

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
                         join(lifter, state.slice(3 * k, 3), value, tile));
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
            Value count = arith::MaximumFOp::create(
                b, loc, args[1], constant(b, loc, type, 1.0));
            Value variance = arith::DivFOp::create(b, loc, args[0], count);
            return math::SqrtOp::create(b, loc, variance);
          }));
    }
    return results;
  }

private:
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

  SmallVector<Lifted> join(Lifter &lifter, ArrayRef<Lifted> state, Lifted value,
                           const EdgeTile &tile) {
    Location loc = getLoc();
    Type type = value.getType().getElementType();
    SmallVector<int64_t> shape = Lifter::getFeatureShape(value);
    Layout layout = getStateLayout(shape.size());
    const Lifted &count = state[0], &mean = state[1], &squares = state[2];

    // Moments of the tile: count, sum, squared distances from the tile's mean.
    Lifted tileCount = countEdges(lifter, type, value, tile);
    Lifted tileSum = sumEdges(
        lifter, loc, lifter.fill(loc, shape, type, layout, 0.0), value, tile);
    auto atLeastOne = [&](OpBuilder &b, Location loc, Value count) -> Value {
      return arith::MaximumFOp::create(b, loc, count,
                                       constant(b, loc, type, 1.0));
    };
    Lifted tileMean = lifter.elementwise(
        loc, shape, type, {tileSum, tileCount},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::DivFOp::create(b, loc, args[0],
                                       atLeastOne(b, loc, args[1]));
        });
    SmallVector<Lifted> ins = {value, tileMean};
    if (tile.mask)
      ins.push_back(*tile.mask);
    Lifted tileSquares = lifter.generic(
        loc, ins, lifter.fill(loc, shape, type, layout, 0.0),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[0], args[1]);
          Value square = arith::MulFOp::create(b, loc, distance, distance);
          if (tile.mask)
            square = selectEdge(b, loc, args[2], square, 0.0);
          return arith::AddFOp::create(b, loc, args.back(), square);
        });

    // Joined: mu' = mu + d n_t / n', M2' = M2 + M2_t + d^2 n n_t / n'.
    auto share = [&](OpBuilder &b, Location loc, Value n, Value nt) -> Value {
      Value total = arith::AddFOp::create(b, loc, n, nt);
      return arith::DivFOp::create(b, loc, nt, atLeastOne(b, loc, total));
    };
    // Each part in place, the ones that others read last.
    Lifted newSquares = lifter.generic(
        loc, {tileSquares, mean, tileMean, count, tileCount}, squares,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[2], args[1]);
          Value square = arith::MulFOp::create(b, loc, distance, distance);
          Value weight = arith::MulFOp::create(b, loc, args[3],
                                               share(b, loc, args[3], args[4]));
          Value between = arith::MulFOp::create(b, loc, square, weight);
          Value within = arith::AddFOp::create(b, loc, args.back(), args[0]);
          return arith::AddFOp::create(b, loc, within, between);
        });
    Lifted newMean = lifter.generic(
        loc, {tileMean, count, tileCount}, mean,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value distance = arith::SubFOp::create(b, loc, args[0], args.back());
          Value step = arith::MulFOp::create(b, loc, distance,
                                             share(b, loc, args[1], args[2]));
          return arith::AddFOp::create(b, loc, args.back(), step);
        });
    Lifted newCount = lifter.generic(
        loc, tileCount, count,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::AddFOp::create(b, loc, args.back(), args[0]);
        });
    return {newCount, newMean, newSquares};
  }
};

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

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
      next.push_back(lifter.generic(
          loc, {weight, value}, scale(old),
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return multiplyAdd(b, loc, args[0], args[1], args[2]);
          }));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    SmallVector<Lifted> results;
    for (const Lifted &weighted : state.drop_front(2)) {
      Type type = weighted.getType().getElementType();
      results.push_back(lifter.elementwise(
          getLoc(), Lifter::getFeatureShape(weighted), type,
          {weighted, state[1]},
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            // Nothing heard, or nothing with a score above -inf: 0.
            Value zero = constant(b, loc, type, 0.0);
            Value silent = arith::CmpFOp::create(
                b, loc, arith::CmpFPredicate::OEQ, args[1], zero);
            Value mean = arith::DivFOp::create(b, loc, args[0], args[1]);
            return arith::SelectOp::create(b, loc, silent, zero, mean);
          }));
    }
    return results;
  }

private:
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

//===----------------------------------------------------------------------===//
// custom
//===----------------------------------------------------------------------===//

class CustomAggregator : public Aggregator {
public:
  CustomAggregator(mp::AggregateOp op, bool hasDst) : Aggregator(op, hasDst) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    FailureOr<SmallVector<Lifted>> state =
        lifter.lift(op.getIdentity().front());
    if (failed(state))
      return failure();
    for (Lifted &part : *state)
      part = toStateLayout(lifter, part);
    return state;
  }

  FailureOr<SmallVector<Lifted>> accumulate(Lifter &lifter,
                                            ArrayRef<Lifted> state,
                                            ArrayRef<Lifted> inputs,
                                            const EdgeTile &tile) override {
    Block &lift = op.getLift().front();
    for (auto [arg, input] : llvm::zip_equal(lift.getArguments(), inputs))
      lifter.map(arg, input);
    FailureOr<SmallVector<Lifted>> lifted = lifter.lift(lift);
    if (failed(lifted))
      return failure();
    if (!tile.mask && llvm::none_of(*lifted, [](const Lifted &part) {
          return part.has(kSrcAxis);
        }))
      return combine(lifter, state, *lifted);
    return combineInOrder(lifter, state, *lifted, tile);
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    Block &block = op.getFinalise().front();
    for (auto [arg, part] : llvm::zip_equal(block.getArguments(), state))
      lifter.map(arg, part);
    FailureOr<SmallVector<Lifted>> results = lifter.lift(block);
    if (failed(results))
      return failure();
    for (Lifted &result : *results)
      result = toStateLayout(lifter, result);
    return results;
  }

private:
  /// States have one layout, whatever the regions made of them.
  Lifted toStateLayout(Lifter &lifter, Lifted part) {
    Layout layout = getStateLayout(part.getFeatureRank());
    if (part.layout == layout)
      return part;
    SmallVector<int64_t> shape = Lifter::getFeatureShape(part);
    return lifter.generic(
        getLoc(), part,
        lifter.empty(getLoc(), shape, part.getType().getElementType(), layout),
        [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> lifted) {
    Block &block = op.getCombine().front();
    for (auto [k, part] : llvm::enumerate(state)) {
      lifter.map(block.getArgument(k), part);
      lifter.map(block.getArgument(k + state.size()), lifted[k]);
    }
    FailureOr<SmallVector<Lifted>> next = lifter.lift(block);
    if (failed(next))
      return failure();
    for (Lifted &part : *next)
      part = toStateLayout(lifter, part);
    return next;
  }

  /// Combines the edges of a tile one source after the other.
  FailureOr<SmallVector<Lifted>> combineInOrder(Lifter &lifter,
                                                ArrayRef<Lifted> state,
                                                ArrayRef<Lifted> lifted,
                                                const EdgeTile &tile) {
    OpBuilder &builder = lifter.getBuilder();
    Location loc = getLoc();
    // All sources along one axis: [feature..., dst, src], non-edges are
    // overwritten by the old state below.
    SmallVector<Value> initial;
    for (const Lifted &part : state)
      initial.push_back(part.tensor);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value size =
        arith::ConstantIndexOp::create(builder, loc, lifter.getSize(kSrcAxis));
    auto loop = scf::ForOp::create(builder, loc, zero, size, one, initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());

    auto column = [&](Lifted part) {
      if (!part.has(kSrcAxis))
        return part;
      SmallVector<OpFoldResult> offsets, sizes, strides;
      SmallVector<int64_t> shape;
      Layout layout;
      for (auto [axis, extent] :
           llvm::zip_equal(part.layout, part.getType().getShape())) {
        bool src = axis == kSrcAxis;
        offsets.push_back(src ? OpFoldResult(loop.getInductionVar())
                              : OpFoldResult(builder.getIndexAttr(0)));
        sizes.push_back(builder.getIndexAttr(src ? 1 : extent));
        strides.push_back(builder.getIndexAttr(1));
        if (!src) {
          layout.push_back(axis);
          shape.push_back(extent);
        }
      }
      auto type = RankedTensorType::get(shape, part.getType().getElementType());
      return Lifted{tensor::ExtractSliceOp::create(builder, loc, type,
                                                   part.tensor, offsets, sizes,
                                                   strides),
                    layout};
    };
    SmallVector<Lifted> old, edge;
    for (auto [part, arg] : llvm::zip_equal(state, loop.getRegionIterArgs()))
      old.push_back({arg, part.layout});
    for (const Lifted &part : lifted)
      edge.push_back(column(part));
    FailureOr<SmallVector<Lifted>> combined = combine(lifter, old, edge);
    if (failed(combined))
      return failure();

    SmallVector<Value> yielded;
    for (auto [before, after] : llvm::zip_equal(old, *combined)) {
      Lifted next = after;
      if (tile.mask)
        next = lifter.elementwise(
            loc, Lifter::getFeatureShape(after),
            after.getType().getElementType(),
            {after, before, column(*tile.mask)},
            [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
              Value isEdge =
                  arith::TruncIOp::create(b, loc, b.getI1Type(), args[2]);
              return arith::SelectOp::create(b, loc, isEdge, args[0], args[1]);
            });
      yielded.push_back(next.tensor);
    }
    scf::YieldOp::create(builder, loc, yielded);

    SmallVector<Lifted> next;
    for (auto [part, result] : llvm::zip_equal(state, loop.getResults()))
      next.push_back({result, part.layout});
    return next;
  }
};
} // namespace

std::unique_ptr<Aggregator> Aggregator::create(mp::AggregateOp op,
                                               bool hasDst) {
  switch (op.getKind()) {
  case mp::AggregatorKind::sum:
  case mp::AggregatorKind::mean:
    return std::make_unique<SumAggregator>(op, hasDst);
  case mp::AggregatorKind::max:
  case mp::AggregatorKind::min:
    return std::make_unique<ExtremumAggregator>(op, hasDst);
  case mp::AggregatorKind::std:
    return std::make_unique<StdAggregator>(op, hasDst);
  case mp::AggregatorKind::softmax:
    return std::make_unique<SoftmaxAggregator>(op, hasDst);
  case mp::AggregatorKind::custom:
    return std::make_unique<CustomAggregator>(op, hasDst);
  }
  llvm_unreachable("unknown aggregator");
}
