//===- Passes.h - Sizes that are known when a layer runs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that checks sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_SIZES_PASSES_H
#define CLIQUE_COMPILER_SIZES_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Sizes/Passes.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_SIZES_PASSES_H
