//===- CNames.h - Names and types of C --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C header calls the arguments of a spec, and their types.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_CNAMES_H
#define CLIQUE_COMPILER_TARGET_CNAMES_H

#include "llvm/ADT/StringRef.h"
#include <dlpack/dlpack.h>

namespace clique {

/// A name that C and C++ take for an argument, and that the header does not
/// declare.
std::string toIdentifier(llvm::StringRef name);

/// `float`, `int64_t` ...
llvm::StringRef getCType(DLDataType type);

/// `kDLFloat` ...
llvm::StringRef getDLPackCode(DLDataType type);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_CNAMES_H
