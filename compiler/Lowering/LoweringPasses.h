//===- LoweringPasses.h - Kernels to loops over blocks ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_H
#define CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_H
