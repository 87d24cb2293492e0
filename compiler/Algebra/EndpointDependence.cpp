//===- EndpointDependence.cpp - On which ends a value depends -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the region, in order.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/EndpointDependence.h"

using namespace mlir;
using namespace clique;

SmallVector<Value> clique::getUsedValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          values.push_back(operand);
    });
  return values;
}

EndpointDependence::EndpointDependence(mp::MessageOp message) {
  for (Value arg : message.getDstArgs())
    ends[arg] = Ends::dst;
  for (Value arg : message.getSrcArgs())
    ends[arg] = Ends::src;
  for (Value arg : message.getEdgeArgs())
    ends[arg] = Ends::edge;
  for (Operation &op : message.getBody().front()) {
    // The position of one end has no node feature to be computed from.
    Ends all = isa<mp::PositionOp>(op) ? Ends::edge : Ends::none;
    for (Value value : getUsedValues(&op))
      all = all | get(value);
    for (Value result : op.getResults())
      ends[result] = all;
  }
}
