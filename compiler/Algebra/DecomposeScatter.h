//===- DecomposeScatter.h - Slices written into whole tensors ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of mp-decompose-readout.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_DECOMPOSESCATTER_H
#define CLIQUE_COMPILER_ALGEBRA_DECOMPOSESCATTER_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// A slice at an index as one at an offset: regions keep theirs.
void populateDecomposeScatterPatterns(mlir::RewritePatternSet &patterns);

/// Emits an error for gathers, and for scatters that the pattern leaves.
mlir::LogicalResult verifyNoScatter(mlir::Operation *root);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_DECOMPOSESCATTER_H
