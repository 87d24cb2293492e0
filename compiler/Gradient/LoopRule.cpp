//===- LoopRule.cpp - The backward loop of a loop -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It runs from the last step to the first and carries the cotangents of what
// the loop carries, the sums of what each step adds to those of values from
// before the loop, and what it restores.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "compiler/Gradient/Normalise.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

namespace clique::gradient {
class LoopRule {
public:
  LoopRule(FunctionGradient &gradient, scf::ForOp loop, const LoopStep &step)
      : gradient(gradient), b(gradient.builder), loc(loop.getLoc()), loop(loop),
        step(step), numCarried(step.stacks.size()) {}

  void apply();

private:
  /// A stack, and the sizes of its rows.
  struct Stored {
    Value stack;
    SmallVector<OpFoldResult> row;
  };
  /// Whether it is carried, or else captured.
  bool isCarried(int64_t argument) const { return argument <= numCarried; }
  /// The value of the forward function that is this argument of a step.
  Value getBefore(int64_t argument) {
    return isCarried(argument) ? loop.getInitArgs()[argument - 1]
                               : step.captured[argument - 1 - numCarried];
  }
  void readForward();
  Value makeZeroOf(Value forward);
  /// As this value of the backward function is.
  Value makeZeroLike(Value like);
  SmallVector<Value> getStart();
  /// What was carried into the step with this number; null if none reads it.
  Value readStored(unsigned carried, Value number);
  /// What is restored, as it was before the step with these operands, from
  /// what it was after it.
  SmallVector<Value> restoreRows(ValueRange operands, ValueRange after);
  /// What the backward loop carries out of a step, of what it carries into it.
  SmallVector<Value> takeStep(Value number, ValueRange values);

  FunctionGradient &gradient;
  OpBuilder &b;
  Location loc;
  scf::ForOp loop;
  const LoopStep &step;
  const int64_t numCarried;
  /// Of the backward function, made before the loop.
  Value first, stride, count;
  SmallVector<Value> captured;
  SmallVector<Stored> stored;
  /// What has the shape of a carried value, for those that are not stored.
  SmallVector<Value> shapes;
  /// Of what is restored, the values before the loop.
  SmallVector<Value> starts;
};
} // namespace clique::gradient

/// What the backward loop asks of forward values stands before it.
void LoopRule::readForward() {
  first = gradient.getPrimal(loop.getLowerBound());
  stride = gradient.getPrimal(loop.getStep());
  count = gradient.getPrimal(step.numSteps);
  for (Value value : step.captured)
    captured.push_back(gradient.getPrimal(value));
  func::FuncOp function = step.gradient;
  for (auto [index, value] : llvm::enumerate(step.stacks)) {
    Stored &next = stored.emplace_back();
    if (value) {
      next.stack = gradient.getPrimal(value);
      next.row = tensor::getMixedSizes(b, loc, next.stack);
      next.row.erase(next.row.begin());
    }
    bool isMeasured =
        !value && function && !function.getArgument(1 + index).use_empty();
    shapes.push_back(isMeasured ? gradient.getPrimal(loop.getInitArgs()[index])
                                : Value());
  }
  for (unsigned carried : step.restored)
    starts.push_back(gradient.getPrimal(loop.getInitArgs()[carried]));
}

Value LoopRule::makeZeroLike(Value like) {
  Type type = getGradientType(like.getType());
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0));
  return gradient.makeZeros(loc, cast<RankedTensorType>(type), like);
}

/// Rows of an edge value as a tensor, which can be added up.
static Value listRows(OpBuilder &b, Location loc, Value value) {
  auto edges = dyn_cast<mp::EdgesType>(value.getType());
  if (!edges)
    return value;
  return mp::ToTensorOp::create(b, loc, mp::getEdgeTensorType(edges), value);
}

Value LoopRule::makeZeroOf(Value forward) {
  if (isa<FloatType>(forward.getType()))
    return makeZeroLike(forward);
  return makeZeroLike(listRows(b, loc, gradient.getPrimal(forward)));
}

SmallVector<Value> LoopRule::getStart() {
  SmallVector<Value> start;
  for (int64_t argument : step.arguments) {
    Value given;
    if (isCarried(argument))
      given = gradient.getCotangent(loop.getResult(argument - 1));
    start.push_back(given ? given : makeZeroOf(getBefore(argument)));
  }
  for (unsigned carried : step.restored)
    start.push_back(gradient.getPrimal(loop.getResult(carried)));
  return start;
}

Value LoopRule::readStored(unsigned carried, Value number) {
  const auto &[stack, row] = stored[carried];
  Type type = loop.getResult(carried).getType();
  if (!stack)
    return shapes[carried];
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    Value element = tensor::ExtractOp::create(b, loc, stack, number);
    if (element.getType() != type)
      element = arith::IndexCastOp::create(b, loc, type, element);
    return element;
  }
  SmallVector<OpFoldResult> offsets(row.size() + 1, b.getIndexAttr(0)),
      sizes(1, b.getIndexAttr(1)), strides(offsets.size(), b.getIndexAttr(1));
  offsets[0] = number;
  llvm::append_range(sizes, row);
  return tensor::ExtractSliceOp::create(b, loc, tensor, stack, offsets, sizes,
                                        strides);
}

SmallVector<Value> LoopRule::restoreRows(ValueRange operands,
                                         ValueRange after) {
  SmallVector<Value> before;
  if (!step.rows)
    return before;
  SmallVector<Value> bounds = cloneBody(b, step.rows, operands);
  for (auto [position, whole] : llvm::enumerate(after)) {
    auto type = cast<RankedTensorType>(whole.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
        sizes = {bounds[2 * position + 1]},
        strides(type.getRank(), b.getIndexAttr(1));
    offsets[0] = bounds[2 * position];
    for (int64_t size : type.getShape().drop_front())
      sizes.push_back(b.getIndexAttr(size));
    Value rows = tensor::ExtractSliceOp::create(b, loc, starts[position],
                                                offsets, sizes, strides);
    before.push_back(tensor::InsertSliceOp::create(b, loc, rows, whole, offsets,
                                                   sizes, strides));
  }
  return before;
}

SmallVector<Value> LoopRule::takeStep(Value number, ValueRange values) {
  ValueRange cotangents = values.take_front(step.arguments.size());
  Value offset = arith::MulIOp::create(b, loc, number, stride);
  SmallVector<Value> operands = {arith::AddIOp::create(b, loc, first, offset)};
  for (int64_t carried = 0; carried < numCarried; ++carried)
    operands.push_back(readStored(carried, number));
  llvm::append_range(operands, captured);
  SmallVector<Value> restored =
      restoreRows(operands, values.drop_front(cotangents.size()));
  for (auto [index, value] : llvm::zip_equal(step.restored, restored))
    operands[1 + index] = value;
  for (int64_t result : step.results)
    operands.push_back(cotangents[std::distance(
        step.arguments.begin(), llvm::find(step.arguments, result + 1))]);
  SmallVector<Value> made;
  if (step.gradient)
    made = cloneBody(b, step.gradient, operands);
  SmallVector<Value> next;
  for (auto [position, argument] : llvm::enumerate(step.arguments)) {
    Value before = cotangents[position];
    // Nothing that a step makes of it has a gradient.
    Value own =
        step.gradient ? listRows(b, loc, made[position]) : makeZeroLike(before);
    next.push_back(isCarried(argument) ? own : gradient.sum(before, own));
  }
  llvm::append_range(next, restored);
  return next;
}

void LoopRule::apply() {
  readForward();
  SmallVector<Value> start = getStart();
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto backward = scf::ForOp::create(b, loc, none, count, one, start);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(backward.getBody());
    Value last = arith::SubIOp::create(b, loc, count, one);
    Value number =
        arith::SubIOp::create(b, loc, last, backward.getInductionVar());
    scf::YieldOp::create(b, loc,
                         takeStep(number, backward.getRegionIterArgs()));
  }
  for (auto [argument, cotangent] :
       llvm::zip_first(step.arguments, backward.getResults())) {
    Value before = getBefore(argument);
    if (auto edges = dyn_cast<mp::EdgesType>(before.getType()))
      gradient.edgeCotangents[before].push_back(
          mp::ToEdgesOp::create(b, loc, getGradientType(edges), cotangent));
    else
      gradient.addCotangent(before, cotangent);
  }
}

LogicalResult FunctionGradient::visitLoop(scf::ForOp loop) {
  if (llvm::none_of(loop.getResults(),
                    [&](Value result) { return getCotangent(result); }))
    return success();
  LoopRule(*this, loop, *loops.find(loop)).apply();
  return success();
}
