//===- Activity.cpp - What depends on what is differentiated --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the ops in their order; over the body of a loop until no step
// makes more of what it carries active.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/Activity.h"
#include "dialect/IR/MPOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

bool gradient::isDifferentiable(Type type) {
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    return isa<FloatType>(edges.getElementType());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return isa<FloatType>(type);
}

Activity::Activity(func::FuncOp function, ArrayRef<unsigned> arguments) {
  for (unsigned index : arguments)
    markIf(true, function.getArgument(index));
  for (Operation &op : function.getBody().front())
    visit(&op);
}

bool Activity::markIf(bool condition, Value value) {
  if (condition && isDifferentiable(value.getType()))
    active.insert(value);
  return condition;
}

void Activity::visitRegion(Region &region, ValueRange operands) {
  for (auto [arg, operand] : llvm::zip(region.getArguments(), operands))
    markIf(isActive(operand), arg);
  for (Operation &op : region.front())
    visit(&op);
}

void Activity::visitLoop(scf::ForOp loop) {
  for (auto [arg, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    markIf(isActive(init), arg);
  for (bool isMore = true; isMore;) {
    for (Operation &op : *loop.getBody())
      visit(&op);
    isMore = false;
    for (auto [arg, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      isMore |= isActive(next) && active.insert(arg).second;
  }
  for (auto [arg, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    markIf(isActive(arg), result);
}

void Activity::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  // Of messages and updates each result for itself.
  if (isa<mp::MessageOp, mp::UpdateOp>(op)) {
    Region &region = op->getRegion(0);
    unsigned first = op->getNumOperands() - region.getNumArguments();
    visitRegion(region, op->getOperands().drop_front(first));
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), region.front().getTerminator()->getOperands()))
      markIf(isActive(value), result);
    return;
  }
  bool any = llvm::any_of(op->getOperands(),
                          [&](Value operand) { return isActive(operand); });
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      any |= isActive(operand);
  });
  for (Value result : op->getResults())
    markIf(any, result);
}
