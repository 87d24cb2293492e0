//===- UnitVectors.cpp - Vectors that were divided by their norm ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/UnitVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace clique;

Value clique::getSameElements(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (!isa_and_nonnull<mp::MessageOp, mp::UpdateOp>(owner))
      return {};
    unsigned first =
        owner->getNumOperands() - arg.getOwner()->getNumArguments();
    return owner->getOperand(first + arg.getArgNumber());
  }
  Operation *op = value.getDefiningOp();
  if (!isa<mp::MessageOp, mp::UpdateOp, mp::KernelOp>(op))
    return {};
  return op->getRegion(0).front().getTerminator()->getOperand(
      cast<OpResult>(value).getResultNumber());
}

namespace {
/// A value, and the message's operands that it is a row of: two ends have
/// different rows of one feature.
struct Origin {
  Value value;
  std::optional<mp::Endpoint> end;

  bool operator==(const Origin &other) const {
    return value == other.value && end == other.end;
  }
};
} // namespace

/// Where a value was computed; values of other messages are not followed.
static Origin trace(Origin origin) {
  while (Value same = getSameElements(origin.value)) {
    if (isa<mp::EdgesType>(same.getType()))
      break;
    auto arg = dyn_cast<BlockArgument>(origin.value);
    if (auto message =
            arg ? dyn_cast<mp::MessageOp>(arg.getOwner()->getParentOp())
                : mp::MessageOp())
      origin.end = llvm::is_contained(message.getDstArgs(), arg)
                       ? mp::Endpoint::dst
                       : mp::Endpoint::src;
    origin.value = same;
  }
  return origin;
}

template <typename Op>
static Op getOp(Origin &origin) {
  origin = trace(origin);
  return origin.value.getDefiningOp<Op>();
}

/// Whether the value is a constant none of whose elements is below 0.
static bool isNotNegative(Origin origin) {
  origin = trace(origin);
  DenseFPElementsAttr elements;
  return matchPattern(origin.value, m_Constant(&elements)) &&
         llvm::none_of(elements.getValues<APFloat>(), [](const APFloat &x) {
           return x.isNegative() || x.isNaN();
         });
}

/// Calls `test` for `origin`, or, where that is a sum or maximum with a
/// constant not below 0, for the other operand.
static bool testGrown(Origin origin, llvm::function_ref<bool(Origin)> test) {
  origin = trace(origin);
  Operation *op = origin.value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MaximumFOp>(op))
    return test(origin);
  for (unsigned index : {0, 1})
    if (isNotNegative({op->getOperand(1 - index), origin.end}))
      return test({op->getOperand(index), origin.end});
  return false;
}

/// x . x.
static bool isSquare(Origin origin, const Origin &x) {
  auto dot = getOp<mp::DotOp>(origin);
  return dot && trace({dot.getLhs(), origin.end}) == x &&
         trace({dot.getRhs(), origin.end}) == x;
}

/// The value that is repeated for each element of a vector.
static std::optional<Origin> getRepeated(Origin origin) {
  auto broadcast = getOp<mp::BroadcastOp>(origin);
  if (!broadcast)
    return std::nullopt;
  auto type = cast<RankedTensorType>(broadcast.getType());
  if (broadcast.getNewDims() != SmallVector<int64_t>{type.getRank() - 1})
    return std::nullopt;
  return Origin{broadcast.getX(), origin.end};
}

/// Whether `divisor` is at least |x|.
static bool isNorm(Origin divisor, const Origin &x) {
  std::optional<Origin> repeated = getRepeated(divisor);
  return repeated && testGrown(*repeated, [&](Origin origin) {
           auto root = getOp<math::SqrtOp>(origin);
           return root && testGrown({root.getOperand(), origin.end},
                                    [&](Origin y) { return isSquare(y, x); });
         });
}

/// Whether `factor` is at most 1 / |x|.
static bool isInverseNorm(Origin factor, const Origin &x) {
  std::optional<Origin> repeated = getRepeated(factor);
  if (!repeated)
    return false;
  auto root = getOp<math::RsqrtOp>(*repeated);
  return root && testGrown({root.getOperand(), repeated->end},
                           [&](Origin y) { return isSquare(y, x); });
}

static bool isUnit(Value value) {
  Origin origin = {value, std::nullopt};
  if (auto quotient = getOp<arith::DivFOp>(origin))
    return isNorm({quotient.getRhs(), origin.end},
                  trace({quotient.getLhs(), origin.end}));
  auto product = getOp<arith::MulFOp>(origin);
  if (!product)
    return false;
  Origin lhs = {product.getLhs(), origin.end};
  Origin rhs = {product.getRhs(), origin.end};
  return isInverseNorm(lhs, trace(rhs)) || isInverseNorm(rhs, trace(lhs));
}

bool clique::isCosine(mp::DotOp op) {
  return isUnit(op.getLhs()) && isUnit(op.getRhs());
}
