//===- OnlineSoftmax.cpp - Scores as a stream -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/OnlineSoftmax.h"
#include "compiler/Analysis/ExpDifference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

Value clique::detail::emitLargerScore(OpBuilder &b, Location loc, Value x,
                                      Value y) {
  return arith::MaxNumFOp::create(b, loc, x, y);
}

Value clique::detail::emitReference(OpBuilder &b, Location loc, Value max) {
  Type type = max.getType();
  Value lowest = constant(b, loc, type, -kInfinity);
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, max, lowest);
  return arith::SelectOp::create(b, loc, none, constant(b, loc, type, 0.0),
                                 max);
}

/// Of the first operand of a reduction and its state.
static Value maximum(OpBuilder &b, Location loc, ValueRange args) {
  return emitLargerScore(b, loc, args.back(), args[0]);
}

SmallVector<Lifted> OnlineSoftmax::getIdentity(Lifter &lifter,
                                               mp::EdgesType score,
                                               const Layout &layout) const {
  Type type = getComputeType(score.getElementType());
  SmallVector<Lifted> state;
  if (!reference)
    state.push_back(
        lifter.fill(loc, score.getShape(), type, layout, -kInfinity));
  state.push_back(lifter.fill(loc, score.getShape(), type, layout, 0.0));
  return state;
}

Lifted OnlineSoftmax::accumulate(Lifter &lifter, MutableArrayRef<Lifted> state,
                                 Lifted score, const EdgeTile &tile) const {
  if (tile.mask)
    score = lifter.elementwise(
        loc, Lifter::getFeatureShape(score), score.getType().getElementType(),
        {score, *tile.mask}, [&](OpBuilder &b, Location loc, ValueRange args) {
          return selectEdge(b, loc, args[1], args[0], -kInfinity);
        });
  bool isLoose =
      score.has(kDstAxis) && score.has(kSrcAxis) && !tile.inRegisters;
  auto rescaleState = [&] {
    return isLoose ? followLoosely(lifter, state, score, tile.isFirst)
                   : rescale(lifter, state, score);
  };
  Lifted weight = reference ? expOfBounded(lifter, score)
                            : expDifference(lifter, score, rescaleState());
  // Of a tile's row, which is a vector: its lanes are added to each other.
  Lifted &sum = state[getNumParts() - 1];
  sum = reduceEdges(lifter, loc, sum, weight, {});
  return weight;
}

SmallVector<Lifted> OnlineSoftmax::combine(Lifter &lifter,
                                           ArrayRef<Lifted> state,
                                           ArrayRef<Lifted> other) const {
  if (reference) {
    SmallVector<Lifted> next;
    for (auto [sum, otherSum] : llvm::zip_equal(state, other))
      next.push_back(lifter.generic(
          loc, otherSum, sum,
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return arith::AddFOp::create(b, loc, args[1], args[0]);
          }));
    return next;
  }
  const Lifted &max = state[0], &otherMax = other[0];
  Lifted reference = lifter.elementwise(
      loc, Lifter::getFeatureShape(max), max.getType().getElementType(),
      {otherMax, max}, [](OpBuilder &b, Location loc, ValueRange args) {
        return emitReference(b, loc, maximum(b, loc, args));
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

/// What rounding took from `sum`, of x and y, whichever is larger (D. E. Knuth,
/// "The Art of Computer Programming 2", 4.2.2, theorem B).
static Value emitLowPart(OpBuilder &b, Location loc, Value sum, Value x,
                         Value y) {
  auto subtract = [&](Value from, Value what) -> Value {
    return arith::SubFOp::create(b, loc, from, what);
  };
  Value ofY = subtract(sum, x), ofX = subtract(sum, ofY);
  return arith::AddFOp::create(b, loc, subtract(x, ofX), subtract(y, ofY));
}

SmallVector<Lifted> OnlineSoftmax::getLogSumExp(Lifter &lifter,
                                                ArrayRef<Lifted> state,
                                                bool withLow) const {
  state = state.take_front(getNumParts());
  Type type = state.back().getType().getElementType();
  auto emit = [&](bool isLow) {
    return lifter.elementwise(
        loc, Lifter::getFeatureShape(state.back()), type, state,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value sum = args[state.size() - 1];
          Value max = reference ? constant(b, loc, type, *reference) : args[0];
          Value zero = constant(b, loc, type, 0.0);
          Value silent = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OEQ, sum, zero);
          Value log = math::LogOp::create(b, loc, sum);
          Value part = arith::AddFOp::create(b, loc, max, log);
          if (isLow)
            part = emitLowPart(b, loc, part, max, log);
          return arith::SelectOp::create(b, loc, silent, zero, part);
        });
  };
  SmallVector<Lifted> parts = {emit(/*isLow=*/false)};
  if (withLow)
    parts.push_back(emit(/*isLow=*/true));
  return parts;
}

Lifted OnlineSoftmax::expDifference(Lifter &lifter, const Lifted &x,
                                    const Lifted &reference) const {
  return lifter.elementwise(
      loc, Lifter::getFeatureShape(x), x.getType().getElementType(),
      {x, reference}, [](OpBuilder &b, Location loc, ValueRange args) {
        Value difference =
            arith::SubFOp::create(b, loc, args[0], args[1], kUpToFactor);
        return math::ExpOp::create(b, loc, difference).getResult();
      });
}

Lifted OnlineSoftmax::expOfBounded(Lifter &lifter, const Lifted &score) const {
  Type type = score.getType().getElementType();
  return lifter.elementwise(
      loc, Lifter::getFeatureShape(score), type, score,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value difference = arith::SubFOp::create(
            b, loc, args[0], constant(b, loc, type, *reference), kUpToFactor);
        return math::ExpOp::create(b, loc, difference).getResult();
      });
}

/// The largest scores of a tile, laid out as m.
Lifted OnlineSoftmax::getMaximum(Lifter &lifter, const Lifted &score,
                                 const Layout &layout) const {
  Type type = score.getType().getElementType();
  Lifted lowest = lifter.fill(loc, Lifter::getFeatureShape(score), type, layout,
                              -kInfinity);
  return lifter.generic(loc, score, lowest, maximum);
}

/// m' = max(m, max_j s_j); l and a times c. Returns the reference.
Lifted OnlineSoftmax::rescale(Lifter &lifter, MutableArrayRef<Lifted> state,
                              const Lifted &score) const {
  Lifted &max = state[0];
  Type type = score.getType().getElementType();
  SmallVector<int64_t> shape = Lifter::getFeatureShape(score);
  Lifted tileMax = getMaximum(lifter, score, max.layout);
  Lifted reference =
      lifter.elementwise(loc, shape, type, {tileMax, max},
                         [](OpBuilder &b, Location loc, ValueRange args) {
                           return emitReference(b, loc, maximum(b, loc, args));
                         });
  Lifted factor = expDifference(lifter, max, reference);
  // The states are updated in place, the old maximum last.
  max = lifter.generic(loc, tileMax, max, maximum);
  for (Lifted &sum : state.drop_front())
    sum = lifter.generic(
        loc, factor, sum,
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::MulFOp::create(b, loc, args[1], args[0]);
        });
  return reference;
}

/// By how much a score exceeds m at most, one number.
static Value emitLargestExcess(Lifter &lifter, Location loc, const Lifted &max,
                               const Lifted &score) {
  Type type = score.getType().getElementType();
  // First over destinations, so that vectors stay whole.
  auto larger = [](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value excess = arith::SubFOp::create(b, loc, args[0], args[1]);
    Value isLarger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                           excess, args.back());
    return arith::SelectOp::create(b, loc, isLarger, excess, args.back());
  };
  Lifted bySource = lifter.generic(
      loc, {score, max}, lifter.fill(loc, {}, type, {kSrcAxis}, -kInfinity),
      larger);
  Lifted excess = lifter.generic(
      loc, bySource, lifter.fill(loc, {}, type, {}, -kInfinity), maximum);
  return tensor::ExtractOp::create(lifter.getBuilder(), loc, excess.tensor);
}

/// What one of two branches makes of a state.
static void choose(Lifter &lifter, Location loc, Value condition,
                   MutableArrayRef<Lifted> state,
                   function_ref<void(MutableArrayRef<Lifted>)> then,
                   function_ref<void(MutableArrayRef<Lifted>)> otherwise) {
  OpBuilder &builder = lifter.getBuilder();
  SmallVector<Type> types;
  for (const Lifted &part : state)
    types.push_back(part.tensor.getType());
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/true);
  auto emit = [&](Block *block,
                  function_ref<void(MutableArrayRef<Lifted>)> change) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Lifted> changed(state);
    change(changed);
    SmallVector<Value> tensors;
    for (const Lifted &part : changed)
      tensors.push_back(part.tensor);
    scf::YieldOp::create(builder, loc, tensors);
  };
  emit(branch.thenBlock(), then);
  emit(branch.elseBlock(), otherwise);
  for (auto [tensor, part] : llvm::zip_equal(branch.getResults(), state))
    part.tensor = tensor;
}

void OnlineSoftmax::rescaleIfNeeded(Lifter &lifter,
                                    MutableArrayRef<Lifted> state,
                                    const Lifted &score) const {
  constexpr double slack = 8.0;
  OpBuilder &builder = lifter.getBuilder();
  Value most = emitLargestExcess(lifter, loc, state[0], score);
  Value isNeeded = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, most,
      constant(builder, loc, score.getType().getElementType(), slack));
  choose(
      lifter, loc, isNeeded, state,
      [&](MutableArrayRef<Lifted> parts) { rescale(lifter, parts, score); },
      [](MutableArrayRef<Lifted>) {});
}

/// In a tile m need not be the largest score, only near it: nothing is rescaled
/// until a score exceeds m by so much that weights could grow large. Before the
/// first tile there is nothing to rescale.
Lifted OnlineSoftmax::followLoosely(Lifter &lifter,
                                    MutableArrayRef<Lifted> state,
                                    const Lifted &score, Value isFirst) const {
  if (isFirst)
    choose(
        lifter, loc, isFirst, state,
        [&](MutableArrayRef<Lifted> parts) {
          // In place of the state.
          Lifted tileMax = getMaximum(lifter, score, parts[0].layout);
          parts[0] = lifter.generic(loc, tileMax, parts[0], maximum);
        },
        [&](MutableArrayRef<Lifted> parts) {
          rescaleIfNeeded(lifter, parts, score);
        });
  else
    rescaleIfNeeded(lifter, state, score);
  return lifter.elementwise(loc, Lifter::getFeatureShape(score),
                            score.getType().getElementType(), state[0],
                            [](OpBuilder &b, Location loc, ValueRange args) {
                              return emitReference(b, loc, args[0]);
                            });
}
