//===- DecomposeLogSumExp.h - Log-sum-exp as a softmax ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOGSUMEXP_H
#define CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOGSUMEXP_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Makes an mp.aggregate by `logsumexp` one by `softmax` for each of its
/// values, as the scores of nothing, for mp-decompose-aggregates and for
/// derivatives.
void populateDecomposeLogSumExpPatterns(mlir::RewritePatternSet &patterns);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOGSUMEXP_H
