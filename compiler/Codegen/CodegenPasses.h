//===- CodegenPasses.h - Block functions to machine code --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_H
#define CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_H

#include "compiler/Analysis/PositiveSize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_H
