//===- Passes.h - What a known topology makes cheaper -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that rewrite aggregations by what is known of their graph.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_PASSES_H
#define CLIQUE_COMPILER_STRUCTURE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Structure/Passes.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_STRUCTURE_PASSES_H
