//===- Term.cpp - Formulas as C++ expressions -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

/// `like` with elements of another type.
static Type withElement(Type like, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(like))
    return tensor.clone(element);
  return element;
}

Term Term::number(double number) const {
  TypedAttr attr = builder->getFloatAttr(getElementTypeOrSelf(value), number);
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || tensor.hasStaticShape()) {
    if (tensor)
      attr = DenseElementsAttr::get(tensor, attr);
    return with(arith::ConstantOp::create(*builder, *loc, attr));
  }
  // A constant has no sizes that only a run knows.
  Value element = arith::ConstantOp::create(*builder, *loc, attr);
  return with(tensor::SplatOp::create(
      *builder, *loc, element, tensor::getMixedSizes(*builder, *loc, value)));
}

template <typename OpTy>
static Term apply(Term x) {
  return x.with(OpTy::create(x.getBuilder(), x.getLoc(), x.getValue()));
}

template <typename OpTy>
static Term apply(Term x, Term y) {
  return x.with(
      OpTy::create(x.getBuilder(), x.getLoc(), x.getValue(), y.getValue()));
}

Term gradient::operator-(Term x) { return apply<arith::NegFOp>(x); }
Term gradient::add(Term x, Term y) { return apply<arith::AddFOp>(x, y); }
Term gradient::subtract(Term x, Term y) { return apply<arith::SubFOp>(x, y); }
Term gradient::multiply(Term x, Term y) { return apply<arith::MulFOp>(x, y); }
Term gradient::divide(Term x, Term y) { return apply<arith::DivFOp>(x, y); }

static Term compare(arith::CmpFPredicate predicate, Term x, Operand y) {
  return x.with(arith::CmpFOp::create(x.getBuilder(), x.getLoc(), predicate,
                                      x.getValue(), y.get(x).getValue()));
}

Term gradient::operator==(Term x, Operand y) {
  return compare(arith::CmpFPredicate::OEQ, x, y);
}
Term gradient::operator<(Term x, Operand y) {
  return compare(arith::CmpFPredicate::OLT, x, y);
}
Term gradient::operator<=(Term x, Operand y) {
  return compare(arith::CmpFPredicate::OLE, x, y);
}
Term gradient::operator>(Term x, Operand y) {
  return compare(arith::CmpFPredicate::OGT, x, y);
}
Term gradient::operator>=(Term x, Operand y) {
  return compare(arith::CmpFPredicate::OGE, x, y);
}

Term gradient::select(Term condition, Operand x, Operand y) {
  Term either = x.term ? x.term : y.term;
  return either.with(arith::SelectOp::create(
      either.getBuilder(), either.getLoc(), condition.getValue(),
      x.get(either).getValue(), y.get(either).getValue()));
}

Term gradient::cos(Term x) { return apply<math::CosOp>(x); }
Term gradient::cosh(Term x) { return apply<math::CoshOp>(x); }
Term gradient::erf(Term x) { return apply<math::ErfOp>(x); }
Term gradient::exp(Term x) { return apply<math::ExpOp>(x); }
Term gradient::log(Term x) { return apply<math::LogOp>(x); }
Term gradient::sin(Term x) { return apply<math::SinOp>(x); }
Term gradient::sinh(Term x) { return apply<math::SinhOp>(x); }
Term gradient::sqrt(Term x) { return apply<math::SqrtOp>(x); }
Term gradient::tanh(Term x) { return apply<math::TanhOp>(x); }
Term gradient::roundeven(Term x) { return apply<math::RoundEvenOp>(x); }

Term gradient::sigmoid(Term x) {
  return x.with(
      mp::SigmoidOp::create(x.getBuilder(), x.getLoc(), x.getValue()));
}

Term gradient::sign(Term x) { return apply<math::CopySignOp>(x.number(1), x); }

Term gradient::powerSlope(Term x, Term n) {
  return select(n == 0, 0, n * apply<math::PowFOp>(x, n - 1));
}

Term gradient::angleSlope(Term d, Term x, Term y) {
  Term a = apply<math::AbsFOp>(x), b = apply<math::AbsFOp>(y);
  Term larger = select(a > b, a, b);
  Term u = x / larger, v = y / larger;
  Term slope = d / larger / (u * u + v * v) / larger;
  Term isFar = larger == std::numeric_limits<double>::infinity();
  return select(larger == 0, 0, select(isFar, 0, slope));
}

Term gradient::siluSlope(Term x) {
  // Far from 0 x may be infinite.
  Term y = sigmoid(x), slope = y * (1 - y);
  return y + select(slope == 0, 0, x * slope);
}

Term gradient::geluSlope(Operation *op, Term x) {
  if (!cast<mp::GeluOp>(op).getTanh()) {
    // Phi(x) + x phi(x)
    Term normal = 0.5 * (1 + erf(x * M_SQRT1_2));
    Term density = exp(x * x * -0.5) * (1 / std::sqrt(2 * M_PI));
    return normal + select(density == 0, 0, x * density);
  }
  const double scale = std::sqrt(2 / M_PI), cubic = 0.044715;
  Term t = tanh(scale * (x + cubic * (x * (x * x))));
  Term inner = scale * (1 + (3 * cubic) * (x * x));
  // Far from 0 `inner` is infinite.
  Term slope = 1 - t * t;
  Term far = select(slope == 0, 0, 0.5 * x * (slope * inner));
  return 0.5 * (1 + t) + far;
}

double gradient::attribute(Operation *op, StringRef name) {
  // An attribute that has its default value may be missing from the op.
  if (auto elu = dyn_cast<mp::EluOp>(op))
    return elu.getAlpha().convertToDouble();
  return op->getAttrOfType<FloatAttr>(name).getValueAsDouble();
}

Term gradient::toFloat(Term n, Term x) {
  Type type = withElement(n.getValue().getType(),
                          getElementTypeOrSelf(x.getValue().getType()));
  return n.with(
      arith::SIToFPOp::create(n.getBuilder(), n.getLoc(), type, n.getValue()));
}

Term gradient::convert(Term g, Term x) {
  Type from = g.getValue().getType(), to = x.getValue().getType();
  unsigned bits = getElementTypeOrSelf(from).getIntOrFloatBitWidth();
  unsigned wanted = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  if (from == to)
    return g;
  if (bits < wanted)
    return g.with(
        arith::ExtFOp::create(g.getBuilder(), g.getLoc(), to, g.getValue()));
  return g.with(
      arith::TruncFOp::create(g.getBuilder(), g.getLoc(), to, g.getValue()));
}

Term gradient::spread(Term g, Term x) {
  if (g.getValue().getType() == x.getValue().getType())
    return g;
  return g.with(mp::BroadcastOp::create(g.getBuilder(), g.getLoc(),
                                        x.getValue().getType(), g.getValue(),
                                        /*trailing=*/false));
}

Term gradient::keepZeros(Term g, Term product) {
  Term nothing = product - product;
  Term isNotFinite = nothing.with(arith::CmpFOp::create(
      g.getBuilder(), g.getLoc(), arith::CmpFPredicate::UNO, nothing.getValue(),
      nothing.getValue()));
  Term isNone = spread(g, product) == 0;
  Term isIdle = isNone.with(arith::AndIOp::create(
      g.getBuilder(), g.getLoc(), isNone.getValue(), isNotFinite.getValue()));
  return select(isIdle, 0, product);
}
