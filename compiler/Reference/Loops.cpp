//===- Loops.cpp - Loops at function level --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the block of a loop step after step, its values bound anew each time.
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Evaluator.h"

using namespace clique;
using namespace clique::reference;
using namespace mlir;

/// Of values that the loop carries only the rows can differ from step to step.
static LogicalResult checkCarried(Value value, const Binding &before,
                                  const Binding &now) {
  auto getRows = [](const Binding &binding) -> int64_t {
    if (auto *edges = std::get_if<EdgeValues>(&binding))
      return edges->numEdges;
    const TensorPtr &tensor = *std::get_if<TensorPtr>(&binding);
    return tensor->shape.empty() ? 0 : tensor->shape[0];
  };
  if (getRows(before) == getRows(now))
    return success();
  return emitError(value.getLoc())
         << "a value that a loop carries has " << getRows(now)
         << " rows after a step and had " << getRows(before)
         << " before: expected as many";
}

LogicalResult Evaluator::carry(ValueRange from, ValueRange to) {
  // All are read before the first is bound: a step may exchange two values.
  SmallVector<Binding> carried;
  for (Value value : from) {
    Binding &binding = carried.emplace_back(bindings.find(value)->second);
    // What depends on the values of an earlier step cannot wait for a later
    // one.
    if (auto *edges = std::get_if<EdgeValues>(&binding);
        edges && !edges->stored) {
      EdgeValues stored;
      stored.feature = edges->feature;
      stored.numEdges = edges->numEdges;
      stored.stored = materialise(*edges, value.getContext());
      binding = std::move(stored);
    }
  }
  for (auto [value, binding] : llvm::zip_equal(to, carried)) {
    if (auto before = bindings.find(value); before != bindings.end())
      if (failed(checkCarried(value, before->second, binding)))
        return failure();
    if (failed(define(value, std::move(binding))))
      return failure();
  }
  return success();
}

/// A loop inside of another one begins anew.
static void forget(DenseMap<Value, Binding> &bindings, ValueRange values) {
  for (Value value : values)
    bindings.erase(value);
}

LogicalResult Evaluator::evaluate(scf::ForOp op) {
  const int64_t begin = *getIndex(op.getLowerBound());
  const int64_t end = *getIndex(op.getUpperBound());
  const int64_t step = *getIndex(op.getStep());
  if (step < 1)
    return op.emitOpError("has a step of ") << step << ": expected at least 1";
  forget(bindings, op.getRegionIterArgs());
  forget(bindings, op.getResults());
  if (failed(carry(op.getInitArgs(), op.getRegionIterArgs())))
    return failure();
  for (int64_t k = begin; k < end; k += step)
    if (failed(defineIndex(op.getInductionVar(), k)) ||
        failed(evaluateBlock(*op.getBody())) ||
        failed(carry(op.getYieldedValues(), op.getRegionIterArgs())))
      return failure();
  return carry(op.getRegionIterArgs(), op.getResults());
}

LogicalResult Evaluator::evaluate(scf::WhileOp op) {
  forget(bindings, op.getBeforeArguments());
  forget(bindings, op.getAfterArguments());
  forget(bindings, op.getResults());
  if (failed(carry(op.getInits(), op.getBeforeArguments())))
    return failure();
  while (true) {
    if (failed(evaluateBlock(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    if (*getIndex(condition.getCondition()) == 0)
      return carry(condition.getArgs(), op.getResults());
    if (failed(carry(condition.getArgs(), op.getAfterArguments())) ||
        failed(evaluateBlock(*op.getAfterBody())) ||
        failed(carry(op.getYieldOp().getResults(), op.getBeforeArguments())))
      return failure();
  }
}
