//===- Trigonometry.cpp - Sines, arcs and their like of f32 ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/MathFormula.h"

using namespace mlir;
using namespace clique;
using Predicate = MathFormula::Predicate;

/// sin(x) or cos(x) of f32, error about 1 ulp; upstream's loses all digits of
/// sin(x) for small x, and of both for large ones.
///
///   n = round(x 2 / pi), r = x - n pi / 2, |r| <= pi / 4   (f64, pi / 2 in two
///                                                           parts)
///   sin(r) = r + r^3 p(r^2),  cos(r) = 1 - r^2 / 2 + r^4 q(r^2)
///
/// of which n mod 4 says the one, and its sign. p and q are minimax for the
/// relative error (4e-9, 2e-10). Beyond 2^50 the result is some number between
/// -1 and 1; of infinity it is NaN, and NaN stays.
template <typename Op>
static Value writeSinOrCos(const MathFormula &f, Op op) {
  Value wide = f.widen(op.getOperand());
  auto number = [&](double value) { return f.wideNumber(wide, value); };
  Value n =
      f.make<math::RoundEvenOp>(f.multiply(wide, number(0.6366197723675814)));
  Value rest = f.fma(n, number(-1.5707963267948966), wide);
  rest = f.fma(n, number(-6.123233995736766e-17), rest);
  Value r = f.narrow(rest);
  // For large x, n has an error, and |r| exceeds pi / 4 a little.
  constexpr float most = 1;
  r = f.make<arith::MaximumFOp>(r, f.number(-most));
  r = f.make<arith::MinimumFOp>(r, f.number(most));

  // The quadrant, 0 to 3; cos(x) is sin(x + pi / 2).
  if (std::is_same_v<Op, math::CosOp>)
    n = f.add(n, number(1));
  Value turns = f.make<math::FloorOp>(f.multiply(n, number(0.25)));
  Value quadrant = f.narrow(f.fma(turns, number(-4), n));
  Value isCosine = f.make<arith::OrIOp>(f.compare(Predicate::OEQ, quadrant, 1),
                                        f.compare(Predicate::OEQ, quadrant, 3));
  Value isNegative = f.compare(Predicate::OGE, quadrant, 2);

  Value square = f.multiply(r, r);
  Value sine = f.fma(
      f.multiply(r, square),
      f.polynomial(square, {-1.951519606e-4f, 0.008332160140f, -0.1666665460f}),
      r);
  Value cosine = f.polynomial(
      square, {2.443305503e-5f, -0.001388731538f, 0.04166664565f, -0.5f, 1});
  Value size = f.select(isCosine, cosine, sine);
  Value result = f.select(isNegative, f.make<arith::NegFOp>(size), size);
  if (std::is_same_v<Op, math::CosOp>)
    return result;
  // Of -0, too.
  return f.select(f.compare(Predicate::OEQ, op.getOperand(), 0),
                  op.getOperand(), result);
}

namespace {
/// pi / 2 as a sum of two numbers; twice and half of them are exact, too.
constexpr float kHigh = 1.57079637f, kLow = -4.37113883e-8f;
} // namespace

/// The arc tangent of |x| is that of -1 / |x| and pi / 2 above tan(3 pi / 8),
/// that of (|x| - 1) / (|x| + 1) and pi / 4 above tan(pi / 8), where a
/// polynomial begins (Moshier: Methods and Programs for Mathematical Functions,
/// 1989). About 2 ulp; upstream's has 40 near 0.66.
static Value writeAtan(const MathFormula &f, math::AtanOp op) {
  Value x = op.getOperand();
  Value size = f.abs(x);
  Value isLarge = f.compare(Predicate::OGT, size, 2.414213562f);
  Value isMiddle = f.compare(Predicate::OGT, size, 0.4142135624f);
  auto choose = [&](Value large, Value middle, Value small) {
    return f.select(isLarge, large, f.select(isMiddle, middle, small));
  };
  Value one = f.number(1), zero = f.number(0);
  Value t = f.divide(choose(f.number(-1), f.subtract(size, one), size),
                     choose(size, f.add(size, one), one));
  Value square = f.multiply(t, t);
  Value sum = f.polynomial(square, {8.05374449538e-2f, -1.38776856032e-1f,
                                    1.99777106478e-1f, -3.33329491539e-1f});
  Value rest = f.fma(sum, f.multiply(t, square),
                     choose(f.number(kLow), f.number(kLow / 2), zero));
  Value angle =
      f.add(choose(f.number(kHigh), f.number(kHigh / 2), zero), f.add(t, rest));
  return f.copySign(angle, x);
}

/// The arc sine of |x| is pi / 2 - 2 asin(sqrt((1 - |x|) / 2)) above 1/2, where
/// a polynomial begins (Moshier). About 2 ulp; upstream's has 7 near 1.
static Value writeAsin(const MathFormula &f, math::AsinOp op) {
  Value x = op.getOperand();
  Value size = f.abs(x);
  Value isLarge = f.compare(Predicate::OGT, size, 0.5f);
  Value half = f.number(0.5f);
  Value square = f.select(isLarge, f.fma(size, f.number(-0.5f), half),
                          f.multiply(size, size));
  Value t = f.select(isLarge, f.make<math::SqrtOp>(square), size);
  Value sum = f.polynomial(square, {4.2163199048e-2f, 2.4181311049e-2f,
                                    4.5470025998e-2f, 7.4953002686e-2f,
                                    1.6666752422e-1f});
  Value angle = f.fma(f.multiply(t, square), sum, t);
  Value other = f.fma(angle, f.number(-2), f.number(kHigh));
  other = f.add(other, f.number(kLow));
  return f.copySign(f.select(isLarge, other, angle), x);
}

/// From the arc tangent of the smaller number over the larger one. As C's for
/// zeros and infinities: atan2(+-0, +0) is +-0, atan2(+-0, -0) +-pi, of two
/// infinities it is as of two equal numbers; upstream's is NaN.
static Value writeAtan2(const MathFormula &f, math::Atan2Op op) {
  Value y = op.getLhs(), x = op.getRhs();
  Value height = f.abs(y), width = f.abs(x);
  Value isSteep = f.compare(Predicate::OGT, height, width);
  Value small = f.select(isSteep, width, height);
  Value large = f.select(isSteep, height, width);
  Value isZero = f.compare(Predicate::OEQ, large, 0);
  Value ofEqual = f.select(isZero, f.number(0), f.number(1));
  Value ratio = f.select(f.compare(Predicate::OEQ, small, large), ofEqual,
                         f.divide(small, large));
  Value angle = f.make<math::AtanOp>(ratio);
  auto from = [&](float high, float low) {
    return f.add(f.subtract(f.number(high), angle), f.number(low));
  };
  angle = f.select(isSteep, from(kHigh, kLow), angle);
  Value sign = f.copySign(f.number(1), x);
  angle = f.select(f.compare(Predicate::OLT, sign, 0),
                   from(2 * kHigh, 2 * kLow), angle);
  return f.copySign(angle, y);
}

void clique::populateTrigonometryPatterns(RewritePatternSet &patterns,
                                          PatternBenefit benefit) {
  addFormula(patterns, writeSinOrCos<math::SinOp>, benefit);
  addFormula(patterns, writeSinOrCos<math::CosOp>, benefit);
  addFormula(patterns, writeAtan, benefit);
  addFormula(patterns, writeAsin, benefit);
  addFormula(patterns, writeAtan2, benefit);
}
