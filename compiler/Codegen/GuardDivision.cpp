//===- GuardDivision.cpp - Integer division without traps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors trap on a division by 0 and on the least number divided by -1. The
// operands come from the caller, or are the zeros that fill a tile at a border.
// Shifts by as many bits as there are, or more, are poison to LLVM.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace clique {
#define GEN_PASS_DEF_GUARDDIVISIONPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static bool isQuotient(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static bool isSigned(Operation *op) {
  return !isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op);
}

static bool isHarmless(Value divisor) {
  APInt number;
  return matchPattern(divisor, m_ConstantInt(&number)) && !number.isZero() &&
         !number.isAllOnes();
}

/// An integer constant of a scalar or vector type; upstream's
/// createScalarOrSplatConstant takes no index.
static Value constantLike(OpBuilder &builder, Location loc, Type type,
                          int64_t number) {
  TypedAttr value = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

/// Divides by 1 in place of 0 and -1: that leaves the remainder 0, and the
/// quotient to be corrected.
static void guard(Operation *op) {
  Location loc = op->getLoc();
  OpBuilder builder(op);
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Value result = op->getResult(0);
  auto equals = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, divisor,
        constantLike(builder, loc, divisor.getType(), number));
  };
  Value one = constantLike(builder, loc, divisor.getType(), 1);
  Value isZero = equals(0), isMinusOne;
  Value safe = arith::SelectOp::create(builder, loc, isZero, one, divisor);
  if (isSigned(op)) {
    isMinusOne = equals(-1);
    safe = arith::SelectOp::create(builder, loc, isMinusOne, one, safe);
  }
  op->setOperand(1, safe);
  if (!isQuotient(op))
    return;

  builder.setInsertionPointAfter(op);
  Value zero = constantLike(builder, loc, result.getType(), 0);
  Value quotient = arith::SelectOp::create(builder, loc, isZero, zero, result);
  llvm::SmallPtrSet<Operation *, 2> own = {quotient.getDefiningOp()};
  if (isMinusOne) {
    Value negated = arith::SubIOp::create(builder, loc, zero, dividend);
    quotient =
        arith::SelectOp::create(builder, loc, isMinusOne, negated, quotient);
  }
  result.replaceAllUsesExcept(quotient, own);
}

/// A constant of the type of `like`, whatever its shape.
static Value splatLike(OpBuilder &builder, Location loc, Value like,
                       int64_t number) {
  auto tensor = dyn_cast<RankedTensorType>(like.getType());
  if (!tensor || tensor.hasStaticShape())
    return constantLike(builder, loc, like.getType(), number);
  Value scalar = constantLike(builder, loc, tensor.getElementType(), number);
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < tensor.getRank(); ++d)
    if (tensor.isDynamicDim(d))
      sizes.push_back(tensor::DimOp::create(builder, loc, like, d));
  return tensor::SplatOp::create(builder, loc, tensor, scalar, sizes);
}

/// Shifts by 0 in place of too many bits, and lets nothing of that number; of a
/// sign, all there is.
static void guardShift(Operation *op) {
  Location loc = op->getLoc();
  OpBuilder builder(op);
  Value amount = op->getOperand(1), result = op->getResult(0);
  Type element = getElementTypeOrSelf(result);
  const int64_t width = element.isIndex() ? IndexType::kInternalStorageBitWidth
                                          : element.getIntOrFloatBitWidth();
  if (APInt known;
      matchPattern(amount, m_ConstantInt(&known)) && known.ult(width))
    return;
  if (isa<arith::ShRSIOp>(op)) {
    Value last = splatLike(builder, loc, amount, width - 1);
    op->setOperand(1, arith::MinUIOp::create(builder, loc, amount, last));
    return;
  }
  Value zero = splatLike(builder, loc, amount, 0);
  Value isInside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, amount,
                            splatLike(builder, loc, amount, width));
  op->setOperand(1,
                 arith::SelectOp::create(builder, loc, isInside, amount, zero));
  builder.setInsertionPointAfter(op);
  auto shifted = arith::SelectOp::create(builder, loc, isInside, result, zero);
  result.replaceAllUsesExcept(shifted, shifted);
}

static bool isShift(Operation *op) {
  return isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
}

namespace {
struct GuardDivision
    : public clique::impl::GuardDivisionPassBase<GuardDivision> {
  using GuardDivisionPassBase::GuardDivisionPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!shifts && isWanted(op) && !isHarmless(op->getOperand(1)))
        guard(op);
      else if (shifts && isShift(op))
        guardShift(op);
    });
  }

private:
  bool isWanted(Operation *op) const {
    if (!floors)
      return isQuotient(op) || isa<arith::RemSIOp, arith::RemUIOp>(op);
    if (!isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return false;
    // Constants, too, have to be of a known shape.
    auto shaped = dyn_cast<ShapedType>(op->getResult(0).getType());
    return !shaped || shaped.hasStaticShape();
  }
};
} // namespace
