//===- CustomAggregator.cpp - A monoid of the spec as a stream ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// identity, lift, combine and finalise are lifted like any region; inside a
// tile the edges of a destination are combined one after the other, then with
// those of the tiles before.
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
    // What is lifted may be the same for all sources, and counts for each.
    if (lifter.getSize(kSrcAxis) == 0)
      return combine(lifter, state, *lifted);
    FailureOr<SmallVector<Lifted>> identity = getIdentity(lifter);
    if (failed(identity))
      return failure();
    FailureOr<SmallVector<Lifted>> combined =
        combineInOrder(lifter, *identity, *lifted, tile);
    if (failed(combined))
      return failure();
    return combine(lifter, state, *combined);
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
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

std::unique_ptr<Aggregator> clique::detail::createCustom(mp::AggregateOp op,
                                                         bool hasDst) {
  return std::make_unique<CustomAggregator>(op, hasDst);
}
