//===- MaskBounds.cpp - Blocks of pairs that a mask takes out -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/MaskBounds.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/SummedFeatures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;
using Predicate = arith::CmpIPredicate;

namespace {
/// The least and the largest number that an i32 can be; i64, so that sums of
/// bounds do not wrap.
struct Interval {
  Value low, high;
};

/// Whether a condition may be true, and false; null where nothing is known,
/// and it may.
struct Truth {
  Value yes, no;
};

class MaskBounds {
public:
  MaskBounds(BlockFunction &function, mp::MessageOp message, NodeRange dst,
             NodeRange src)
      : function(function), b(function.getBuilder()), loc(function.getLoc()),
        message(message), dst(dst), src(src),
        ends(message, /*knowsPositions=*/true) {}

  /// Whether a score may be above -inf; null if nothing is known.
  Value emitMayCount(Value score);

private:
  /// What many ops read is computed once.
  Truth getTruth(Value condition);
  Truth computeTruth(Value condition);
  Truth getComparison(arith::CmpIOp op);
  std::optional<Interval> getRange(Value value);
  std::optional<Interval> computeRange(Value value);
  std::optional<Interval> getRange(mp::PositionOp op);
  Interval getProduct(Interval lhs, Interval rhs);
  /// What is the same for all edges, as a scalar; null if it is not.
  Value getUniform(Value value);
  /// All numbers, if the operation may have wrapped around.
  Interval unlessWrapped(Interval range);

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  }
  template <typename OpTy>
  Value create(Value lhs, Value rhs) {
    return OpTy::create(b, loc, lhs, rhs);
  }
  Value compare(Predicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  Value negate(Value value) {
    return create<arith::SubIOp>(constant(0), value);
  }
  /// Of two conditions; the other one where one is not known.
  Value bothOf(Value lhs, Value rhs) {
    return lhs && rhs ? create<arith::AndIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  /// Of two conditions; not known where one is not.
  Value eitherOf(Value lhs, Value rhs) {
    return lhs && rhs ? create<arith::OrIOp>(lhs, rhs) : Value();
  }

  BlockFunction &function;
  OpBuilder &b;
  Location loc;
  mp::MessageOp message;
  NodeRange dst, src;
  EndpointDependence ends;
  llvm::DenseMap<Value, Truth> truths;
  llvm::DenseMap<Value, std::optional<Interval>> ranges;
};
} // namespace

Value MaskBounds::getUniform(Value value) {
  if (ends.get(value) != Ends::none)
    return {};
  Lifter lifter(b, 0, 0, {}, {});
  if (failed(function.mapCaptures(lifter)))
    return {};
  FailureOr<Lifted> lifted = lifter.lift(message.getBody().front(), value);
  if (failed(lifted) || lifted->getType().getRank() != 0)
    return {};
  return tensor::ExtractOp::create(b, loc, lifted->tensor, ValueRange());
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Interval MaskBounds::unlessWrapped(Interval range) {
  Value least = constant(std::numeric_limits<int32_t>::min());
  Value most = constant(std::numeric_limits<int32_t>::max());
  Value fits = bothOf(compare(Predicate::sge, range.low, least),
                      compare(Predicate::sle, range.high, most));
  return {arith::SelectOp::create(b, loc, fits, range.low, least),
          arith::SelectOp::create(b, loc, fits, range.high, most)};
}

Interval MaskBounds::getProduct(Interval lhs, Interval rhs) {
  Interval result;
  for (Value x : {lhs.low, lhs.high})
    for (Value y : {rhs.low, rhs.high}) {
      Value product = create<arith::MulIOp>(x, y);
      result.low =
          result.low ? create<arith::MinSIOp>(result.low, product) : product;
      result.high =
          result.high ? create<arith::MaxSIOp>(result.high, product) : product;
    }
  return unlessWrapped(result);
}

std::optional<Interval> MaskBounds::getRange(mp::PositionOp op) {
  if (op.getEndpoint() == mp::Endpoint::edge)
    return std::nullopt;
  NodeRange nodes = op.getEndpoint() == mp::Endpoint::dst ? dst : src;
  auto number = [&](Value node) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), node);
  };
  return unlessWrapped({number(nodes.first), number(nodes.last)});
}

std::optional<Interval> MaskBounds::getRange(Value value) {
  auto it = ranges.find(value);
  if (it != ranges.end())
    return it->second;
  std::optional<Interval> range = computeRange(value);
  ranges[value] = range;
  return range;
}

std::optional<Interval> MaskBounds::computeRange(Value value) {
  if (!getElementTypeOrSelf(value).isInteger(32))
    return std::nullopt;
  if (Value uniform = getUniform(value)) {
    Value number = arith::ExtSIOp::create(b, loc, b.getI64Type(), uniform);
    return Interval{number, number};
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto position = dyn_cast<mp::PositionOp>(op))
    return getRange(position);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
           arith::MaxSIOp, arith::RemSIOp, math::AbsIOp, mp::BroadcastOp>(op))
    return std::nullopt;
  std::optional<Interval> x = getRange(op->getOperand(0));
  if (!x || isa<mp::BroadcastOp>(op))
    return x;
  Value zero = constant(0);
  if (isa<math::AbsIOp>(op)) {
    Value low = create<arith::MaxSIOp>(x->low, negate(x->high));
    return unlessWrapped({create<arith::MaxSIOp>(low, zero),
                          create<arith::MaxSIOp>(x->high, negate(x->low))});
  }
  // As far from 0 as the dividend, at most, and on its side.
  if (isa<arith::RemSIOp>(op))
    return Interval{create<arith::MinSIOp>(x->low, zero),
                    create<arith::MaxSIOp>(x->high, zero)};
  std::optional<Interval> y = getRange(op->getOperand(1));
  if (!y)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case<arith::AddIOp>([&](auto) {
        return unlessWrapped({create<arith::AddIOp>(x->low, y->low),
                              create<arith::AddIOp>(x->high, y->high)});
      })
      .Case<arith::SubIOp>([&](auto) {
        return unlessWrapped({create<arith::SubIOp>(x->low, y->high),
                              create<arith::SubIOp>(x->high, y->low)});
      })
      .Case<arith::MinSIOp>([&](auto) {
        return Interval{create<arith::MinSIOp>(x->low, y->low),
                        create<arith::MinSIOp>(x->high, y->high)};
      })
      .Case<arith::MaxSIOp>([&](auto) {
        return Interval{create<arith::MaxSIOp>(x->low, y->low),
                        create<arith::MaxSIOp>(x->high, y->high)};
      })
      .Default([&](auto) { return getProduct(*x, *y); });
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Truth MaskBounds::getComparison(arith::CmpIOp op) {
  std::optional<Interval> x = getRange(op.getLhs()), y = getRange(op.getRhs());
  if (!x || !y)
    return {};
  // x < y, or x <= y
  auto isLess = [&](Predicate predicate, Predicate opposite, Interval x,
                    Interval y) -> Truth {
    return {compare(predicate, x.low, y.high),
            compare(opposite, x.high, y.low)};
  };
  switch (op.getPredicate()) {
  case Predicate::slt:
    return isLess(Predicate::slt, Predicate::sge, *x, *y);
  case Predicate::sle:
    return isLess(Predicate::sle, Predicate::sgt, *x, *y);
  case Predicate::sgt:
    return isLess(Predicate::slt, Predicate::sge, *y, *x);
  case Predicate::sge:
    return isLess(Predicate::sle, Predicate::sgt, *y, *x);
  case Predicate::eq:
  case Predicate::ne: {
    Value meet = bothOf(compare(Predicate::sle, x->low, y->high),
                        compare(Predicate::sle, y->low, x->high));
    return op.getPredicate() == Predicate::eq ? Truth{meet, {}}
                                              : Truth{{}, meet};
  }
  default:
    return {};
  }
}

Truth MaskBounds::getTruth(Value condition) {
  auto it = truths.find(condition);
  if (it != truths.end())
    return it->second;
  Truth truth = computeTruth(condition);
  truths[condition] = truth;
  return truth;
}

Truth MaskBounds::computeTruth(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return {};
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return getComparison(comparison);
  if (isa<mp::BroadcastOp>(op))
    return getTruth(op->getOperand(0));
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return {};
  Truth x = getTruth(op->getOperand(0));
  if (isa<arith::XOrIOp>(op))
    return matchPattern(op->getOperand(1), m_One()) ? Truth{x.no, x.yes}
                                                    : Truth();
  Truth y = getTruth(op->getOperand(1));
  if (isa<arith::AndIOp>(op))
    return {bothOf(x.yes, y.yes), eitherOf(x.no, y.no)};
  return {eitherOf(x.yes, y.yes), bothOf(x.no, y.no)};
}

Value MaskBounds::emitMayCount(Value score) {
  auto choice = score.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return {};
  auto isOut = [](Value value) { return matchPattern(value, m_NegInfFloat()); };
  if (isOut(choice.getFalseValue()))
    return bothOf(getTruth(choice.getCondition()).yes,
                  emitMayCount(choice.getTrueValue()));
  if (isOut(choice.getTrueValue()))
    return bothOf(getTruth(choice.getCondition()).no,
                  emitMayCount(choice.getFalseValue()));
  return {};
}

/// What a message yields as `edges`; null if none of its results is.
static Value getYielded(Value edges) {
  auto message = edges ? edges.getDefiningOp<mp::MessageOp>() : mp::MessageOp();
  return message ? message.getYield().getOperand(
                       cast<OpResult>(edges).getResultNumber())
                 : Value();
}

std::optional<SmallVector<BlockArgument>>
clique::getMaskedFeatures(const KernelInfo &info) {
  // What is stored of edges, or summed by source, has all of them.
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (llvm::is_contained(info.kernel.getYield().getValues(), result))
        return std::nullopt;
  if (!info.sourceSums.empty() || info.aggregates.empty())
    return std::nullopt;
  SmallVector<BlockArgument> features;
  for (mp::AggregateOp op : info.aggregates) {
    // No score, and every edge counts.
    Value score = getYielded(op.getScore());
    if (!score || !score.getDefiningOp<arith::SelectOp>())
      return std::nullopt;
    for (Value edges : op.getValues()) {
      if (!isSourceFeature(edges))
        return std::nullopt;
      features.push_back(cast<BlockArgument>(getYielded(edges)));
    }
  }
  return features;
}

Value clique::emitMayCount(BlockFunction &function, NodeRange dst,
                           NodeRange src) {
  OpBuilder &b = function.getBuilder();
  Value any;
  for (mp::AggregateOp op : function.getInfo().aggregates) {
    auto message = op.getScore().getDefiningOp<mp::MessageOp>();
    Value mayCount = MaskBounds(function, message, dst, src)
                         .emitMayCount(getYielded(op.getScore()));
    if (!mayCount)
      return {};
    any = any ? arith::OrIOp::create(b, function.getLoc(), any, mayCount)
              : mayCount;
  }
  return any;
}
