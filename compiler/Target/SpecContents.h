//===- SpecContents.h - What a spec may consist of --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SPECCONTENTS_H
#define CLIQUE_COMPILER_TARGET_SPECCONTENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// Fails, with an error at the place, where the module has something that
/// upstream's parser and verifiers take and that is no layer: ops of machines
/// and buffers, elements that nothing here computes with, calls without an end.
mlir::LogicalResult checkSpecContents(mlir::ModuleOp module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SPECCONTENTS_H
