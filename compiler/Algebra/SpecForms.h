//===- SpecForms.h - What a spec writes in several ways ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_SPECFORMS_H
#define CLIQUE_COMPILER_ALGEBRA_SPECFORMS_H

#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// The pass mp-rewrite-spec-forms, for what reads a spec before the pipeline.
mlir::LogicalResult rewriteSpecForms(mlir::ModuleOp module);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_SPECFORMS_H
