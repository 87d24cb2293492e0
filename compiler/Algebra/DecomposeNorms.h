//===- DecomposeNorms.h - Normalisations to arith and math ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_DECOMPOSENORMS_H
#define CLIQUE_COMPILER_ALGEBRA_DECOMPOSENORMS_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Take mp.layer_norm and mp.batch_norm apart, for mp-decompose-features and
/// for derivatives.
void populateDecomposeNormPatterns(mlir::RewritePatternSet &patterns);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_DECOMPOSENORMS_H
