//===- Logarithms.cpp - log(1 + x) as a polynomial ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/MathFormula.h"

using namespace mlir;
using namespace clique;
using Predicate = MathFormula::Predicate;

/// log(1 + x) of f32 within 2 ulp and without a quotient, which upstream's has:
///
///   u = 1 + x,  c = x - (u - 1)             (what the sum has lost)
///   u = 2^k m,  m in [sqrt(1/2), sqrt(2))
///   f = m - 1 + c 2^-k
///   log(1 + x) = k ln 2 + f - f^2 / 2 + f^3 p(f)    (ln 2 in two parts)
///
/// p of degree 8 is minimax for the relative error of log(1 + f) (8e-10). The
/// result has the sign of x. Of -1 it is -inf, below NaN.
static Value writeLog1p(const MathFormula &f, math::Log1pOp op) {
  constexpr int32_t sqrtOfHalf = 0x3f3504f3, mantissaBits = 23, bias = 127;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Value x = op.getOperand();
  Value one = f.number(1);
  Value u = f.add(x, one);
  Value lost = f.subtract(x, f.subtract(u, one));

  Value bits = f.make<arith::BitcastOp>(f.getIntegerType(), u);
  bits = f.make<arith::SubIOp>(bits, f.integer(sqrtOfHalf));
  Value exponent = f.make<arith::ShRSIOp>(bits, f.integer(mantissaBits));
  Value mantissa =
      f.make<arith::AndIOp>(bits, f.integer((1 << mantissaBits) - 1));
  mantissa = f.make<arith::AddIOp>(mantissa, f.integer(sqrtOfHalf));
  Value m = f.make<arith::BitcastOp>(x.getType(), mantissa);
  // 2^-k, 0 where it is less than normal: nothing was lost there.
  Value scale = f.make<arith::SubIOp>(f.integer(bias), exponent);
  scale = f.make<arith::ShLIOp>(scale, f.integer(mantissaBits));
  scale = f.make<arith::MaxSIOp>(scale, f.integer(0));
  scale = f.make<arith::BitcastOp>(x.getType(), scale);

  Value part = f.fma(lost, scale, f.subtract(m, one));
  Value square = f.multiply(part, part);
  Value p = f.polynomial(
      part, {0.0674663856625557f, -0.11675651371479034f, 0.11888162791728973f,
             -0.1240558922290802f, 0.14219552278518677f, -0.1666799634695053f,
             0.2000211924314499f, -0.25000008940696716f, 0.3333331346511841f});
  Value k = f.make<arith::SIToFPOp>(x.getType(), exponent);
  Value result =
      f.fma(f.multiply(part, square), p, f.multiply(square, f.number(-0.5f)));
  result = f.fma(k, f.number(-2.12194440e-4f), result);
  result = f.add(result, part);
  result = f.fma(k, f.number(0.693359375f), result);
  result = f.copySign(result, x);

  // Infinity and NaN stay.
  Value isAbove = f.compare(Predicate::OGT, x, -1);
  Value isFinite = f.compare(Predicate::OLT, x, infinity);
  Value nan = f.number(std::numeric_limits<float>::quiet_NaN());
  Value below =
      f.select(f.compare(Predicate::OEQ, x, -1), f.number(-infinity), nan);
  return f.select(isAbove, f.select(isFinite, result, x), below);
}

void clique::populateLogarithmPatterns(RewritePatternSet &patterns,
                                       PatternBenefit benefit) {
  addFormula(patterns, writeLog1p, benefit);
}
