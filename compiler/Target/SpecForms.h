//===- SpecForms.h - What a spec writes in several ways ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SPECFORMS_H
#define CLIQUE_COMPILER_TARGET_SPECFORMS_H

#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// Writes in the form that all passes know, before any pass runs:
///   - sparse constants and those of a resource as dense ones; an error where
///     a resource has no data or too little
///   - casts of an index to fewer bits as one to i64 that is truncated, since
///     upstream folds a cast there and back to nothing, truncation and all
///   - math.ipowi of index as one of i64, which has a lowering
mlir::LogicalResult rewriteSpecForms(mlir::ModuleOp module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SPECFORMS_H
