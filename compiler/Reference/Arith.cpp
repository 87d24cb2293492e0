//===- Arith.cpp - Kernels of the arith dialect ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats are doubles; integers wrap at the width of their type.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "compiler/Reference/Elementwise.h"
#include "compiler/Reference/Integer.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace clique;
using namespace clique::reference;
using namespace mlir;

namespace {
/// Makes the kernels of one op.
class ArithKernels {
public:
  ArithKernels(Operation *op, const ValueInfo &info)
      : op(op), info(info),
        width(op->getNumOperands() ? getIntegerWidth(op->getOperand(0)) : 0) {}

  FailureOr<Kernel> make();

private:
  template <typename Fn>
  FailureOr<Kernel> unary(const Fn &fn) {
    return makeElementwise<1>(op, info, fn);
  }
  template <typename Fn>
  FailureOr<Kernel> binary(const Fn &fn) {
    return makeElementwise<2>(op, info, fn);
  }
  /// `fn` takes and gives APInts of the operands' width.
  template <typename Fn>
  FailureOr<Kernel> integers(Fn fn) {
    return binary([fn, width = width](double a, double b) {
      return fromAPInt(fn(toAPInt(a, width), toAPInt(b, width)));
    });
  }
  /// As `integers`; by 0 it gives 0.
  template <typename Fn>
  FailureOr<Kernel> division(Fn fn) {
    return binary([fn, width = width](double a, double b) {
      return b == 0 ? 0 : fromAPInt(fn(toAPInt(a, width), toAPInt(b, width)));
    });
  }
  /// `fn` takes and gives an APInt, of the operand's and the result's width.
  template <typename Fn>
  FailureOr<Kernel> resize(Fn fn) {
    unsigned to = getIntegerWidth(op->getResult(0));
    return unary([fn, from = width, to](double a) {
      return fromAPInt(fn(toAPInt(a, from), to));
    });
  }

  FailureOr<Kernel> makeFloat();
  FailureOr<Kernel> makeInteger();
  FailureOr<Kernel> makeDivision();
  FailureOr<Kernel> makeConversion();
  FailureOr<Kernel> makeConstant(arith::ConstantOp constant);
  FailureOr<Kernel> makeSelect(arith::SelectOp select);

  Operation *op;
  const ValueInfo &info;
  unsigned width;
};
} // namespace

FailureOr<Kernel> ArithKernels::makeConstant(arith::ConstantOp constant) {
  FailureOr<ReferenceTensor> tensor = getConstant(constant);
  if (failed(tensor))
    return failure();
  Kernel kernel;
  kernel.resultShapes.emplace_back(tensor->shape.begin(), tensor->shape.end());
  kernel.run = [data = std::move(tensor->data)](const double *const *,
                                                double *const *results) {
    llvm::copy(data, results[0]);
  };
  return kernel;
}

FailureOr<Kernel> ArithKernels::makeSelect(arith::SelectOp select) {
  if (!isa<RankedTensorType>(select.getType()) ||
      isa<RankedTensorType>(select.getCondition().getType()))
    return makeElementwise<3>(
        op, info, [](double c, double a, double b) { return c ? a : b; });
  // One condition for whole tensors.
  Shape shape = info.getShape(select.getTrueValue());
  if (shape != info.getShape(select.getFalseValue()))
    return op->emitOpError("selects between tensors of shapes ")
           << describeShape(shape) << " and "
           << describeShape(info.getShape(select.getFalseValue()))
           << ": expected one shape";
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  kernel.resultShapes = {shape};
  kernel.run = [count = getNumElements(shape)](const double *const *inputs,
                                               double *const *results) {
    const double *chosen = inputs[0][0] ? inputs[1] : inputs[2];
    std::copy(chosen, chosen + count, results[0]);
  };
  return kernel;
}

FailureOr<Kernel> ArithKernels::makeFloat() {
  using namespace arith;
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](AddFOp) { return binary(std::plus<double>()); })
      .Case([&](SubFOp) { return binary(std::minus<double>()); })
      .Case([&](MulFOp) { return binary(std::multiplies<double>()); })
      .Case([&](DivFOp) { return binary(std::divides<double>()); })
      .Case([&](NegFOp) { return unary(std::negate<double>()); })
      .Case([&](RemFOp) {
        return binary([](double a, double b) { return std::fmod(a, b); });
      })
      .Case([&](MaximumFOp) { return binary(maximum); })
      .Case([&](MinimumFOp) { return binary(minimum); })
      .Case([&](MaxNumFOp) {
        return binary([](double a, double b) { return std::fmax(a, b); });
      })
      .Case([&](MinNumFOp) {
        return binary([](double a, double b) { return std::fmin(a, b); });
      })
      .Case([&](CmpFOp cmp) {
        return binary([predicate = cmp.getPredicate()](double a, double b) {
          return applyCmpPredicate(predicate, APFloat(a), APFloat(b));
        });
      })
      .Case<ExtFOp, TruncFOp>(
          [&](auto) { return unary([](double a) { return a; }); })
      .Default([&](Operation *) { return makeInteger(); });
}

FailureOr<Kernel> ArithKernels::makeInteger() {
  using namespace arith;
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](AddIOp) { return integers(std::plus<APInt>()); })
      .Case([&](SubIOp) { return integers(std::minus<APInt>()); })
      .Case([&](MulIOp) { return integers(std::multiplies<APInt>()); })
      .Case([&](AndIOp) { return integers(std::bit_and<APInt>()); })
      .Case([&](OrIOp) { return integers(std::bit_or<APInt>()); })
      .Case([&](XOrIOp) { return integers(std::bit_xor<APInt>()); })
      .Case([&](MaxSIOp) { return integers(llvm::APIntOps::smax); })
      .Case([&](MinSIOp) { return integers(llvm::APIntOps::smin); })
      .Case([&](MaxUIOp) { return integers(llvm::APIntOps::umax); })
      .Case([&](MinUIOp) { return integers(llvm::APIntOps::umin); })
      .Case([&](ShLIOp) {
        return integers(
            [](const APInt &a, const APInt &b) { return a.shl(b); });
      })
      .Case([&](ShRSIOp) {
        return integers(
            [](const APInt &a, const APInt &b) { return a.ashr(b); });
      })
      .Case([&](ShRUIOp) {
        return integers(
            [](const APInt &a, const APInt &b) { return a.lshr(b); });
      })
      .Case([&](CmpIOp cmp) {
        return integers(
            [predicate = cmp.getPredicate()](const APInt &a, const APInt &b) {
              return APInt(1, applyCmpPredicate(predicate, a, b));
            });
      })
      .Default([&](Operation *) { return makeDivision(); });
}

FailureOr<Kernel> ArithKernels::makeDivision() {
  using namespace arith;
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](DivSIOp) {
        return division(
            [](const APInt &a, const APInt &b) { return a.sdiv(b); });
      })
      .Case([&](DivUIOp) {
        return division(
            [](const APInt &a, const APInt &b) { return a.udiv(b); });
      })
      .Case([&](RemSIOp) {
        return division(
            [](const APInt &a, const APInt &b) { return a.srem(b); });
      })
      .Case([&](RemUIOp) {
        return division(
            [](const APInt &a, const APInt &b) { return a.urem(b); });
      })
      .Case([&](CeilDivSIOp) {
        return division([](const APInt &a, const APInt &b) {
          return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::UP);
        });
      })
      .Case([&](FloorDivSIOp) {
        return division([](const APInt &a, const APInt &b) {
          return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::DOWN);
        });
      })
      .Case([&](CeilDivUIOp) {
        return division([](const APInt &a, const APInt &b) {
          return llvm::APIntOps::RoundingUDiv(a, b, APInt::Rounding::UP);
        });
      })
      .Default([&](Operation *) { return makeConversion(); });
}

FailureOr<Kernel> ArithKernels::makeConversion() {
  using namespace arith;
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case<ExtSIOp, IndexCastOp>([&](auto) {
        return resize(
            [](const APInt &a, unsigned to) { return a.sextOrTrunc(to); });
      })
      .Case<ExtUIOp, IndexCastUIOp>([&](auto) {
        return resize(
            [](const APInt &a, unsigned to) { return a.zextOrTrunc(to); });
      })
      .Case([&](TruncIOp) {
        return resize([](const APInt &a, unsigned to) { return a.trunc(to); });
      })
      .Case([&](SIToFPOp) {
        return unary([width = width](double a) {
          return static_cast<double>(toAPInt(a, width).getSExtValue());
        });
      })
      .Case([&](UIToFPOp) {
        return unary([width = width](double a) {
          return static_cast<double>(toAPInt(a, width).getZExtValue());
        });
      })
      .Case<FPToSIOp, FPToUIOp>([&](auto) {
        // What is beyond the type is its least or largest number, NaN 0.
        llvm::APSInt zero(getIntegerWidth(op->getResult(0)),
                          /*isUnsigned=*/isa<FPToUIOp>(op));
        return unary([zero](double a) {
          llvm::APSInt nearest = zero;
          bool isExact;
          llvm::APFloat(a).convertToInteger(
              nearest, llvm::APFloat::rmTowardZero, &isExact);
          return fromAPInt(nearest);
        });
      })
      .Default([&](Operation *) -> FailureOr<Kernel> {
        return emitNotSupported(op);
      });
}

FailureOr<Kernel> ArithKernels::make() {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return makeConstant(constant);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return makeSelect(select);
  return makeFloat();
}

FailureOr<Kernel> reference::makeArithKernel(Operation *op,
                                             const ValueInfo &info) {
  return ArithKernels(op, info).make();
}
