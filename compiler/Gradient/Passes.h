//===- Passes.h - Gradients of specs ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_PASSES_H
#define CLIQUE_COMPILER_GRADIENT_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Gradient/Passes.h.inc"

/// On a backward function: for each value that it takes from the forward one,
/// the number of that one's result (an array of i64). They follow the arguments
/// of the forward function and go before the cotangents of its results.
constexpr llvm::StringLiteral kKeptAttr = "mp.kept";
/// On a backward function: the numbers of the arguments whose cotangents it
/// returns, and of the results whose cotangents it takes (arrays of i64).
constexpr llvm::StringLiteral kArgumentsAttr = "mp.gradient_of";
constexpr llvm::StringLiteral kResultsAttr = "mp.cotangent_of";

} // namespace clique

#endif // CLIQUE_COMPILER_GRADIENT_PASSES_H
