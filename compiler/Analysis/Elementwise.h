//===- Elementwise.h - Ops of each element by itself ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ELEMENTWISE_H
#define CLIQUE_COMPILER_ANALYSIS_ELEMENTWISE_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// Whether an element of the op's one result is computed from those elements of
/// its operands alone that have the same place: arithmetic and functions, and
/// activations.
inline bool isElementwise(mlir::Operation *op) {
  const bool isActivation =
      op->hasTrait<mp::FeatureOp>() &&
      op->hasTrait<mlir::OpTrait::SameOperandsAndResultType>();
  return op->getNumResults() == 1 &&
         (op->hasTrait<mlir::OpTrait::Elementwise>() || isActivation);
}

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ELEMENTWISE_H
