//===- SummedFeatures.cpp - Source features that are summed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SummedFeatures.h"

using namespace mlir;
using namespace clique;

/// Repeated along the innermost dimension: the elements there share it.
static bool isShared(Value factor) {
  auto broadcast = factor.getDefiningOp<mp::BroadcastOp>();
  return broadcast && !broadcast.getTrailing();
}

/// Whether all that becomes of a result of a message are sums and means.
static bool isYieldedToSums(OpOperand &yielded) {
  auto message = cast<mp::MessageOp>(yielded.getOwner()->getParentOp());
  Value result = message->getResult(yielded.getOperandNumber());
  return llvm::all_of(result.getUsers(), [](Operation *user) {
    auto aggregate = dyn_cast<mp::AggregateOp>(user);
    return aggregate && (aggregate.getKind() == mp::AggregatorKind::sum ||
                         aggregate.getKind() == mp::AggregatorKind::mean);
  });
}

bool clique::reducesInnermost(mp::ReduceOp reduce) {
  return llvm::is_contained(
      reduce.getDims(),
      cast<RankedTensorType>(reduce.getX().getType()).getRank() - 1);
}

/// Whether an op sums over dimensions among which the innermost is not.
static bool keepsInnermost(mp::ReduceOp reduce) {
  return reduce.getKind() == mp::ReductionKind::sum &&
         !reducesInnermost(reduce);
}

/// Whether all uses of a value yield it to sums and means.
static bool isYieldedToSums(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    return isa<mp::YieldOp>(use.getOwner()) && isYieldedToSums(use);
  });
}

/// Whether sums and means over edges are all that becomes of a product, or of
/// its sums over dimensions among which the innermost is not.
static bool isOnlySummed(arith::MulFOp product) {
  if (isYieldedToSums(product))
    return true;
  return llvm::all_of(product->getUsers(), [](Operation *next) {
    auto reduce = dyn_cast<mp::ReduceOp>(next);
    return reduce && keepsInnermost(reduce) && isYieldedToSums(reduce);
  });
}

bool clique::isAggregatedAsItLies(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<mp::YieldOp>(user))
    return true;
  auto product = dyn_cast<arith::MulFOp>(user);
  if (!product || !isShared(product->getOperand(1 - use.getOperandNumber())))
    return false;
  return isOnlySummed(product);
}

bool clique::isWeightedTerm(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    return llvm::any_of(product->getOperands(), isShared) &&
           isOnlySummed(product);
  return isShared(value) && llvm::all_of(value.getUsers(), [](Operation *user) {
           return isa<arith::MulFOp>(user) &&
                  isWeightedTerm(user->getResult(0));
         });
}

/// What a message yields as `edges`; null if none of its results is.
static Value getYielded(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  return message ? message.getYield().getOperand(
                       cast<OpResult>(edges).getResultNumber())
                 : Value();
}

std::optional<ProductWithShared> clique::getProductWithShared(Value edges) {
  Value yielded = getYielded(edges);
  if (!yielded)
    return std::nullopt;
  ProductWithShared found;
  if (auto reduce = yielded.getDefiningOp<mp::ReduceOp>();
      reduce && keepsInnermost(reduce)) {
    found.summed = reduce.getDims();
    yielded = reduce.getX();
  }
  found.product = yielded.getDefiningOp<arith::MulFOp>();
  if (!found.product || llvm::none_of(found.product->getOperands(), isShared))
    return std::nullopt;
  return found;
}

bool clique::isSourceFeature(Value edges) {
  Value yielded = getYielded(edges);
  auto arg = yielded ? dyn_cast<BlockArgument>(yielded) : BlockArgument();
  auto message = arg ? edges.getDefiningOp<mp::MessageOp>() : mp::MessageOp();
  return message && llvm::is_contained(message.getSrcArgs(), arg);
}
