//===- Passes.h - Rewrites of a layer's equations ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that rewrite the mathematics of a spec.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_PASSES_H
#define CLIQUE_COMPILER_ALGEBRA_PASSES_H

#include "compiler/Analysis/PositiveSize.h"
#include "compiler/Analysis/Tuning.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_ALGEBRA_PASSES_H
