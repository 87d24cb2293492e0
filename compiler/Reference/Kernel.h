//===- Kernel.h - What one op computes --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is an op made executable for given shapes: a function from arrays of
// doubles to arrays of doubles. The same kernels serve the regions of one edge
// or node, where they are made once and run many times, and whole tensors at
// function level. Everything is computed in double precision, whatever the
// element type: conversions between float types change nothing. (Rounding.h
// says what is rounded where that is asked for.) What has no value (a position
// that is no number) is NaN; an element outside its tensor is an error when the
// kernel runs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_KERNEL_H
#define CLIQUE_COMPILER_REFERENCE_KERNEL_H

#include "compiler/Reference/Rounding.h"
#include "compiler/Reference/Tensor.h"
#include "mlir/IR/Operation.h"

#include <functional>
#include <optional>

namespace clique::reference {

/// What is known of a value when a kernel that uses it is made.
class ValueInfo {
public:
  virtual ~ValueInfo() = default;
  virtual Shape getShape(mlir::Value value) const = 0;
  /// The value of an index, if it is known before the kernel runs.
  virtual std::optional<int64_t> getIndex(mlir::Value value) const = 0;
  /// What the kernel rounds to.
  virtual const ReferencePrecision &getPrecision() const = 0;
};

/// Reads one array per input, writes one per result. Safe to run from several
/// threads at once.
using KernelFn =
    std::function<void(const double *const *inputs, double *const *results)>;

struct Kernel {
  mlir::SmallVector<mlir::Value> inputs;
  mlir::SmallVector<Shape> resultShapes;
  KernelFn run;
};

/// Makes the kernel of a pure op, or emits an error: its operands do not fit,
/// or it is "not supported by the reference interpreter".
mlir::FailureOr<Kernel> makeKernel(mlir::Operation *op, const ValueInfo &info);

/// Rounds a result of the kernel whenever it has run.
void roundResult(Kernel &kernel, size_t index, const RandomRounding &rounding);

/// The elements of a constant; failure, with an error, if they are no numbers.
mlir::FailureOr<ReferenceTensor> getConstant(mlir::Operation *op);

/// The static shape of a tensor; the empty shape for a scalar.
Shape getStaticShape(mlir::Type type);

/// Emits the error for an op that the interpreter does not know.
mlir::LogicalResult emitNotSupported(mlir::Operation *op);

// One maker for each family of ops.
mlir::FailureOr<Kernel> makeArithKernel(mlir::Operation *op,
                                        const ValueInfo &info);
mlir::FailureOr<Kernel> makeMathKernel(mlir::Operation *op,
                                       const ValueInfo &info);
mlir::FailureOr<Kernel> makeFeatureKernel(mlir::Operation *op,
                                          const ValueInfo &info);
mlir::FailureOr<Kernel> makeTensorKernel(mlir::Operation *op,
                                         const ValueInfo &info);
mlir::FailureOr<Kernel> makeLinalgKernel(mlir::Operation *op,
                                         const ValueInfo &info);

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_KERNEL_H
