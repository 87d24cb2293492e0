//===- EndpointMask.cpp - Predicates on the ends of an edge ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of sums of positions and constants, and their conjunctions, as an
// interval of differences; comparisons of a number of both ends.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/EndpointMask.h"
#include "compiler/Analysis/Memo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;

EndpointMask EndpointMask::operator&(const EndpointMask &other) const {
  EndpointMask both{std::max(least, other.least), std::min(most, other.most),
                    noSelf || other.noSelf, segments};
  for (Value numbers : other.segments)
    if (!llvm::is_contained(both.segments, numbers))
      both.segments.push_back(numbers);
  // The bound says it already.
  if (both.noSelf && (both.least > 0 || both.most < 0))
    both.noSelf = false;
  if (both.noSelf && both.least == 0) {
    both.least = 1;
    both.noSelf = false;
  }
  if (both.noSelf && both.most == 0) {
    both.most = -1;
    both.noSelf = false;
  }
  return both;
}

namespace {
/// dst * i + src * j + constant, without overflow in 32 bits.
struct LinearForm {
  int64_t dst = 0, src = 0, constant = 0;
};
} // namespace

/// Positions are below 2^31; so are their differences, and no constant takes
/// them beyond.
constexpr int64_t kLargestConstant = int64_t(1) << 29;

static std::optional<int64_t> getSplat(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  int64_t number = elements.getSplatValue<APInt>().getSExtValue();
  // The least number has no absolute value.
  if (number < -kLargestConstant || number > kLargestConstant)
    return std::nullopt;
  return number;
}

using LinearForms = Memo<std::optional<LinearForm>>;

/// One end, or the difference of both, and a constant.
static std::optional<LinearForm> matchLinear(Value value, LinearForms &known) {
  if (std::optional<int64_t> number = getSplat(value))
    return LinearForm{0, 0, *number};
  Operation *op = value.getDefiningOp();
  if (auto position = dyn_cast_or_null<mp::PositionOp>(op)) {
    if (position.getEndpoint() == mp::Endpoint::dst)
      return LinearForm{1, 0, 0};
    if (position.getEndpoint() == mp::Endpoint::src)
      return LinearForm{0, 1, 0};
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto match = [&](Value operand) {
    return known.get(operand, [&] { return matchLinear(operand, known); });
  };
  auto lhs = match(op->getOperand(0)), rhs = match(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  const int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
  LinearForm sum{lhs->dst + sign * rhs->dst, lhs->src + sign * rhs->src,
                 lhs->constant + sign * rhs->constant};
  // i + j, or 2 i, may be beyond 32 bits; so may i - j and a large constant.
  if (std::abs(sum.dst) > 1 || std::abs(sum.src) > 1 ||
      (sum.dst != 0 && sum.dst == sum.src) ||
      std::abs(sum.constant) > kLargestConstant)
    return std::nullopt;
  return sum;
}

static std::optional<LinearForm> matchLinear(Value value) {
  LinearForms known;
  return matchLinear(value, known);
}

/// sign * (i - j) >= bound.
static EndpointMask atLeast(int64_t sign, int64_t bound) {
  EndpointMask mask;
  if (sign > 0)
    mask.least = bound;
  else
    mask.most = -bound;
  return mask;
}

/// a - b >= 0, where it is about i - j.
static std::optional<EndpointMask>
matchOrder(const LinearForm &a, const LinearForm &b, int64_t gap) {
  const int64_t dst = a.dst - b.dst, src = a.src - b.src;
  if (dst != -src || std::abs(dst) != 1)
    return std::nullopt;
  return atLeast(dst, gap - (a.constant - b.constant));
}

/// abs(x) <= bound.
static std::optional<EndpointMask> matchDistance(Value x, int64_t bound) {
  auto form = matchLinear(x);
  if (!form)
    return std::nullopt;
  LinearForm limit{0, 0, bound}, negated{0, 0, -bound};
  auto above = matchOrder(limit, *form, 0),
       below = matchOrder(*form, negated, 0);
  if (!above || !below)
    return std::nullopt;
  return *above & *below;
}

/// The node feature that is an argument of a message's region for one end.
static Value getNodes(Value value, mp::Endpoint end) {
  auto arg = dyn_cast<BlockArgument>(value);
  auto message =
      arg ? dyn_cast<mp::MessageOp>(arg.getOwner()->getParentOp()) : nullptr;
  if (!message)
    return {};
  const bool isDst = end == mp::Endpoint::dst;
  for (auto [nodes, own] :
       llvm::zip_equal(isDst ? message.getDst() : message.getSrc(),
                       isDst ? message.getDstArgs() : message.getSrcArgs()))
    if (own == arg)
      return nodes;
  return {};
}

/// An integer of each node, compared between both ends.
static std::optional<EndpointMask> matchSegments(Value lhs, Value rhs) {
  if (!getNodes(lhs, mp::Endpoint::dst))
    std::swap(lhs, rhs);
  Value nodes = getNodes(lhs, mp::Endpoint::dst);
  if (!nodes || nodes != getNodes(rhs, mp::Endpoint::src) ||
      cast<RankedTensorType>(nodes.getType()).getRank() != 1)
    return std::nullopt;
  EndpointMask mask;
  mask.segments.push_back(nodes);
  return mask;
}

static std::optional<EndpointMask> matchComparison(arith::CmpIOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (op.getPredicate() == arith::CmpIPredicate::eq)
    return matchSegments(lhs, rhs);
  arith::CmpIPredicate predicate = op.getPredicate();
  // a > b is b < a.
  if (predicate == arith::CmpIPredicate::sgt ||
      predicate == arith::CmpIPredicate::sge) {
    std::swap(lhs, rhs);
    predicate = predicate == arith::CmpIPredicate::sgt
                    ? arith::CmpIPredicate::slt
                    : arith::CmpIPredicate::sle;
  }
  const bool isOrder = predicate == arith::CmpIPredicate::slt ||
                       predicate == arith::CmpIPredicate::sle;
  const int64_t gap = predicate == arith::CmpIPredicate::slt ? 1 : 0;
  if (auto distance = lhs.getDefiningOp<math::AbsIOp>()) {
    std::optional<int64_t> bound = getSplat(rhs);
    if (!isOrder || !bound)
      return std::nullopt;
    return matchDistance(distance.getOperand(), *bound - gap);
  }
  auto left = matchLinear(lhs), right = matchLinear(rhs);
  if (!left || !right)
    return std::nullopt;
  if (isOrder)
    return matchOrder(*right, *left, gap);
  auto equal = matchOrder(*right, *left, 0);
  if (!equal || predicate != arith::CmpIPredicate::ne ||
      left->constant != right->constant)
    return std::nullopt;
  EndpointMask mask;
  mask.noSelf = true;
  return mask;
}

using Conditions = Memo<std::optional<EndpointMask>>;

/// The pairs for which the condition holds.
static std::optional<EndpointMask> matchCondition(Value condition,
                                                  Conditions &known) {
  auto match = [&](Value part) {
    return known.get(part, [&] { return matchCondition(part, known); });
  };
  Operation *op = condition.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<mp::BroadcastOp>(op))
    return match(broadcast.getX());
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    auto lhs = match(both.getLhs()), rhs = match(both.getRhs());
    if (!lhs || !rhs)
      return std::nullopt;
    return *lhs & *rhs;
  }
  if (auto comparison = dyn_cast_or_null<arith::CmpIOp>(op))
    return matchComparison(comparison);
  return std::nullopt;
}

static std::optional<EndpointMask> matchCondition(Value condition) {
  Conditions known;
  return matchCondition(condition, known);
}

static bool isSplat(Value value, double number) {
  if (auto broadcast = value.getDefiningOp<mp::BroadcastOp>())
    return isSplat(broadcast.getX(), number);
  DenseFPElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<APFloat>().convertToDouble() == number;
}

/// The condition's negation, of one comparison.
static std::optional<EndpointMask> matchNegated(Value condition) {
  while (auto broadcast = condition.getDefiningOp<mp::BroadcastOp>())
    condition = broadcast.getX();
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison)
    return std::nullopt;
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = comparison.getPredicate();
  if (predicate == Predicate::ne)
    return matchSegments(comparison.getLhs(), comparison.getRhs());
  auto left = matchLinear(comparison.getLhs()),
       right = matchLinear(comparison.getRhs());
  if (!left || !right)
    return std::nullopt;
  switch (predicate) {
  case Predicate::sgt: // !(a > b) is b >= a
    return matchOrder(*right, *left, 0);
  case Predicate::sge:
    return matchOrder(*right, *left, 1);
  case Predicate::slt:
    return matchOrder(*left, *right, 0);
  case Predicate::sle:
    return matchOrder(*left, *right, 1);
  default:
    return std::nullopt;
  }
}

/// select(c, x, neutral), or select(c, neutral, x).
static std::optional<MaskedValue> matchSelect(Value value, double neutral) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  if (isSplat(select.getFalseValue(), neutral)) {
    if (auto mask = matchCondition(select.getCondition()))
      return MaskedValue{select.getTrueValue(), *mask};
  } else if (isSplat(select.getTrueValue(), neutral)) {
    if (auto mask = matchNegated(select.getCondition()))
      return MaskedValue{select.getFalseValue(), *mask};
  }
  return std::nullopt;
}

/// A number that is 0 or 1 by a condition.
static std::optional<EndpointMask> matchIndicator(Value value) {
  if (auto number = value.getDefiningOp<arith::UIToFPOp>())
    return matchCondition(number.getIn());
  auto select = matchSelect(value, /*neutral=*/0);
  if (!select || !isSplat(select->value, 1))
    return std::nullopt;
  return select->mask;
}

/// x + select(c, 0, -inf), or x * select(c, 1, 0).
static std::optional<MaskedValue> matchTerm(Value value, double neutral) {
  Operation *op = value.getDefiningOp();
  const bool isProduct = neutral == 0;
  if (isProduct ? !isa_and_nonnull<arith::MulFOp>(op)
                : !isa_and_nonnull<arith::AddFOp>(op))
    return std::nullopt;
  for (unsigned index : {0, 1}) {
    Value term = op->getOperand(index);
    while (auto broadcast = term.getDefiningOp<mp::BroadcastOp>())
      term = broadcast.getX();
    std::optional<EndpointMask> mask;
    if (isProduct)
      mask = matchIndicator(term);
    else if (auto select = matchSelect(term, neutral))
      if (isSplat(select->value, 0))
        mask = select->mask;
    if (mask)
      return MaskedValue{op->getOperand(1 - index), *mask};
  }
  return std::nullopt;
}

std::optional<MaskedValue> clique::matchMask(Value value, double neutral) {
  auto match = [&](Value value) {
    auto found = matchSelect(value, neutral);
    return found ? found : matchTerm(value, neutral);
  };
  std::optional<MaskedValue> result = match(value);
  // One mask may be around another.
  while (result) {
    auto inner = match(result->value);
    if (!inner)
      break;
    result = MaskedValue{inner->value, result->mask & inner->mask};
  }
  return result;
}

bool clique::hasMask(Value value, double neutral) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select || !(isSplat(select.getTrueValue(), neutral) ||
                   isSplat(select.getFalseValue(), neutral)))
    return false;
  // A feature that is 0 by its own value, as that of a relu, is no mask.
  Value condition = select.getCondition();
  while (auto broadcast = condition.getDefiningOp<mp::BroadcastOp>())
    condition = broadcast.getX();
  return neutral != 0 || !condition.getDefiningOp<arith::CmpFOp>();
}
