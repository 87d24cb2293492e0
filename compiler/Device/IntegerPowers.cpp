//===- IntegerPowers.cpp - Powers of integers as products -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By squares of the base, one for each bit of the exponent. One below 0 is a
// quotient, which is 0 unless the base is 1 or -1, and by 0 as well.
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/IntegerPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

/// How many bits of the exponent may be set.
static int64_t countBits(Value exponent) {
  APInt number;
  if (matchPattern(exponent, m_ConstantInt(&number)))
    return number.abs().getActiveBits();
  return getElementTypeOrSelf(exponent.getType()).getIntOrFloatBitWidth();
}

namespace {
struct ExpandIntegerPower : public OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    Value base = op.getLhs(), exponent = op.getRhs();
    auto splat = [&](int64_t number) -> Value {
      TypedAttr all =
          rewriter.getIntegerAttr(getElementTypeOrSelf(type), number);
      if (auto vector = dyn_cast<ShapedType>(type))
        all = DenseElementsAttr::get(vector, Attribute(all));
      return arith::ConstantOp::create(rewriter, loc, all);
    };
    auto compare = [&](OpBuilder &b, CmpIPredicate predicate, Value x,
                       Value y) -> Value {
      return arith::CmpIOp::create(b, loc, predicate, x, y);
    };
    auto select = [&](OpBuilder &b, Value condition, Value x,
                      Value y) -> Value {
      return arith::SelectOp::create(b, loc, condition, x, y);
    };
    Value zero = splat(0), one = splat(1);
    Value isNegative = compare(rewriter, CmpIPredicate::slt, exponent, zero);
    Value opposite = arith::SubIOp::create(rewriter, loc, zero, exponent);
    Value magnitude = select(rewriter, isNegative, opposite, exponent);

    auto index = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, number);
    };
    auto powers = scf::ForOp::create(
        rewriter, loc, index(0), index(countBits(exponent)), index(1),
        ValueRange{one, base, magnitude},
        [&](OpBuilder &b, Location loc, Value, ValueRange carried) {
          Value power = carried[0], factor = carried[1], left = carried[2];
          Value last = arith::AndIOp::create(b, loc, left, one);
          Value isOdd = compare(b, CmpIPredicate::ne, last, zero);
          Value product = arith::MulIOp::create(b, loc, power, factor);
          Value square = arith::MulIOp::create(b, loc, factor, factor);
          Value rest = arith::ShRUIOp::create(b, loc, left, one);
          scf::YieldOp::create(
              b, loc,
              ValueRange{select(b, isOdd, product, power), square, rest});
        });
    Value power = powers.getResult(0);

    Value isOne = compare(rewriter, CmpIPredicate::eq, base, one);
    Value isOpposite = compare(rewriter, CmpIPredicate::eq, base, splat(-1));
    Value isUnit = arith::OrIOp::create(rewriter, loc, isOne, isOpposite);
    Value otherwise = select(rewriter, isNegative, zero, power);
    rewriter.replaceOp(op, select(rewriter, isUnit, power, otherwise));
    return success();
  }
};
} // namespace

void clique::populateIntegerPowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandIntegerPower>(patterns.getContext());
}
