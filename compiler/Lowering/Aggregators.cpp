//===- Aggregators.cpp - Sums, means, extrema as streams ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What aggregators share, the simple ones, and the choice among all.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ScatteredSums.h"
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

Value clique::detail::constant(OpBuilder &b, Location loc, Type type,
                               double value) {
  auto number = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vector, Attribute(number)));
  return arith::ConstantOp::create(b, loc, number);
}

Value clique::detail::selectEdge(OpBuilder &b, Location loc, Value mask,
                                 Value value, double otherwise) {
  Value isEdge = arith::TruncIOp::create(b, loc, b.getI1Type(), mask);
  return arith::SelectOp::create(b, loc, isEdge, value,
                                 constant(b, loc, value.getType(), otherwise));
}

SmallVector<Lifted> clique::detail::withMask(const Lifted &value,
                                             const EdgeTile &tile) {
  SmallVector<Lifted> ins = {value};
  if (tile.mask)
    ins.push_back(*tile.mask);
  return ins;
}

Lifted
clique::detail::addSum(Lifter &lifter, Location loc, const Lifted &state,
                       ArrayRef<Lifted> ins, const EdgeTile &tile,
                       llvm::function_ref<Lifted(const Lifted &)> addTo) {
  if (tile.hasOneSet || llvm::none_of(ins, [](const Lifted &value) {
        return value.has(kSrcAxis);
      }))
    return addTo(state);
  Lifted sum =
      addTo(lifter.fill(loc, Lifter::getFeatureShape(state),
                        state.getType().getElementType(), state.layout, 0.0));
  return lifter.generic(
      loc, sum, state, [](OpBuilder &b, Location loc, ValueRange args) {
        return arith::AddFOp::create(b, loc, args[1], args[0]).getResult();
      });
}

Lifted clique::detail::reduceEdges(Lifter &lifter, Location loc,
                                   const Lifted &sum, const Lifted &value,
                                   const EdgeTile &tile) {
  return lifter.generic(
      loc, withMask(value, tile), sum,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value term = args[0];
        if (tile.mask)
          term = selectEdge(b, loc, args[1], term, 0.0);
        // A product and its sum are rounded once, as in other products.
        return arith::AddFOp::create(b, loc, args.back(), term,
                                     arith::FastMathFlags::contract);
      });
}

Lifted clique::detail::sumEdges(Lifter &lifter, Location loc,
                                const Lifted &state, const Lifted &value,
                                const EdgeTile &tile) {
  return addSum(lifter, loc, state, withMask(value, tile), tile,
                [&](const Lifted &sum) {
                  return reduceEdges(lifter, loc, sum, value, tile);
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
    for (auto [sum, value, edges] :
         llvm::zip_equal(state, inputs, op.getValues())) {
      // Lowerings that have the messages of a chunk computed elsewhere know
      // them as a whole.
      tensor::ScatterOp scatter = getScatteredTerm(op, edges);
      const ScatteredSlice *slice =
          scatter ? lifter.findSlice(scatter) : nullptr;
      if (slice)
        next.push_back(addSlices(lifter, getLoc(), sum, *slice,
                                 scatter.getScatterDims().front(), tile));
      else if (auto weighted = findProducts(lifter, edges, tile))
        next.push_back(sumWeighted(lifter, sum, *weighted, tile));
      else if (!tile.inRegisters && sum.has(kDstAxis) && value.has(kSrcAxis) &&
               !value.has(kDstAxis))
        next.push_back(sumSources(lifter, sum, value, tile));
      else
        next.push_back(sumEdges(lifter, getLoc(), sum, value, tile));
    }
    return next;
  }

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    SmallVector<Lifted> next;
    for (auto [sum, more] : llvm::zip_equal(state, other))
      next.push_back(sumEdges(lifter, getLoc(), sum, more, {}));
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

private:
  /// What is to be summed as a product of matrices, and would not be if it were
  /// summed like other values: where it is masked, or a sum by itself.
  static std::optional<WeightedFeature>
  findProducts(Lifter &lifter, Value edges, const EdgeTile &tile) {
    if (tile.inRegisters)
      return std::nullopt;
    std::optional<WeightedFeature> weighted = findWeighted(lifter, edges);
    if (weighted && (tile.mask || weighted->isSummed))
      return weighted;
    return std::nullopt;
  }

  /// What a source has for all destinations is added up once for all of them,
  /// or is the product of a mask that they have and the tile's sources.
  Lifted sumSources(Lifter &lifter, const Lifted &state, const Lifted &value,
                    const EdgeTile &tile) {
    Location loc = getLoc();
    Type type = state.getType().getElementType();
    if (!tile.mask || !tile.mask->has(kDstAxis)) {
      Lifted none = lifter.fill(loc, Lifter::getFeatureShape(state), type,
                                getCanonicalLayout(state.getFeatureRank(),
                                                   /*hasDst=*/false,
                                                   /*hasSrc=*/false),
                                0.0);
      Lifted sum = reduceEdges(lifter, loc, none, value, tile);
      return lifter.generic(
          loc, sum, state, [](OpBuilder &b, Location loc, ValueRange args) {
            return arith::AddFOp::create(b, loc, args[1], args[0]).getResult();
          });
    }
    Lifted weight = lifter.elementwise(
        loc, {}, type, *tile.mask,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return selectEdge(b, loc, args[0], constant(b, loc, type, 1.0), 0.0);
        });
    WeightedFeature weighted{weight, value};
    return addSum(lifter, loc, state, {weight, value}, tile,
                  [&](const Lifted &sum) {
                    return addWeighted(lifter, loc, weighted, sum, tile);
                  });
  }

  /// Masked weights leave the sum a product of matrices.
  Lifted sumWeighted(Lifter &lifter, const Lifted &state,
                     WeightedFeature weighted, const EdgeTile &tile) {
    if (tile.mask)
      weighted.weight =
          maskWeight(lifter, getLoc(), weighted.weight, *tile.mask);
    EdgeTile received = tile;
    if (tile.masksPadding && weighted.isInput &&
        !weighted.feature.has(kDstAxis))
      received.mask = std::nullopt;
    return addSum(lifter, getLoc(), state, {weighted.weight, weighted.feature},
                  tile, [&](const Lifted &sum) {
                    return addWeighted(lifter, getLoc(), weighted, sum,
                                       received);
                  });
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

  FailureOr<SmallVector<Lifted>> combine(Lifter &lifter, ArrayRef<Lifted> state,
                                         ArrayRef<Lifted> other) override {
    return accumulate(lifter, state, other, {});
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
            Value received = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::sgt, args[1], zero);
            return arith::SelectOp::create(b, loc, received, args[0],
                                           constant(b, loc, type, 0.0));
          }));
    }
    return results;
  }

private:
  double identity() const { return isMax ? -kInfinity : kInfinity; }
  bool isMax;
};
} // namespace

Lifted Aggregator::prepareAhead(Lifter &, const Lifted &, Value) {
  llvm_unreachable("an aggregator with values ahead prepares them");
}

std::unique_ptr<Aggregator> Aggregator::create(mp::AggregateOp op, bool hasDst,
                                               bool mayBeNone) {
  switch (op.getKind()) {
  case mp::AggregatorKind::sum:
  case mp::AggregatorKind::mean:
    return std::make_unique<SumAggregator>(op, hasDst);
  case mp::AggregatorKind::max:
  case mp::AggregatorKind::min:
    if (!op.getExtraResults().empty()) // with the number of the edge
      return nullptr;
    return std::make_unique<ExtremumAggregator>(op, hasDst);
  case mp::AggregatorKind::std:
    return clique::detail::createStd(op, hasDst);
  case mp::AggregatorKind::softmax:
    return clique::detail::createSoftmax(op, hasDst);
  case mp::AggregatorKind::custom:
    return clique::detail::createCustom(op, hasDst, mayBeNone);
  default:
    return nullptr;
  }
}