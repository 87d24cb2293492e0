//===- GradientCheck.h - Gradients against differences ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a backward function is the derivative of a function: directional
// derivatives against central differences, all in double precision. It knows
// nothing of how gradients are made.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_GRADIENTCHECK_H
#define CLIQUE_COMPILER_REFERENCE_GRADIENTCHECK_H

#include "compiler/Reference/Interpreter.h"

namespace clique {

/// A function and its gradient. The forward function returns the function's
/// results and more; the backward function takes the function's arguments, the
/// forward results `kept`, and a cotangent for each of the function's
/// `results`, and returns a cotangent for each of its `arguments`.
struct ReferenceGradient {
  mlir::func::FuncOp function, forward, backward;
  mlir::SmallVector<int64_t> kept, arguments, results;
};

/// The gradient by one argument along a random direction v.
struct DirectionalDerivative {
  int64_t argument;
  /// <gradient, v>, and what it should be.
  double gradient = 0, difference = 0;
  /// The size of a sum of <gradient, v>'s terms with random signs.
  double scale = 0;
  /// What rounding may do to the derivative and the difference.
  double rounding = 0;

  /// Beyond rounding, relative to the larger of the derivative and that scale.
  double getError() const;
};

/// A cotangent for each of the function's `results`, uniform in [-1, 1).
mlir::SmallVector<ReferenceTensor>
makeCotangents(const ReferenceGradient &gradient,
               mlir::ArrayRef<ReferenceTensor> results, uint64_t seed);

/// Evaluates the forward and the backward function, and, for each argument, the
/// function a little to both sides. Errors are emitted.
mlir::FailureOr<mlir::SmallVector<DirectionalDerivative>>
checkGradient(const ReferenceGradient &gradient,
              mlir::ArrayRef<ReferenceValue> arguments, uint64_t seed);

} // namespace clique
#endif // CLIQUE_COMPILER_REFERENCE_GRADIENTCHECK_H
