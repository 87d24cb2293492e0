//===- Passes.h - What is known of graphs at compile time -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that refines the types of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TOPOLOGY_PASSES_H
#define CLIQUE_COMPILER_TOPOLOGY_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Topology/Passes.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_TOPOLOGY_PASSES_H
