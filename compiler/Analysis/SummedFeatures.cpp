//===- SummedFeatures.cpp - Source features that are summed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SummedFeatures.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique;

/// Repeated along the innermost dimension: the elements there share it.
static bool isShared(Value factor) {
  auto broadcast = factor.getDefiningOp<mp::BroadcastOp>();
  return broadcast && !broadcast.getTrailing();
}

/// Whether all that becomes of a result of a message are sums and means.
static bool isOnlySummed(OpOperand &yielded) {
  auto message = cast<mp::MessageOp>(yielded.getOwner()->getParentOp());
  Value result = message->getResult(yielded.getOperandNumber());
  return llvm::all_of(result.getUsers(), [](Operation *user) {
    auto aggregate = dyn_cast<mp::AggregateOp>(user);
    return aggregate && (aggregate.getKind() == mp::AggregatorKind::sum ||
                         aggregate.getKind() == mp::AggregatorKind::mean);
  });
}

bool clique::isAggregatedAsItLies(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<mp::YieldOp>(user))
    return true;
  auto product = dyn_cast<arith::MulFOp>(user);
  return product && isShared(product->getOperand(1 - use.getOperandNumber())) &&
         llvm::all_of(product->getUses(), [](OpOperand &next) {
           return isa<mp::YieldOp>(next.getOwner()) && isOnlySummed(next);
         });
}

/// What a message yields as `edges`; null if none of its results is.
static Value getYielded(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  return message ? message.getYield().getOperand(
                       cast<OpResult>(edges).getResultNumber())
                 : Value();
}

arith::MulFOp clique::getProductWithShared(Value edges) {
  Value yielded = getYielded(edges);
  auto product =
      yielded ? yielded.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  return product && llvm::any_of(product->getOperands(), isShared)
             ? product
             : arith::MulFOp();
}

bool clique::isSourceFeature(Value edges) {
  Value yielded = getYielded(edges);
  auto arg = yielded ? dyn_cast<BlockArgument>(yielded) : BlockArgument();
  auto message = arg ? edges.getDefiningOp<mp::MessageOp>() : mp::MessageOp();
  return message && llvm::is_contained(message.getSrcArgs(), arg);
}
