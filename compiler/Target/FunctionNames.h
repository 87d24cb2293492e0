//===- FunctionNames.h - Names that no library has --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR, LLVM and linkers look functions up by name: in a layer called exp,
// calls of the C library's exp would be calls of the layer.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_FUNCTIONNAMES_H
#define CLIQUE_COMPILER_TARGET_FUNCTIONNAMES_H

#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// What a function of a spec is called in machine code.
std::string getCodeName(llvm::StringRef name);

/// Gives all functions that are defined these names, where they are used too.
void useCodeNames(mlir::ModuleOp module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_FUNCTIONNAMES_H
