//===- ScoreTerms.cpp - Terms of scores that a softmax takes out ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/ScoreTerms.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Memo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

namespace {
class ScoreSplitter {
public:
  explicit ScoreSplitter(mp::MessageOp message)
      : ends(message),
        builder(OpBuilder::atBlockTerminator(&message.getBody().front())) {}

  std::optional<SplitScore> run(Value score);

private:
  /// t_i and r_ij, either of which may be null.
  struct Parts {
    Value term, rest;
  };
  Parts split(Value value) {
    return known.get(value, [&] { return findParts(value); });
  }
  Parts findParts(Value value);
  Parts splitSum(Operation *op);
  /// A linear function of one operand, which is applied to both parts.
  Parts splitOperand(Operation *op, unsigned index);
  SplitScore makeGuard(Value rest, Value term);

  EndpointDependence ends;
  OpBuilder builder;
  Memo<Parts> known;
};
} // namespace

ScoreSplitter::Parts ScoreSplitter::splitSum(Operation *op) {
  Parts lhs = split(op->getOperand(0)), rhs = split(op->getOperand(1));
  const bool isDifference = isa<arith::SubFOp>(op);
  auto join = [&](Value a, Value b) -> Value {
    Location loc = op->getLoc();
    if (!b)
      return a;
    if (!a)
      return isDifference ? arith::NegFOp::create(builder, loc, b).getResult()
                          : b;
    return isDifference ? arith::SubFOp::create(builder, loc, a, b).getResult()
                        : arith::AddFOp::create(builder, loc, a, b).getResult();
  };
  if (!lhs.term && !rhs.term)
    return {{}, op->getResult(0)};
  return {join(lhs.term, rhs.term), join(lhs.rest, rhs.rest)};
}

ScoreSplitter::Parts ScoreSplitter::splitOperand(Operation *op,
                                                 unsigned index) {
  Parts parts = split(op->getOperand(index));
  if (!parts.term || !parts.rest)
    return {{}, op->getResult(0)};
  auto apply = [&](Value part) {
    Operation *own = builder.clone(*op);
    own->setOperand(index, part);
    return own->getResult(0);
  };
  return {apply(parts.term), apply(parts.rest)};
}

ScoreSplitter::Parts ScoreSplitter::findParts(Value value) {
  if (ends.get(value) == Ends::dst)
    return {value, {}};
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op))
    return splitSum(op);
  if (isa_and_nonnull<mp::BroadcastOp, arith::NegFOp>(op))
    return splitOperand(op, 0);
  if (isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op)) {
    if (ends.get(op->getOperand(1)) == Ends::none)
      return splitOperand(op, 0);
    if (isa<arith::MulFOp>(op) && ends.get(op->getOperand(0)) == Ends::none)
      return splitOperand(op, 1);
  }
  return {{}, value};
}

SplitScore ScoreSplitter::makeGuard(Value rest, Value term) {
  Location loc = term.getLoc();
  auto type = cast<RankedTensorType>(term.getType());
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, builder.getFloatAttr(type.getElementType(), number)));
  };
  // Of what is no number the difference is NaN.
  Value none = arith::SubFOp::create(builder, loc, term, term);
  Value one = arith::AddFOp::create(builder, loc, constant(1), none);
  Value isLowest =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, term,
                            constant(-std::numeric_limits<double>::infinity()));
  Value guard =
      arith::SelectOp::create(builder, loc, isLowest, constant(0), one);
  return {rest, guard, isLowest};
}

std::optional<SplitScore> ScoreSplitter::run(Value score) {
  Parts parts = split(score);
  if (!parts.term || !parts.rest)
    return std::nullopt;
  return makeGuard(parts.rest, parts.term);
}

std::optional<SplitScore> clique::splitScore(mp::MessageOp message,
                                             Value score) {
  return ScoreSplitter(message).run(score);
}
