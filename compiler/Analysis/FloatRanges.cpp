//===- FloatRanges.cpp - Bounds of floating-point values ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FloatRanges.h"
#include "compiler/Analysis/UnitVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace clique;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr FloatRange kNothing = {kInfinity, -kInfinity, false};

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static FloatRange join(const FloatRange &a, const FloatRange &b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most),
          a.masked || b.masked};
}

/// -inf as a bound like any other.
static FloatRange unmask(const FloatRange &x) {
  if (!x.masked)
    return x;
  return {-kInfinity, std::max(x.most, -kInfinity)};
}

static FloatRange add(const FloatRange &a, const FloatRange &b) {
  bool masked = a.masked || b.masked;
  // -inf and infinity are NaN.
  if (a.isEmpty() || b.isEmpty())
    return {kInfinity, -kInfinity, masked};
  return {a.least + b.least, a.most + b.most, masked};
}

static FloatRange negate(const FloatRange &masked) {
  FloatRange x = unmask(masked);
  return {-x.most, -x.least};
}

static FloatRange multiply(const FloatRange &maskedA,
                           const FloatRange &maskedB) {
  FloatRange a = unmask(maskedA), b = unmask(maskedB), product = kNothing;
  if (a.isEmpty() || b.isEmpty())
    return kNothing;
  for (double x : {a.least, a.most})
    for (double y : {b.least, b.most}) {
      // Of numbers, however large; of an infinity itself it is NaN.
      double corner = x == 0 || y == 0 ? 0 : x * y;
      product = join(product, {corner, corner});
    }
  return product;
}

static FloatRange divide(const FloatRange &a, const FloatRange &b) {
  FloatRange by = unmask(b);
  if (by.isEmpty() || (by.least <= 0 && by.most >= 0))
    return {};
  return multiply(a, {1 / by.most, 1 / by.least});
}

/// Of a function that never falls.
static FloatRange map(const FloatRange &masked, double (*function)(double)) {
  FloatRange x = unmask(masked);
  return x.isEmpty() ? kNothing
                     : FloatRange{function(x.least), function(x.most)};
}

static FloatRange maximum(const FloatRange &a, const FloatRange &b) {
  FloatRange x = unmask(a), y = unmask(b);
  if (x.isEmpty() || y.isEmpty())
    return kNothing;
  return {std::max(x.least, y.least), std::max(x.most, y.most)};
}

static FloatRange minimum(const FloatRange &a, const FloatRange &b) {
  return negate(maximum(negate(a), negate(b)));
}

static FloatRange getAbsolute(const FloatRange &x) {
  return maximum({0, 0}, maximum(x, negate(x)));
}

static FloatRange getConstant(Attribute value) {
  FloatRange range = kNothing;
  auto include = [&](const APFloat &number) {
    double x = number.convertToDouble();
    if (x == -kInfinity)
      range.masked = true;
    else if (!std::isnan(x))
      range = join(range, {x, x});
  };
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (auto number = dyn_cast<FloatAttr>(value))
    include(number.getValue());
  else if (elements && elements.isSplat())
    include(elements.getSplatValue<APFloat>());
  else if (elements)
    for (const APFloat &number : elements.getValues<APFloat>())
      include(number);
  else
    return {};
  return range;
}

/// Of the features of nodes and edges, and of vectors.
static Type getElementType(Value value) {
  Type type = value.getType();
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    type = edges.getFeatureType();
  return getElementTypeOrSelf(type);
}

/// What the type has no numbers for is infinite.
static FloatRange fit(FloatRange x, FloatType element) {
  double largest =
      APFloat::getLargest(element.getFloatSemantics()).convertToDouble();
  if (x.most > largest)
    x.most = kInfinity;
  if (x.least < -largest)
    x.least = -kInfinity;
  return x;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

FloatRange FloatRanges::getDot(mp::DotOp op) {
  if (isCosine(op))
    return {-1, 1};
  FloatRange product = multiply(get(op.getLhs()), get(op.getRhs()));
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  double size = double(type.getShape().back());
  return multiply(product, {size, size});
}

FloatRange FloatRanges::computeAggregate(mp::AggregateOp op, unsigned result) {
  switch (op.getKind()) {
  case mp::AggregatorKind::mean:
  case mp::AggregatorKind::max:
  case mp::AggregatorKind::min:
  case mp::AggregatorKind::softmax:
    if (result < op.getValues().size())
      return join(unmask(get(op.getValues()[result])), {0, 0});
    return {};
  default:
    return {};
  }
}

FloatRange FloatRanges::computeOp(Operation *op) {
  auto at = [&](unsigned index) { return get(op->getOperand(index)); };
  return llvm::TypeSwitch<Operation *, FloatRange>(op)
      .Case([](arith::ConstantOp op) { return getConstant(op.getValue()); })
      .Case([&](arith::AddFOp) { return add(at(0), at(1)); })
      .Case([&](arith::SubFOp) { return add(at(0), negate(at(1))); })
      .Case([&](arith::NegFOp) { return negate(at(0)); })
      .Case([&](arith::MulFOp op) {
        FloatRange product = multiply(at(0), at(1));
        return op.getLhs() == op.getRhs() ? maximum(product, {0, 0}) : product;
      })
      .Case([&](arith::DivFOp) { return divide(at(0), at(1)); })
      .Case([&](arith::MaximumFOp) { return maximum(at(0), at(1)); })
      .Case([&](arith::MinimumFOp) { return minimum(at(0), at(1)); })
      .Case(
          [&](math::ClampFOp) { return minimum(maximum(at(0), at(1)), at(2)); })
      .Case([&](arith::SelectOp) { return join(at(1), at(2)); })
      .Case<arith::ExtFOp, arith::TruncFOp, mp::BroadcastOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp>([&](Operation *) { return at(0); })
      .Case([&](tensor::ConcatOp op) {
        FloatRange all = kNothing;
        for (Value part : op.getInputs())
          all = join(all, get(part));
        return all;
      })
      .Case([&](mp::ReduceOp op) {
        if (op.getKind() == mp::ReductionKind::sum)
          return FloatRange();
        return at(0);
      })
      .Case([&](mp::DotOp op) { return getDot(op); })
      .Case([&](mp::ReluOp) { return maximum(at(0), {0, 0}); })
      .Case<mp::SigmoidOp, math::ErfOp, math::SinOp, math::CosOp>(
          [](Operation *op) {
            return FloatRange{isa<mp::SigmoidOp>(op) ? 0.0 : -1.0, 1};
          })
      .Case([&](math::TanhOp) { return map(at(0), std::tanh); })
      .Case([&](math::AtanOp) { return map(at(0), std::atan); })
      .Case([&](math::ExpOp) { return map(at(0), std::exp); })
      .Case([&](math::AbsFOp) { return getAbsolute(at(0)); })
      .Case(
          [&](math::SqrtOp) { return map(maximum(at(0), {0, 0}), std::sqrt); })
      .Default([](Operation *) { return FloatRange(); });
}

FloatRange FloatRanges::compute(Value value) {
  // An argument of a region is what it stands for, and so are results.
  if (Value same = getSameElements(value))
    return get(same);
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto aggregate = dyn_cast<mp::AggregateOp>(op))
    return computeAggregate(aggregate, cast<OpResult>(value).getResultNumber());
  return fit(computeOp(op), cast<FloatType>(getElementType(value)));
}

FloatRange FloatRanges::get(Value value) {
  // Deep networks are not followed to their inputs.
  constexpr unsigned mostOps = 128;
  if (!isa<FloatType>(getElementType(value)) || depth >= mostOps)
    return {};
  if (auto it = known.find(value); it != known.end())
    return it->second;
  ++depth;
  FloatRange range = compute(value);
  --depth;
  known[value] = range;
  return range;
}
