//===- DecomposeFeatures.h - Normalisations to arith and math ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_DECOMPOSEFEATURES_H
#define CLIQUE_COMPILER_ALGEBRA_DECOMPOSEFEATURES_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Those of mp-decompose-features that take mp.layer_norm and mp.batch_norm
/// apart.
void populateDecomposeNormPatterns(mlir::RewritePatternSet &patterns);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_DECOMPOSEFEATURES_H
