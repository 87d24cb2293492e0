//===- EndpointDependence.cpp - On which ends a value depends -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the region, in order.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/ScatteredSums.h"
#include "compiler/Analysis/SummedFeatures.h"

using namespace mlir;
using namespace clique;

static Ends getPositionEnds(mp::PositionOp position) {
  switch (position.getEndpoint()) {
  case mp::Endpoint::dst:
    return Ends::dst;
  case mp::Endpoint::src:
    return Ends::src;
  case mp::Endpoint::edge:
    return Ends::edge;
  }
  llvm_unreachable("unknown end");
}

EndpointDependence::EndpointDependence(mp::MessageOp message,
                                       bool knowsPositions) {
  for (Value arg : message.getDstArgs())
    ends[arg] = Ends::dst;
  for (Value arg : message.getSrcArgs())
    ends[arg] = Ends::src;
  for (Value arg : message.getEdgeArgs())
    ends[arg] = Ends::edge;
  for (Operation &op : message.getBody().front()) {
    Ends all = Ends::none;
    if (auto position = dyn_cast<mp::PositionOp>(op))
      all = knowsPositions ? getPositionEnds(position) : Ends::edge;
    for (Value value : op.getOperands())
      all = all | get(value);
    for (Value result : op.getResults())
      ends[result] = all;
  }
}

int64_t clique::getEdgeValueSize(mp::MessageOp message) {
  int64_t largest = 1;
  auto add = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      largest = std::max(largest, type.getNumElements());
  };
  EndpointDependence ends(message);
  for (Operation &op : message.getBody().front())
    for (Value result : op.getResults())
      if (ends.get(result) == Ends::edge && !isScatteredTerm(result) &&
          !isWeightedTerm(result))
        add(result);
  llvm::for_each(message.getEdgeArgs(), add);
  return largest;
}
