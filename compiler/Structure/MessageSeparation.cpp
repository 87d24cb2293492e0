//===- MessageSeparation.cpp - Messages as products of their ends ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk from the value up through products, quotients, negations and reshapes.
// Sums of both ends are left alone: taken apart, a difference of nearly equal
// numbers would lose its digits.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/MessageSeparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

Value MessageSeparation::multiply(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  OpBuilder builder(message.getYield());
  return arith::MulFOp::create(builder, loc, a, b);
}

std::optional<SeparatedValue> MessageSeparation::multiply(Operation *op) {
  auto lhs = separate(op->getOperand(0)), rhs = separate(op->getOperand(1));
  // Of two inner products the sum would have both their lengths.
  if (!lhs || !rhs || (lhs->query && rhs->query) ||
      (lhs->divisor && rhs->divisor))
    return std::nullopt;
  SeparatedValue result = lhs->query ? *lhs : *rhs;
  result.factor = multiply(op->getLoc(), lhs->factor, rhs->factor);
  result.divisor = lhs->divisor ? lhs->divisor : rhs->divisor;
  result.source = multiply(op->getLoc(), lhs->source, rhs->source);
  return result;
}

std::optional<SeparatedValue> MessageSeparation::divide(Operation *op) {
  Value divisor = op->getOperand(1);
  auto result = separate(op->getOperand(0));
  if (!result)
    return std::nullopt;
  OpBuilder builder(message.getYield());
  if (ends.get(divisor) == Ends::src && result->source) {
    result->source =
        arith::DivFOp::create(builder, op->getLoc(), result->source, divisor);
    return result;
  }
  const bool isDestination =
      ends.get(divisor) == Ends::dst || ends.get(divisor) == Ends::none;
  if (!isDestination || result->divisor)
    return std::nullopt;
  result->divisor = divisor;
  return result;
}

std::optional<SeparatedValue> MessageSeparation::negate(Operation *op) {
  auto result = separate(op->getOperand(0));
  if (!result)
    return std::nullopt;
  Value &part = result->source   ? result->source
                : result->factor ? result->factor
                                 : result->key;
  OpBuilder builder(message.getYield());
  part = arith::NegFOp::create(builder, op->getLoc(), part);
  return result;
}

std::optional<SeparatedValue> MessageSeparation::separateDot(mp::DotOp op) {
  Value query = op.getLhs(), key = op.getRhs();
  if (ends.get(query) == Ends::src)
    std::swap(query, key);
  if (ends.get(query) != Ends::dst || ends.get(key) != Ends::src)
    return std::nullopt;
  SeparatedValue result;
  result.query = query;
  result.key = key;
  return result;
}

/// Broadcasts, reshapes and slices, of each part for itself.
std::optional<SeparatedValue> MessageSeparation::reshape(Operation *op) {
  auto result = separate(op->getOperand(0));
  if (!result)
    return std::nullopt;
  auto broadcast = dyn_cast<mp::BroadcastOp>(op);
  auto isPrefix = [](ArrayRef<int64_t> dims) {
    return dims.empty() || dims.back() + 1 == static_cast<int64_t>(dims.size());
  };
  const bool keepsPrefix = broadcast && isPrefix(broadcast.getKeptDims());
  if (result->query && !keepsPrefix)
    return std::nullopt;
  OpBuilder builder(message.getYield());
  for (Value *part : {&result->factor, &result->divisor, &result->source}) {
    if (!*part)
      continue;
    IRMapping mapping;
    mapping.map(op->getOperand(0), *part);
    *part = builder.clone(*op, mapping)->getResult(0);
  }
  return result;
}

std::optional<SeparatedValue> MessageSeparation::findParts(Value value) {
  SeparatedValue result;
  switch (ends.get(value)) {
  case Ends::src:
    result.source = value;
    return result;
  case Ends::dst:
  case Ends::none:
    result.factor = value;
    return result;
  case Ends::edge:
    break;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() != &message.getBody())
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<SeparatedValue>>(op)
      .Case([&](arith::MulFOp op) { return multiply(op); })
      .Case([&](arith::DivFOp op) { return divide(op); })
      .Case([&](arith::NegFOp op) { return negate(op); })
      .Case([&](mp::DotOp op) { return separateDot(op); })
      .Case<mp::BroadcastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp>([&](auto op) { return reshape(op); })
      .Default([](Operation *) { return std::nullopt; });
}

void MessageSeparation::eraseUnused() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(message.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}
