//===- MessageCost.cpp - What one edge costs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts bytes and flops of one edge over the message and aggregations of a
// kernel, and which flops are products of matrices in a tile.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageCost.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

/// Flops of what depends on more than the destination.
static int64_t getMessageFlops(mp::MessageOp message) {
  DenseSet<Value> perEdge;
  perEdge.insert_range(message.getSrcArgs());
  perEdge.insert_range(message.getEdgeArgs());
  int64_t flops = 0;
  for (Operation &op : message.getBody().front()) {
    bool depends = llvm::any_of(
        op.getOperands(), [&](Value value) { return perEdge.contains(value); });
    auto position = dyn_cast<mp::PositionOp>(op);
    if (!depends && !(position && position.getEndpoint() == mp::Endpoint::src))
      continue;
    perEdge.insert_range(op.getResults());
    flops += getFlops(op);
  }
  return flops;
}

/// Flops of joining one edge's values to the state.
static int64_t getCombineFlops(mp::AggregateOp aggregate) {
  if (aggregate.getKind() == mp::AggregatorKind::custom) {
    int64_t flops = 0;
    for (Region *region : {&aggregate.getLift(), &aggregate.getCombine()})
      for (Operation &op : region->front())
        flops += getFlops(op);
    return flops;
  }
  int64_t perElement = 1, flops = 0;
  if (aggregate.getKind() == mp::AggregatorKind::std)
    perElement = 3;
  if (aggregate.getKind() == mp::AggregatorKind::softmax)
    perElement = 2;
  if (aggregate.getKind() == mp::AggregatorKind::logsumexp)
    perElement = kFunctionFlops + 2;
  for (Value edges : aggregate.getValues())
    flops +=
        perElement *
        cast<mp::EdgesType>(edges.getType()).getFeatureType().getNumElements();
  if (Value score = aggregate.getScore())
    flops +=
        (kFunctionFlops + 2) *
        cast<mp::EdgesType>(score.getType()).getFeatureType().getNumElements();
  return flops;
}

namespace {
/// The parts of a message that become products of matrices in a tile.
class MessageProducts {
public:
  explicit MessageProducts(mp::MessageOp message)
      : message(message), ends(message, /*knowsPositions=*/true) {}

  /// Flops of products inside the message.
  int64_t countDots();
  /// Flops of a sum of `result` over the sources; `isWeighted`: each with the
  /// weight of a softmax.
  int64_t countSum(OpResult result, bool isWeighted);

private:
  Ends getEnds(Value value) const { return ends.get(value); }
  /// Whether `value` is a source feature times a weight of the edge.
  bool isWeightedSource(Value value) const;

  mp::MessageOp message;
  EndpointDependence ends;
};
} // namespace

int64_t MessageProducts::countDots() {
  int64_t flops = 0;
  for (auto dot : message.getBody().getOps<mp::DotOp>()) {
    Ends lhs = getEnds(dot.getLhs()), rhs = getEnds(dot.getRhs());
    if ((lhs == Ends::dst && rhs == Ends::src) ||
        (lhs == Ends::src && rhs == Ends::dst))
      flops += getFlops(*dot);
  }
  return flops;
}

bool MessageProducts::isWeightedSource(Value value) const {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto isWeight = [&](Value factor) {
    return getEnds(factor) == Ends::edge &&
           factor.getDefiningOp<mp::BroadcastOp>();
  };
  Value lhs = product.getLhs(), rhs = product.getRhs();
  return (isWeight(lhs) && getEnds(rhs) == Ends::src) ||
         (isWeight(rhs) && getEnds(lhs) == Ends::src);
}

int64_t MessageProducts::countSum(OpResult result, bool isWeighted) {
  Value value = message.getBody().front().getTerminator()->getOperand(
      result.getResultNumber());
  if (isWeighted ? getEnds(value) != Ends::src : !isWeightedSource(value))
    return 0;
  return 2 * cast<mp::EdgesType>(result.getType())
                 .getFeatureType()
                 .getNumElements();
}

/// Flops of an aggregation that become products in a tile.
static int64_t getSumProducts(mp::AggregateOp aggregate) {
  mp::AggregatorKind kind = aggregate.getKind();
  bool isWeighted = kind == mp::AggregatorKind::softmax;
  if (!isWeighted && kind != mp::AggregatorKind::sum &&
      kind != mp::AggregatorKind::mean)
    return 0;
  int64_t flops = 0;
  for (Value value : aggregate.getValues())
    if (auto message = value.getDefiningOp<mp::MessageOp>())
      flops +=
          MessageProducts(message).countSum(cast<OpResult>(value), isWeighted);
  return flops;
}

EdgeCost clique::getEdgeCost(mp::KernelOp kernel) {
  EdgeCost cost;
  for (Operation &op : kernel.getBody().front()) {
    if (auto message = dyn_cast<mp::MessageOp>(op)) {
      cost.flops += getMessageFlops(message);
      cost.products += MessageProducts(message).countDots();
      for (Value arg : message.getSrcArgs())
        cost.bytes += getBytes(cast<RankedTensorType>(arg.getType()));
      for (Value arg : message.getEdgeArgs())
        cost.bytes += getBytes(cast<RankedTensorType>(arg.getType()));
    } else if (auto aggregate = dyn_cast<mp::AggregateOp>(op)) {
      cost.flops += getCombineFlops(aggregate);
      cost.products += getSumProducts(aggregate);
    }
  }
  for (Type type : kernel->getResultTypes())
    if (auto edges = dyn_cast<mp::EdgesType>(type))
      cost.bytes += getBytes(edges.getFeatureType());
  return cost;
}
