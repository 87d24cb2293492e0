//===- ScatteredSums.cpp - Sums of values that are 0 but for a slice ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ScatteredSums.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;

tensor::ScatterOp clique::getScatteredTerm(mp::AggregateOp aggregate,
                                           Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (!message || mp::getGpu(aggregate) ||
      (aggregate.getKind() != mp::AggregatorKind::sum &&
       aggregate.getKind() != mp::AggregatorKind::mean))
    return {};
  Block &body = message.getBody().front();
  auto scatter = body.getTerminator()
                     ->getOperand(cast<OpResult>(edges).getResultNumber())
                     .getDefiningOp<tensor::ScatterOp>();
  if (!scatter || scatter->getBlock() != &body ||
      !matchPattern(scatter.getDest(), m_AnyZeroFloat()))
    return {};
  return scatter;
}

bool clique::isScatteredTerm(Value value) {
  auto scatter = value.getDefiningOp<tensor::ScatterOp>();
  auto message =
      scatter ? dyn_cast<mp::MessageOp>(scatter->getParentOp()) : nullptr;
  return message && llvm::all_of(scatter->getUses(), [&](OpOperand &use) {
           if (!isa<mp::YieldOp>(use.getOwner()))
             return false;
           Value edges = message->getResult(use.getOperandNumber());
           return llvm::all_of(edges.getUsers(), [&](Operation *user) {
             auto aggregate = dyn_cast<mp::AggregateOp>(user);
             return aggregate && getScatteredTerm(aggregate, edges) == scatter;
           });
         });
}
