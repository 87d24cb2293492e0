//===- Elementwise.h - Kernels of elementwise ops ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of one, two or three numbers, applied to each element.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_ELEMENTWISE_H
#define CLIQUE_COMPILER_REFERENCE_ELEMENTWISE_H

#include "compiler/Reference/Kernel.h"

#include <utility>

namespace clique::reference {

/// The kernel's inputs and result shape; an error unless all operands have one
/// shape.
inline mlir::FailureOr<Kernel> beginElementwise(mlir::Operation *op,
                                                const ValueInfo &info) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  Shape shape = info.getShape(op->getOperand(0));
  for (mlir::Value operand : op->getOperands().drop_front()) {
    Shape other = info.getShape(operand);
    if (other != shape)
      return op->emitOpError("has operands of shapes ")
             << describeShape(shape) << " and " << describeShape(other)
             << ": expected one shape";
  }
  kernel.resultShapes.assign(op->getNumResults(), shape);
  return kernel;
}

template <typename Fn, size_t... I>
void applyToEach(int64_t count, const double *const *inputs, double *result,
                 const Fn &fn, std::index_sequence<I...>) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = fn(inputs[I][i]...);
}

/// The kernel that applies `fn`, a function of `arity` doubles.
template <size_t arity, typename Fn>
mlir::FailureOr<Kernel> makeElementwise(mlir::Operation *op,
                                        const ValueInfo &info, const Fn &fn) {
  mlir::FailureOr<Kernel> kernel = beginElementwise(op, info);
  if (mlir::failed(kernel))
    return mlir::failure();
  int64_t count = getNumElements(kernel->resultShapes[0]);
  kernel->run = [=](const double *const *inputs, double *const *results) {
    applyToEach(count, inputs, results[0], fn,
                std::make_index_sequence<arity>());
  };
  return kernel;
}

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_ELEMENTWISE_H
