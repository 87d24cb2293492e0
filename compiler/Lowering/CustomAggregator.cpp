//===- CustomAggregator.cpp - A monoid of the spec as a stream ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// identity, lift, combine and finalise are lifted like any region; inside a
// tile the edges of a destination are combined one after the other, then with
// those of the tiles before. A destination may have no edge in a tile: combine
// may make NaN of two identities, as a log-sum-exp from -inf on does.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
class CustomAggregator : public Aggregator {
public:
  CustomAggregator(mp::AggregateOp op, bool hasDst, bool mayBeNone)
      : Aggregator(op, hasDst), mayBeNone(mayBeNone) {}

  FailureOr<SmallVector<Lifted>> getIdentity(Lifter &lifter) override {
    FailureOr<SmallVector<Lifted>> state = liftIdentity(lifter);
    if (succeeded(state) && mayBeNone)
      state->push_back(fillMark(lifter, 0));
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
    // What is lifted may be the same for all sources, and counts for each.
    if (lifter.getSize(kSrcAxis) == 0)
      return combine(lifter, state, *lifted);
    FailureOr<SmallVector<Lifted>> identity = liftIdentity(lifter);
    if (failed(identity))
      return failure();
    FailureOr<SmallVector<Lifted>> combined =
        combineInOrder(lifter, *identity, *lifted, tile);
    if (failed(combined))
      return failure();
    if (mayBeNone)
      combined->push_back(markReceived(lifter, tile));
    return combine(lifter, state, *combined);
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    FailureOr<SmallVector<Lifted>> next =
        join(lifter, dropMark(state), dropMark(other));
    if (failed(next) || !mayBeNone)
      return next;
    for (auto [part, before] : llvm::zip_equal(*next, dropMark(state)))
      part = choose(lifter, other.back(), part, before);
    next->push_back(lifter.elementwise(
        getLoc(), {}, other.back().getType().getElementType(),
        {state.back(), other.back()},
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::OrIOp::create(b, loc, args[0], args[1]);
        }));
    return next;
  }

  FailureOr<SmallVector<Lifted>>
  finalise(Lifter &lifter, ArrayRef<Lifted> state, const Lifted &) override {
    Block &block = op.getFinalise().front();
    for (auto [arg, part] :
         llvm::zip_equal(block.getArguments(), dropMark(state)))
      lifter.map(arg, part);
    FailureOr<SmallVector<Lifted>> results = lifter.lift(block);
    if (failed(results))
      return failure();
    for (Lifted &result : *results)
      result = toStateLayout(lifter, result);
    return results;
  }

private:
  FailureOr<SmallVector<Lifted>> liftIdentity(Lifter &lifter) {
    FailureOr<SmallVector<Lifted>> state =
        lifter.lift(op.getIdentity().front());
    if (failed(state))
      return failure();
    for (Lifted &part : *state)
      part = toStateLayout(lifter, part);
    return state;
  }

  /// Of a state, whether there is an edge in it: i8 [dst], behind the spec's
  /// parts.
  Lifted fillMark(Lifter &lifter, double value) {
    return lifter.fill(getLoc(), {}, lifter.getBuilder().getI8Type(),
                       getStateLayout(0), value);
  }
  ArrayRef<Lifted> dropMark(ArrayRef<Lifted> state) const {
    return mayBeNone ? state.drop_back() : state;
  }
  Lifted markReceived(Lifter &lifter, const EdgeTile &tile) {
    if (!tile.mask)
      return fillMark(lifter, 1);
    return lifter.generic(
        getLoc(), *tile.mask, fillMark(lifter, 0),
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::OrIOp::create(b, loc, args[1], args[0]);
        });
  }

  /// `value` where `mask`, an i8, is 1, else `other`.
  Lifted choose(Lifter &lifter, const Lifted &mask, const Lifted &value,
                const Lifted &other) {
    return lifter.elementwise(
        getLoc(), Lifter::getFeatureShape(value),
        value.getType().getElementType(), {value, other, mask},
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value isIt = arith::TruncIOp::create(b, loc, b.getI1Type(), args[2]);
          return arith::SelectOp::create(b, loc, isIt, args[0], args[1]);
        });
  }

  /// Combine, as the spec has it.
  FailureOr<SmallVector<Lifted>> join(Lifter &lifter, ArrayRef<Lifted> state,
                                      ArrayRef<Lifted> other) {
    Block &block = op.getCombine().front();
    for (auto [k, part] : llvm::enumerate(state)) {
      lifter.map(block.getArgument(k), part);
      lifter.map(block.getArgument(k + state.size()), other[k]);
    }
    FailureOr<SmallVector<Lifted>> next = lifter.lift(block);
    if (failed(next))
      return failure();
    for (Lifted &part : *next)
      part = toStateLayout(lifter, part);
    return next;
  }

  /// States have one layout, whatever the regions made of them.
  Lifted toStateLayout(Lifter &lifter, const Lifted &part) {
    Layout layout = getStateLayout(part.getFeatureRank());
    return part.layout == layout ? part : lifter.spread(getLoc(), part, layout);
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
    FailureOr<SmallVector<Lifted>> combined = join(lifter, old, edge);
    if (failed(combined))
      return failure();

    SmallVector<Value> yielded;
    for (auto [before, after] : llvm::zip_equal(old, *combined)) {
      Lifted next = after;
      if (tile.mask)
        next = choose(lifter, column(*tile.mask), after, before);
      yielded.push_back(next.tensor);
    }
    scf::YieldOp::create(builder, loc, yielded);

    SmallVector<Lifted> next;
    for (auto [part, result] : llvm::zip_equal(state, loop.getResults()))
      next.push_back({result, part.layout});
    return next;
  }

  /// Whether a state may have no edge, and has a mark that says so.
  bool mayBeNone;
};
} // namespace

std::unique_ptr<Aggregator>
clique::detail::createCustom(mp::AggregateOp op, bool hasDst, bool mayBeNone) {
  return std::make_unique<CustomAggregator>(op, hasDst, mayBeNone);
}
