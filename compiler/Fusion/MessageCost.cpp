//===- MessageCost.cpp - What one edge costs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts bytes and flops of one edge over the message and aggregations of a
// kernel.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageCost.h"
#include "compiler/Analysis/FeatureCost.h"

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

EdgeCost clique::getEdgeCost(mp::KernelOp kernel) {
  EdgeCost cost;
  for (Operation &op : kernel.getBody().front()) {
    if (auto message = dyn_cast<mp::MessageOp>(op)) {
      cost.flops += getMessageFlops(message);
      for (Value arg : message.getSrcArgs())
        cost.bytes += getBytes(cast<RankedTensorType>(arg.getType()));
      for (Value arg : message.getEdgeArgs())
        cost.bytes += getBytes(cast<RankedTensorType>(arg.getType()));
    } else if (auto aggregate = dyn_cast<mp::AggregateOp>(op)) {
      cost.flops += getCombineFlops(aggregate);
    }
  }
  for (Type type : kernel->getResultTypes())
    if (auto edges = dyn_cast<mp::EdgesType>(type))
      cost.bytes += getBytes(edges.getFeatureType());
  return cost;
}
