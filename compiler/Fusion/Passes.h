//===- Passes.h - Kernels and their iteration spaces ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that form kernels and choose how they are lowered.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_PASSES_H
#define CLIQUE_COMPILER_FUSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {

/// Which versions of kernels with messages are compiled.
enum class LoweringChoice { automatic, dense, sparse };

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_FUSION_PASSES_H
