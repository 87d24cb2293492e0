//===- EdgeStream.cpp - Messages and monoids over edges -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

Lifted clique::getEdge(Lifter &lifter, Location loc, const Lifted &chunk,
                       Value place) {
  OpBuilder &b = lifter.getBuilder();
  RankedTensorType type = chunk.getType();
  RowSlice one(b, type, place, b.getIndexAttr(1));
  ArrayRef<int64_t> feature = type.getShape().drop_front();
  Value slice = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(feature, type.getElementType()),
      chunk.tensor, one.offsets, one.sizes, one.strides);
  return {slice, getCanonicalLayout(feature.size(), false, false)};
}

EdgeStream::EdgeStream(const KernelInfo &info, bool hasDst, bool mayBeNone)
    : info(info) {
  for (mp::AggregateOp op : info.aggregates)
    aggregators.push_back(Aggregator::create(op, hasDst, mayBeNone));
}

FailureOr<SmallVector<Value>> EdgeStream::getIdentity(Lifter &lifter) {
  SmallVector<Value> states;
  layouts.clear();
  for (auto &aggregator : aggregators) {
    FailureOr<SmallVector<Lifted>> identity = aggregator->getIdentity(lifter);
    if (failed(identity))
      return failure();
    SmallVector<Layout> &own = layouts.emplace_back();
    for (const Lifted &part : *identity) {
      states.push_back(part.tensor);
      own.push_back(part.layout);
    }
  }
  return states;
}

FailureOr<DenseMap<Value, Lifted>>
EdgeStream::computeMessages(Lifter &lifter, Bind dst, Bind src, Bind edge) {
  DenseMap<Value, Lifted> values;
  for (mp::MessageOp message : info.messages) {
    auto bindAll = [&](ArrayRef<BlockArgument> args, ValueRange operands,
                       Bind bind) {
      for (auto [arg, operand] : llvm::zip_equal(args, operands))
        lifter.map(arg, bind(arg, operand));
    };
    bindAll(message.getDstArgs(), message.getDst(), dst);
    bindAll(message.getSrcArgs(), message.getSrc(), src);
    bindAll(message.getEdgeArgs(), message.getEdge(), edge);
    FailureOr<SmallVector<Lifted>> lifted =
        lifter.lift(message.getBody().front());
    if (failed(lifted))
      return failure();
    for (auto [result, value] : llvm::zip_equal(message.getResults(), *lifted))
      values[result] = value;
  }
  return values;
}

SmallVector<Lifted> EdgeStream::takeStates(size_t k, ValueRange &states) {
  SmallVector<Lifted> taken;
  for (const Layout &layout : layouts[k]) {
    taken.push_back({states.front(), layout});
    states = states.drop_front();
  }
  return taken;
}

/// The operands of an aggregation: the score, if there is one, and the values.
static SmallVector<Lifted>
getInputs(mp::AggregateOp op, const DenseMap<Value, Lifted> &edgeValues) {
  SmallVector<Lifted> inputs;
  for (Value value : op->getOperands().drop_front())
    inputs.push_back(edgeValues.lookup(value));
  return inputs;
}

static void append(SmallVectorImpl<Value> &states, ArrayRef<Lifted> parts) {
  for (const Lifted &part : parts)
    states.push_back(part.tensor);
}

FailureOr<SmallVector<Value>>
EdgeStream::accumulate(Lifter &lifter, ValueRange states,
                       const DenseMap<Value, Lifted> &edgeValues,
                       const EdgeTile &tile) {
  SmallVector<Value> next;
  for (auto [k, op] : llvm::enumerate(info.aggregates)) {
    FailureOr<SmallVector<Lifted>> accumulated = aggregators[k]->accumulate(
        lifter, takeStates(k, states), getInputs(op, edgeValues), tile);
    if (failed(accumulated))
      return failure();
    append(next, *accumulated);
  }
  return next;
}

FailureOr<SmallVector<Value>>
EdgeStream::combine(Lifter &lifter, ValueRange states, ValueRange others) {
  SmallVector<Value> next;
  for (auto [k, aggregator] : llvm::enumerate(aggregators)) {
    SmallVector<Lifted> state = takeStates(k, states);
    FailureOr<SmallVector<Lifted>> combined =
        aggregator->combine(lifter, state, takeStates(k, others));
    if (failed(combined))
      return failure();
    append(next, *combined);
  }
  return next;
}

SmallVector<Value> EdgeStream::select(Lifter &lifter, Value condition,
                                      ValueRange states, ValueRange others) {
  SmallVector<Value> chosen;
  for (size_t k = 0; k < aggregators.size(); ++k)
    for (auto [state, other] :
         llvm::zip_equal(takeStates(k, states), takeStates(k, others)))
      chosen.push_back(
          lifter
              .elementwise(info.kernel->getLoc(),
                           Lifter::getFeatureShape(state),
                           state.getType().getElementType(), {state, other},
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return arith::SelectOp::create(b, loc, condition,
                                                            args[0], args[1]);
                           })
              .tensor);
  return chosen;
}

llvm::SetVector<Value> EdgeStream::getAhead() const {
  llvm::SetVector<Value> ahead;
  for (auto &aggregator : aggregators)
    ahead.insert_range(aggregator->getAhead());
  return ahead;
}

Lifted EdgeStream::prepareAhead(Lifter &lifter, Value value, Lifted tensor,
                                Value count) const {
  for (auto &aggregator : aggregators)
    if (llvm::is_contained(aggregator->getAhead(), value))
      return aggregator->prepareAhead(lifter, tensor, count);
  return tensor;
}

bool EdgeStream::isDoneAhead() const {
  return llvm::all_of(
      aggregators, [](auto &aggregator) { return aggregator->isDoneAhead(); });
}

SmallVector<Value>
EdgeStream::accumulateAhead(Lifter &lifter, ValueRange states,
                            const DenseMap<Value, Lifted> &ahead, Value count,
                            EdgeWeights &weights) {
  SmallVector<Value> next;
  for (auto [k, aggregator] : llvm::enumerate(aggregators)) {
    SmallVector<Lifted> state = takeStates(k, states), own;
    for (Value value : aggregator->getAhead())
      own.push_back(ahead.lookup(value));
    weights.push_back(aggregator->accumulateAhead(lifter, state, own, count));
    append(next, state);
  }
  return next;
}

FailureOr<SmallVector<Value>>
EdgeStream::accumulateEdge(Lifter &lifter, ValueRange states,
                           const DenseMap<Value, Lifted> &edgeValues,
                           const EdgeWeights &weights, Value place) {
  // All of them first, which keeps the reads together.
  EdgeWeights own;
  for (ArrayRef<Lifted> ofChunk : weights) {
    SmallVector<Lifted> &ofEdge = own.emplace_back();
    for (const Lifted &weight : ofChunk)
      ofEdge.push_back(getEdge(lifter, info.kernel->getLoc(), weight, place));
  }
  SmallVector<Value> next;
  for (auto [k, op] : llvm::enumerate(info.aggregates)) {
    FailureOr<SmallVector<Lifted>> accumulated = aggregators[k]->accumulateEdge(
        lifter, takeStates(k, states), getInputs(op, edgeValues), own[k]);
    if (failed(accumulated))
      return failure();
    append(next, *accumulated);
  }
  return next;
}

FailureOr<SmallVector<Lifted>>
EdgeStream::finalise(Lifter &lifter, ValueRange states, const Lifted &degree) {
  SmallVector<Lifted> results;
  for (size_t k = 0; k < aggregators.size(); ++k) {
    FailureOr<SmallVector<Lifted>> values =
        aggregators[k]->finalise(lifter, takeStates(k, states), degree);
    if (failed(values))
      return failure();
    llvm::append_range(results, *values);
  }
  return results;
}
