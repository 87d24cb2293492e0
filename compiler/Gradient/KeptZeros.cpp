//===- KeptZeros.cpp - Cotangents of what selects take out ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are followed within a region, and through updates of one op, which is
// what arithmetic on whole tensors is, or of arithmetic that was in the region.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/KeptZeros.h"
#include "compiler/Gradient/Activity.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

bool gradient::hasFiniteSlopes(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::SelectOp, arith::ExtFOp, arith::TruncFOp, math::AbsFOp,
             mp::ReluOp, mp::LeakyReluOp>(op);
}

/// Ops that have no slope for some finite operands: such values may be taken
/// out, as in select(x > 0, sqrt(x), 0).
static bool hasPoles(Operation *op) {
  if (auto power = dyn_cast<math::FPowIOp>(op)) {
    DenseIntElementsAttr exponents;
    return !matchPattern(power.getRhs(), m_Constant(&exponents)) ||
           llvm::any_of(exponents, [](const APInt &n) { return n.slt(0); });
  }
  return isa<arith::DivFOp, arith::RemFOp, math::AcosOp, math::AcoshOp,
             math::AsinOp, math::Atan2Op, math::AtanhOp, math::LogOp,
             math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
             math::RsqrtOp, math::SqrtOp>(op);
}

/// Whether its result may be infinite for finite operands.
static bool makesInfinities(Operation *op) {
  // A scale is no pole.
  DenseFPElementsAttr divisors;
  if (auto division = dyn_cast<arith::DivFOp>(op);
      division && matchPattern(division.getRhs(), m_Constant(&divisors)))
    return llvm::any_of(divisors, [](const APFloat &x) { return x.isZero(); });
  return hasPoles(op) || isa<math::CoshOp, math::ExpOp, math::Exp2Op,
                             math::ExpM1Op, math::SinhOp>(op);
}

static bool isInfiniteConstant(Value value) {
  DenseFPElementsAttr numbers;
  return matchPattern(value, m_Constant(&numbers)) &&
         llvm::any_of(numbers, [](const APFloat &x) { return !x.isFinite(); });
}

static bool isOneOp(mp::UpdateOp update) {
  return llvm::hasSingleElement(update.getBody().front().without_terminator());
}

/// Arithmetic alone, which a message may have had in its own region before it
/// was found to depend on one end of the edge (mp-hoist-endpoints).
static bool isArithmetic(mp::UpdateOp update) {
  return llvm::all_of(update.getBody().front(), [](Operation &op) {
    return OpTrait::hasElementwiseMappableTraits(&op) ||
           isa<mp::BroadcastOp, mp::YieldOp>(op) ||
           op.hasTrait<OpTrait::ConstantLike>();
  });
}

/// What a region gets as this argument, if an update made it.
static OpResult getUpdated(BlockArgument arg) {
  Operation *parent = arg.getOwner()->getParentOp();
  Value given;
  if (auto update = dyn_cast<mp::UpdateOp>(parent))
    given = update.getNodes()[arg.getArgNumber()];
  else if (auto message = dyn_cast<mp::MessageOp>(parent))
    // The graph is operand 0.
    given = message->getOperand(arg.getArgNumber() + 1);
  if (!given || !given.getDefiningOp<mp::UpdateOp>())
    return {};
  return cast<OpResult>(given);
}

bool KeptZeros::isTakenOut(Value value) {
  if (!isDifferentiable(value.getType()))
    return false;
  auto [it, isNew] = takenOut.try_emplace(value, false);
  if (!isNew)
    return it->second;
  auto isTaken = [&](Value next) { return isTakenOut(next); };
  bool found = llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::SelectOp>(user))
      return true;
    if (isa<mp::YieldOp>(user)) {
      auto update = dyn_cast<mp::UpdateOp>(user->getParentOp());
      return update && isOneOp(update) &&
             isTakenOut(update.getResult(use.getOperandNumber()));
    }
    if (auto update = dyn_cast<mp::UpdateOp>(user))
      return isOneOp(update) &&
             isTakenOut(update.getBody().getArgument(use.getOperandNumber()));
    return user->getNumRegions() == 0 &&
           user->getBlock() == value.getParentBlock() &&
           llvm::any_of(user->getResults(), isTaken);
  });
  return takenOut[value] = found;
}

bool KeptZeros::mayBeInfinite(Value value) {
  if (!isDifferentiable(value.getType()))
    return false;
  auto [it, isNew] = infinite.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool found = false;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (OpResult made = getUpdated(arg)) {
      auto update = cast<mp::UpdateOp>(made.getOwner());
      Value own = update.getYield().getOperand(made.getResultNumber());
      Value number = own;
      while (auto repeated = number.getDefiningOp<mp::BroadcastOp>())
        number = repeated.getX();
      Operation *op = number.getDefiningOp();
      found = (op && makesInfinities(op)) ||
              ((isOneOp(update) || isArithmetic(update)) && mayBeInfinite(own));
    }
  } else {
    Operation *op = value.getDefiningOp();
    // After a select numbers are finite, but for those that it puts in.
    const bool isSelect = isa<arith::SelectOp>(op);
    found = makesInfinities(op) ||
            llvm::any_of(op->getOperands(), [&](Value operand) {
              return isInfiniteConstant(operand) ||
                     (!isSelect && operand.getParentBlock() == op->getBlock() &&
                      mayBeInfinite(operand));
            });
  }
  return infinite[value] = found;
}

bool KeptZeros::isBeforeSelect(Operation *op) {
  Value result = op->getResult(0);
  return !hasFiniteSlopes(op) && mayBeInfinite(result) && isTakenOut(result);
}

bool KeptZeros::isNeeded(Operation *op) {
  return hasPoles(op) || isBeforeSelect(op);
}
