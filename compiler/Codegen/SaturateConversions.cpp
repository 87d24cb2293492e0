//===- SaturateConversions.cpp - Floats that no integer is near -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace clique {
#define GEN_PASS_DEF_SATURATECONVERSIONSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// 2^exponent, or infinity.
static APFloat getPower(Type type, int exponent) {
  return scalbn(APFloat::getOne(cast<FloatType>(type).getFloatSemantics()),
                exponent, APFloat::rmNearestTiesToEven);
}

static void saturate(Operation *op, bool isSigned) {
  Location loc = op->getLoc();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value x = op->getOperand(0), result = op->getResult(0);
  Type from = getElementTypeOrSelf(x);
  const unsigned bits = getElementTypeOrSelf(result).getIntOrFloatBitWidth();
  const APFloat past = getPower(from, isSigned ? int(bits) - 1 : int(bits));
  const APFloat least =
      isSigned ? -past : APFloat::getZero(past.getSemantics());

  Operation *first = nullptr;
  Value current = result;
  auto replace = [&](arith::CmpFPredicate predicate, Value bound,
                     const APInt &number) {
    Value isBeyond = arith::CmpFOp::create(builder, loc, predicate, x, bound);
    Value constant =
        createScalarOrSplatConstant(builder, loc, result.getType(), number);
    current =
        arith::SelectOp::create(builder, loc, isBeyond, constant, current);
    if (!first)
      first = current.getDefiningOp();
  };
  auto makeBound = [&](const APFloat &number) {
    return createScalarOrSplatConstant(builder, loc, x.getType(), number);
  };
  replace(arith::CmpFPredicate::OLE, makeBound(least),
          isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0));
  replace(arith::CmpFPredicate::OGE, makeBound(past),
          isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
  replace(arith::CmpFPredicate::UNO, x, APInt(bits, 0));
  result.replaceAllUsesExcept(current, first);
}

namespace {
struct SaturateConversions
    : public clique::impl::SaturateConversionsPassBase<SaturateConversions> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
        saturate(op, isa<arith::FPToSIOp>(op));
    });
  }
};
} // namespace
