//===- LinalgRules.cpp - Structured ops -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cotangent of an input is an op over the same loops, whose body is the
// adjoint of the op's body; what the input does not index is summed.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

namespace {
class StructuredRule {
public:
  StructuredRule(FunctionGradient &gradient, linalg::LinalgOp op)
      : gradient(gradient), b(gradient.getBuilder()), op(op),
        body(*op.getBlock()) {}

  LogicalResult apply();

private:
  /// What a body yields beside its accumulator; the accumulator's argument is
  /// used for nothing else.
  FailureOr<Value> getTerm(unsigned index);
  LogicalResult addInput(OpOperand &input);

  FunctionGradient &gradient;
  OpBuilder &b;
  linalg::LinalgOp op;
  Block &body;
  /// Of each init: what is added to it or put in its place, and its cotangent.
  SmallVector<Value> terms, cotangents;
};
} // namespace

FailureOr<Value> StructuredRule::getTerm(unsigned index) {
  Value yielded = body.getTerminator()->getOperand(index);
  BlockArgument init = body.getArgument(op.getNumDpsInputs() + index);
  // Of a loop that puts one value after the other in a place the last stays.
  if (init.use_empty() &&
      op.getMatchingIndexingMap(op.getDpsInitOperand(index)).isPermutation())
    return yielded;
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  if (add && init.hasOneUse() && yielded.hasOneUse()) {
    if (add.getLhs() == init)
      return add.getRhs();
    if (add.getRhs() == init)
      return add.getLhs();
  }
  return op->emitOpError("has no derivative: mp-differentiate knows structured "
                         "ops that put a value in place or add one up");
}

LogicalResult StructuredRule::addInput(OpOperand &input) {
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(&input);
  if (!map.isProjectedPermutation())
    return op->emitOpError("has no derivative: mp-differentiate knows "
                           "structured ops whose inputs are indexed by loops "
                           "alone");
  SmallVector<Value> ins;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    ins.push_back(gradient.getPrimal(operand->get()));
    maps.push_back(op.getMatchingIndexingMap(operand));
  }
  for (auto [index, cotangent] : llvm::enumerate(cotangents))
    if (cotangent) {
      ins.push_back(cotangent);
      maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(index)));
    }
  maps.push_back(map);
  SmallVector<utils::IteratorType> iterators(op.getNumLoops(),
                                             utils::IteratorType::reduction);
  for (AffineExpr result : map.getResults())
    iterators[cast<AffineDimExpr>(result).getPosition()] =
        utils::IteratorType::parallel;

  // A scalar is a tensor without dimensions here.
  Value primal = gradient.getPrimal(input.get());
  Type type = getGradientType(primal.getType());
  if (!isa<RankedTensorType>(type))
    type = RankedTensorType::get({}, type);
  Value zero = gradient.makeZeros(loc, cast<RankedTensorType>(type), primal);
  LogicalResult status = success();
  auto generic = linalg::GenericOp::create(
      b, loc, type, ins, zero, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        DenseMap<Value, Value> values;
        for (auto [before, after] : llvm::zip(
                 body.getArguments().take_front(op.getNumDpsInputs()), args))
          values[before] = widen(inner, after);
        auto lookUp = [&](Value value) {
          auto it = values.find(value);
          return it != values.end() ? it->second
                                    : gradient.getWidePrimal(value);
        };
        for (Operation &forward : body.without_terminator()) {
          // What the accumulator goes into is not computed again.
          if (llvm::any_of(forward.getOperands(), [&](Value operand) {
                auto arg = dyn_cast<BlockArgument>(operand);
                return arg && arg.getOwner() == &body &&
                       arg.getArgNumber() >= op.getNumDpsInputs();
              }))
            continue;
          cloneWidened(inner, &forward, lookUp, [&](Value before, Value after) {
            values[before] = after;
          });
        }
        ReverseSweep::Environment environment =
            gradient.makeEnvironment(lookUp);
        environment.isActive = [&](Value value) {
          return value.getParentBlock() == &body
                     ? isDifferentiable(value.getType())
                     : gradient.isActive(value);
        };
        ReverseSweep sweep(inner, body, environment);
        unsigned next = op.getNumDpsInputs();
        for (auto [term, cotangent] : llvm::zip_equal(terms, cotangents))
          if (cotangent)
            sweep.add(term, args[next++]);
        status = sweep.run();
        Value own = sweep.get(body.getArgument(input.getOperandNumber()));
        Value sum = args.back();
        if (own)
          sum = arith::AddFOp::create(inner, loc, sum, own);
        linalg::YieldOp::create(inner, loc, sum);
      });
  if (succeeded(status))
    gradient.addCotangent(input.get(), generic.getResult(0));
  return status;
}

LogicalResult StructuredRule::apply() {
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    cotangents.push_back(gradient.getCotangent(result));
    terms.emplace_back();
    if (!cotangents.back())
      continue;
    FailureOr<Value> term = getTerm(index);
    if (failed(term))
      return failure();
    terms.back() = *term;
    BlockArgument init = body.getArgument(op.getNumDpsInputs() + index);
    if (!init.use_empty())
      gradient.addCotangent(op.getDpsInits()[index], cotangents.back());
  }
  if (llvm::none_of(cotangents, [](Value value) { return bool(value); }))
    return success();
  // Also where no input has a gradient.
  bool usesActive = false;
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) {
    usesActive |= gradient.isActive(use->get());
  });
  if (usesActive)
    return op->emitOpError(
        "has no derivative: its body uses a value from outside that has a "
        "gradient; make it an input");
  // Before any op whose region would have them.
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) {
    gradient.getWidePrimal(use->get());
  });
  for (OpOperand *input : op.getDpsInputOperands())
    if (gradient.isActive(input->get()))
      if (failed(addInput(*input)))
        return failure();
  return success();
}

LogicalResult gradient::addLinalgCotangents(FunctionGradient &gradient,
                                            linalg::LinalgOp op) {
  assert(op.hasPureTensorSemantics() && "buffers are not differentiable");
  return StructuredRule(gradient, op).apply();
}
