//===- KeptZeros.h - Cotangents of what selects take out --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a select takes out has the cotangent 0. Where slopes there are infinite,
// the product with them would be NaN.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_KEPTZEROS_H
#define CLIQUE_COMPILER_GRADIENT_KEPTZEROS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace clique::gradient {

/// Whether an op's slopes are finite numbers whatever its operands.
bool hasFiniteSlopes(mlir::Operation *op);

/// Answers for ops of a function that stays as it is meanwhile.
class KeptZeros {
public:
  /// Whether the op's rule has to keep a cotangent of 0: it has poles, or reads
  /// what may be infinite on the way to a select. Selects as those of masks,
  /// which take out finite numbers, cost nothing.
  bool isNeeded(mlir::Operation *op);
  /// Whether it is because of a select.
  bool isBeforeSelect(mlir::Operation *op);

private:
  bool isTakenOut(mlir::Value value);
  bool mayBeInfinite(mlir::Value value);

  llvm::DenseMap<mlir::Value, bool> takenOut, infinite;
};

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_KEPTZEROS_H
