//===- Math.cpp - Kernels of the math dialect -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Math/IR/Math.h"
#include "compiler/Reference/Elementwise.h"
#include "compiler/Reference/Integer.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace clique::reference;
using namespace mlir;

/// `base` to the power of `exponent` in integers; 0 has no negative powers.
static double powerOfInteger(double base, double exponent, unsigned width) {
  // A quotient by the power, which is 0 by 0.
  if (exponent < 0 && std::abs(base) != 1)
    return 0;
  APInt factor = toAPInt(base, width), result(width, 1);
  for (uint64_t left = std::abs(toInteger(exponent)); left; left >>= 1) {
    if (left & 1)
      result *= factor;
    factor *= factor;
  }
  return fromAPInt(result);
}

/// Both results of math.sincos.
static FailureOr<Kernel> makeSincos(math::SincosOp op, const ValueInfo &info) {
  FailureOr<Kernel> kernel = beginElementwise(op, info);
  if (failed(kernel))
    return failure();
  int64_t count = getNumElements(kernel->resultShapes[0]);
  kernel->run = [=](const double *const *inputs, double *const *results) {
    for (int64_t i = 0; i < count; ++i) {
      results[0][i] = std::sin(inputs[0][i]);
      results[1][i] = std::cos(inputs[0][i]);
    }
  };
  return kernel;
}

/// Ops of integers, of two or three numbers, or with two results.
static FailureOr<Kernel> makeOtherMathKernel(Operation *op,
                                             const ValueInfo &info) {
  auto binary = [&](double (*fn)(double, double)) {
    return makeElementwise<2>(op, info, fn);
  };
  unsigned width = getIntegerWidth(op->getOperand(0));
  auto countBits = [&](auto fn) {
    return makeElementwise<1>(op, info, [fn, width](double a) -> double {
      return fn(toAPInt(a, width));
    });
  };
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](math::Atan2Op) { return binary(std::atan2); })
      .Case([&](math::CopySignOp) { return binary(std::copysign); })
      .Case<math::PowFOp, math::FPowIOp>([&](auto) { return binary(std::pow); })
      .Case([&](math::FmaOp) {
        return makeElementwise<3>(op, info, [](double a, double b, double c) {
          return std::fma(a, b, c);
        });
      })
      .Case([&](math::ClampFOp) {
        return makeElementwise<3>(op, info,
                                  [](double value, double least, double most) {
                                    return minimum(maximum(value, least), most);
                                  });
      })
      .Case([&](math::IPowIOp) {
        return makeElementwise<2>(op, info, [width](double a, double b) {
          return powerOfInteger(a, b, width);
        });
      })
      .Case([&](math::AbsIOp) {
        return makeElementwise<1>(op, info, [width](double a) {
          return fromAPInt(toAPInt(a, width).abs());
        });
      })
      .Case([&](math::CountLeadingZerosOp) {
        return countBits([](const APInt &a) { return a.countl_zero(); });
      })
      .Case([&](math::CountTrailingZerosOp) {
        return countBits([](const APInt &a) { return a.countr_zero(); });
      })
      .Case([&](math::CtPopOp) {
        return countBits([](const APInt &a) { return a.popcount(); });
      })
      .Case([&](math::SincosOp sincos) { return makeSincos(sincos, info); })
      .Default([](Operation *op) -> FailureOr<Kernel> {
        return emitNotSupported(op);
      });
}

FailureOr<Kernel> clique::reference::makeMathKernel(Operation *op,
                                                    const ValueInfo &info) {
  // Picks the overload for doubles of a function of <cmath>.
  auto unary = [&](double (*fn)(double)) {
    return makeElementwise<1>(op, info, fn);
  };
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](math::AbsFOp) { return unary(std::fabs); })
      .Case([&](math::AcosOp) { return unary(std::acos); })
      .Case([&](math::AcoshOp) { return unary(std::acosh); })
      .Case([&](math::AsinOp) { return unary(std::asin); })
      .Case([&](math::AsinhOp) { return unary(std::asinh); })
      .Case([&](math::AtanOp) { return unary(std::atan); })
      .Case([&](math::AtanhOp) { return unary(std::atanh); })
      .Case([&](math::CbrtOp) { return unary(std::cbrt); })
      .Case([&](math::CeilOp) { return unary(std::ceil); })
      .Case([&](math::CosOp) { return unary(std::cos); })
      .Case([&](math::CoshOp) { return unary(std::cosh); })
      .Case([&](math::ErfOp) { return unary(std::erf); })
      .Case([&](math::ErfcOp) { return unary(std::erfc); })
      .Case([&](math::ExpOp) { return unary(std::exp); })
      .Case([&](math::Exp2Op) { return unary(std::exp2); })
      .Case([&](math::ExpM1Op) { return unary(std::expm1); })
      .Case([&](math::FloorOp) { return unary(std::floor); })
      .Case([&](math::LogOp) { return unary(std::log); })
      .Case([&](math::Log10Op) { return unary(std::log10); })
      .Case([&](math::Log1pOp) { return unary(std::log1p); })
      .Case([&](math::Log2Op) { return unary(std::log2); })
      .Case([&](math::RoundOp) { return unary(std::round); })
      .Case([&](math::RoundEvenOp) { return unary(std::nearbyint); })
      .Case([&](math::SinOp) { return unary(std::sin); })
      .Case([&](math::SinhOp) { return unary(std::sinh); })
      .Case([&](math::SqrtOp) { return unary(std::sqrt); })
      .Case([&](math::TanOp) { return unary(std::tan); })
      .Case([&](math::TanhOp) { return unary(std::tanh); })
      .Case([&](math::TruncOp) { return unary(std::trunc); })
      .Case([&](math::RsqrtOp) {
        return unary([](double a) { return 1 / std::sqrt(a); });
      })
      .Case([&](math::IsFiniteOp) {
        return unary([](double a) -> double { return std::isfinite(a); });
      })
      .Case([&](math::IsInfOp) {
        return unary([](double a) -> double { return std::isinf(a); });
      })
      .Case([&](math::IsNaNOp) {
        return unary([](double a) -> double { return std::isnan(a); });
      })
      .Case([&](math::IsNormalOp) {
        return unary([](double a) -> double { return std::isnormal(a); });
      })
      .Default([&](Operation *) { return makeOtherMathKernel(op, info); });
}
