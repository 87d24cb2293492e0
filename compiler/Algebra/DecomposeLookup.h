//===- DecomposeLookup.h - Look-ups of node and edge features ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of mp-decompose-readout.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOOKUP_H
#define CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOOKUP_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// A look-up in node or edge features as a message and an aggregation over a
/// graph whose destinations receive from one row each.
void populateDecomposeLookupPatterns(mlir::RewritePatternSet &patterns);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_DECOMPOSELOOKUP_H
