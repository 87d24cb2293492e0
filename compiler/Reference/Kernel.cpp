//===- Kernel.cpp - What one op computes ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Kernel.h"
#include "compiler/Reference/Integer.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace clique;
using namespace clique::reference;
using namespace mlir;

Shape reference::getStaticShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Shape(tensor.getShape()) : Shape();
}

LogicalResult reference::emitNotSupported(Operation *op) {
  return op->emitOpError("is not supported by the reference interpreter");
}

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

FailureOr<ReferenceTensor> reference::getConstant(Operation *op) {
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return emitNotSupported(op);
  ReferenceTensor tensor;
  if (auto number = dyn_cast<FloatAttr>(value)) {
    tensor.data = {toDouble(number.getValue())};
    return tensor;
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    tensor.data = {fromAPInt(number.getValue())};
    return tensor;
  }
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements)
    return emitNotSupported(op);
  tensor.shape = elements.getShapedType().getShape();
  if (auto floats = elements.tryGetValues<APFloat>()) {
    for (const APFloat &element : *floats)
      tensor.data.push_back(toDouble(element));
    return tensor;
  }
  if (auto integers = elements.tryGetValues<APInt>()) {
    for (const APInt &element : *integers)
      tensor.data.push_back(fromAPInt(element));
    return tensor;
  }
  return emitNotSupported(op);
}

static bool isNumeric(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return type.isIntOrIndexOrFloat();
}

void reference::roundResult(Kernel &kernel, size_t index,
                            const RandomRounding &rounding) {
  const int64_t count = getNumElements(kernel.resultShapes[index]);
  kernel.run = [run = std::move(kernel.run), rounding, index,
                count](const double *const *inputs, double *const *results) {
    run(inputs, results);
    for (int64_t i = 0; i < count; ++i)
      results[index][i] = rounding(results[index][i], i);
  };
}

/// Whether compiled code computes it by a polynomial, or in several steps.
static bool isApproximated(Operation *op) {
  if (isa<mp::SigmoidOp, mp::SiluOp, mp::SoftplusOp, mp::GeluOp, mp::EluOp>(op))
    return true;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::CeilOp, math::ClampFOp, math::CopySignOp,
              math::FloorOp, math::FmaOp, math::RoundOp, math::RoundEvenOp,
              math::SqrtOp, math::TruncOp>(op);
}

/// Rounds what the kernel of an op computes.
static FailureOr<Kernel> roundResults(FailureOr<Kernel> kernel, Operation *op,
                                      const ValueInfo &info) {
  if (failed(kernel))
    return failure();
  for (OpResult result : op->getResults())
    if (auto rounding =
            getComputeRounding(info.getPrecision(), result.getType()))
      roundResult(*kernel, result.getResultNumber(),
                  isApproximated(op) ? rounding->makeApproximate() : *rounding);
  return kernel;
}

FailureOr<Kernel> reference::makeKernel(Operation *op, const ValueInfo &info) {
  if (!llvm::all_of(op->getOperandTypes(), isNumeric) ||
      !llvm::all_of(op->getResultTypes(), isNumeric))
    return emitNotSupported(op);
  if (isa<linalg::LinalgOp>(op))
    return makeLinalgKernel(op, info);
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<arith::ArithDialect>(dialect))
    return roundResults(makeArithKernel(op, info), op, info);
  if (isa_and_nonnull<math::MathDialect>(dialect))
    return roundResults(makeMathKernel(op, info), op, info);
  if (isa_and_nonnull<tensor::TensorDialect>(dialect))
    return makeTensorKernel(op, info);
  if (isa_and_nonnull<mp::MPDialect>(dialect))
    return roundResults(makeFeatureKernel(op, info), op, info);
  return emitNotSupported(op);
}
