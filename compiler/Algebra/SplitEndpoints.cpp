//===- SplitEndpoints.cpp - Linear maps of two ends as two maps -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits one op after the other until none is left whose parts belong to
// different ends.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/SplitEndpoints.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Memo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace clique;

namespace {
/// Splits one message.
class Splitter {
public:
  explicit Splitter(mp::MessageOp message)
      : message(message), ends(message), builder(message.getContext()) {}

  /// Splits one op; false if there is none to split.
  bool splitOne();

private:
  /// The linear maps: f(x) = linear(x, weights) + bias, or dot(weights, x).
  bool split(Operation *op, Value x, Value weights, Value bias);
  /// f(x) by the part of the weights that belongs to x.
  Value apply(Operation *op, Value x, Value weights, Value bias,
              Type type = {});
  /// `size` entries from `offset` of a dimension of the weights.
  Value slice(Value weights, int64_t dim, int64_t offset, int64_t size);
  bool splitConcat(Operation *op, tensor::ConcatOp concat, Value weights,
                   Value bias);
  bool splitSum(Operation *op, Operation *sum, Value weights, Value bias);
  /// f(x) of a sum of ends: the sum of f of each end.
  Value applyToEnds(Operation *op, Value x, Value weights, Value bias,
                    Memo<Value> &applied);
  /// A map of a difference in half precision becomes one in f32: of nearly
  /// equal ends, products that were rounded would leave nothing.
  void widenMap(Operation *op, Value x, Value weights, Value bias);
  /// In f32; sums of ends with all that they add up.
  Value widen(Value value) {
    return wideValues.get(value, [&] { return makeWide(value); });
  }
  Value makeWide(Value value);
  /// A bias of another end, or of the edge, is added behind the product.
  bool splitBias(mp::LinearOp linear);
  /// Sums and differences from here down end at values of one end each.
  bool isSumOfEnds(Value x);
  /// Such a sum in half precision that takes one end from another.
  bool isHalfDifference(Value x);
  void replace(Operation *op, Value value, StringRef what);

  mp::MessageOp message;
  EndpointDependence ends;
  OpBuilder builder;
  Memo<bool> sumsOfEnds, halfDifferences;
  Memo<Value> wideValues;
};
} // namespace

bool Splitter::isSumOfEnds(Value x) {
  if (ends.get(x) != Ends::edge)
    return true;
  Operation *op = x.getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op) &&
         sumsOfEnds.get(x, [&] {
           return llvm::all_of(op->getOperands(), [&](Value operand) {
             return isSumOfEnds(operand);
           });
         });
}

bool Splitter::isHalfDifference(Value x) {
  Type element = getElementTypeOrSelf(x.getType());
  Operation *op = x.getDefiningOp();
  if ((!element.isF16() && !element.isBF16()) || ends.get(x) != Ends::edge ||
      !isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op))
    return false;
  return isa<arith::SubFOp>(op) || halfDifferences.get(x, [&] {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isHalfDifference(operand);
    });
  });
}

Value Splitter::makeWide(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType wide = type.clone(builder.getF32Type());
  Operation *op = value.getDefiningOp();
  if (ends.get(value) == Ends::edge &&
      isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op)) {
    Value lhs = widen(op->getOperand(0)), rhs = widen(op->getOperand(1));
    if (isa<arith::AddFOp>(op))
      return arith::AddFOp::create(builder, op->getLoc(), lhs, rhs);
    return arith::SubFOp::create(builder, op->getLoc(), lhs, rhs);
  }
  OpBuilder::InsertionGuard guard(builder);
  if (!message.getBody().isAncestor(value.getParentRegion()))
    builder.setInsertionPoint(message);
  return arith::ExtFOp::create(builder, message.getLoc(), wide, value);
}

void Splitter::widenMap(Operation *op, Value x, Value weights, Value bias) {
  builder.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value wide = apply(op, widen(x), widen(weights), bias ? widen(bias) : Value(),
                     type.clone(builder.getF32Type()));
  Value result = arith::TruncFOp::create(builder, op->getLoc(), type, wide);
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

Value Splitter::slice(Value weights, int64_t dim, int64_t offset,
                      int64_t size) {
  auto type = cast<RankedTensorType>(weights.getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape()),
      strides(type.getRank(), 1);
  offsets[dim] = offset;
  sizes[dim] = size;
  OpBuilder::InsertionGuard guard(builder);
  if (!message.getBody().isAncestor(weights.getParentRegion()))
    builder.setInsertionPoint(message);
  return tensor::ExtractSliceOp::create(
      builder, message.getLoc(),
      RankedTensorType::get(sizes, type.getElementType()), weights,
      ValueRange(), ValueRange(), ValueRange(), offsets, sizes, strides);
}

Value Splitter::apply(Operation *op, Value x, Value weights, Value bias,
                      Type type) {
  if (!type)
    type = op->getResult(0).getType();
  if (isa<mp::LinearOp>(op))
    return mp::LinearOp::create(builder, op->getLoc(), type, x, weights, bias);
  return mp::DotOp::create(builder, op->getLoc(), type, weights, x);
}

bool Splitter::splitConcat(Operation *op, tensor::ConcatOp concat,
                           Value weights, Value bias) {
  int64_t dim = concat.getDim();
  // A dot product adds up over the last dimension only, a linear map over the
  // last ones, which are the weights' first.
  const int64_t outer = isa<mp::DotOp>(op)
                            ? concat.getResultType().getRank() - 1
                            : cast<mp::LinearOp>(op).getNumOuterDims();
  if (dim < outer)
    return false;
  const int64_t ofWeights = isa<mp::DotOp>(op) ? dim : dim - outer;
  if (llvm::none_of(concat.getInputs(),
                    [&](Value part) { return isSumOfEnds(part); }))
    return false;
  builder.setInsertionPoint(op);
  Value sum;
  int64_t offset = 0;
  for (Value part : concat.getInputs()) {
    int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(dim);
    Value term = apply(op, part, slice(weights, ofWeights, offset, size),
                       sum ? Value() : bias);
    sum = sum ? arith::AddFOp::create(builder, op->getLoc(), sum, term) : term;
    offset += size;
  }
  replace(op, sum, "a concatenation");
  return true;
}

bool Splitter::splitSum(Operation *op, Operation *sum, Value weights,
                        Value bias) {
  Value x = sum->getResult(0);
  if (!isSumOfEnds(x))
    return false;
  if (isHalfDifference(x)) {
    // It is split next.
    widenMap(op, x, weights, bias);
    return true;
  }
  builder.setInsertionPoint(op);
  Memo<Value> applied;
  Value result = applyToEnds(op, x, weights, bias, applied);
  replace(op, result, isa<arith::AddFOp>(sum) ? "a sum" : "a difference");
  return true;
}

Value Splitter::applyToEnds(Operation *op, Value x, Value weights, Value bias,
                            Memo<Value> &applied) {
  auto make = [&]() -> Value {
    if (ends.get(x) != Ends::edge)
      return apply(op, x, weights, bias);
    Operation *sum = x.getDefiningOp();
    Value lhs = applyToEnds(op, sum->getOperand(0), weights, bias, applied);
    Value rhs = applyToEnds(op, sum->getOperand(1), weights, Value(), applied);
    if (isa<arith::AddFOp>(sum))
      return arith::AddFOp::create(builder, op->getLoc(), lhs, rhs);
    return arith::SubFOp::create(builder, op->getLoc(), lhs, rhs);
  };
  // There is one path with the bias.
  return bias ? make() : applied.get(x, make);
}

bool Splitter::splitBias(mp::LinearOp linear) {
  Value bias = linear.getBias();
  Ends product = ends.get(linear.getX()) | ends.get(linear.getWeights());
  if (!bias || product == Ends::none || product == Ends::edge ||
      (product | ends.get(bias)) == product)
    return false;
  builder.setInsertionPoint(linear);
  Value term = apply(linear, linear.getX(), linear.getWeights(), Value());
  if (bias.getType() != term.getType())
    bias = mp::BroadcastOp::create(builder, linear.getLoc(), term.getType(),
                                   bias, /*trailing=*/true);
  Value sum = arith::AddFOp::create(builder, linear.getLoc(), term, bias);
  replace(linear, sum, "one end with a bias of another");
  return true;
}

void Splitter::replace(Operation *op, Value value, StringRef what) {
  remark::passed(
      op->getLoc(),
      remark::RemarkOpts::name("mp-hoist-endpoints").category("algebra"))
      << (op->getName().getStringRef() + " of " + what +
          " taken apart, one per endpoint")
             .str();
  op->replaceAllUsesWith(ValueRange(value));
  op->erase();
}

bool Splitter::split(Operation *op, Value x, Value weights, Value bias) {
  if (ends.get(x) != Ends::edge || ends.get(weights) != Ends::none)
    return false;
  Operation *producer = x.getDefiningOp();
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(producer))
    return splitConcat(op, concat, weights, bias);
  if (isa_and_nonnull<arith::AddFOp, arith::SubFOp>(producer))
    return splitSum(op, producer, weights, bias);
  return false;
}

bool Splitter::splitOne() {
  for (Operation &op : message.getBody().front()) {
    if (auto linear = dyn_cast<mp::LinearOp>(op)) {
      if (splitBias(linear) ||
          split(&op, linear.getX(), linear.getWeights(), linear.getBias()))
        return true;
    }
    if (auto dot = dyn_cast<mp::DotOp>(op))
      if (split(&op, dot.getLhs(), dot.getRhs(), Value()) ||
          split(&op, dot.getRhs(), dot.getLhs(), Value()))
        return true;
  }
  return false;
}

void clique::splitEndpoints(mp::MessageOp message) {
  // Parts may have to be taken apart again. Each split ends at smaller
  // operands, so that this comes to an end.
  while (Splitter(message).splitOne())
    ;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(message.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}
