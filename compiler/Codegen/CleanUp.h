//===- CleanUp.h - Canonical IR between passes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_CLEANUP_H
#define CLIQUE_COMPILER_CODEGEN_CLEANUP_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {

/// Names of upstream's canonicalisation patterns that make invalid IR of what
/// is valid. No rewrite may use them.
llvm::ArrayRef<std::string> getBrokenPatterns();

/// For greedy rewrites: without the simplification of regions, which looks for
/// unreachable and equal blocks again after each round. Loops with structure
/// have none, LLVM finds those of others, and dead ops go all the same.
mlir::GreedyRewriteConfig getRewriteConfig();

/// The canonicaliser, with that configuration and without broken patterns.
void addCanonicalizer(mlir::OpPassManager &pm);

/// The canonicaliser, then common subexpressions as one.
void addCleanUp(mlir::OpPassManager &pm);

/// The same for each function of a module by itself: rewrites that go on until
/// nothing changes end early in those where nothing does. Where passes beside
/// it look into other functions, these may be half rewritten.
void addFunctionCleanUp(mlir::OpPassManager &pm);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_CLEANUP_H
