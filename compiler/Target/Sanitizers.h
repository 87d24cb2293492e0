//===- Sanitizers.h - Layers that a sanitizer checks ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every load and store of a layer's code is checked, for programs that are
// built with the same sanitizer.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SANITIZERS_H
#define CLIQUE_COMPILER_TARGET_SANITIZERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace clique {

enum class Sanitizer { none, address, thread };

/// From "none", "address" or "thread".
std::optional<Sanitizer> parseSanitizer(llvm::StringRef name);

/// The one that this compiler itself is built with (CLIQUE_SANITIZE): what it
/// runs in its own process is checked without being asked.
Sanitizer getOwnSanitizer();

/// Marks the functions of a module as ones to be checked.
void markForSanitizer(llvm::Module &module, Sanitizer sanitizer);

/// How the functions begin that checks call, of the sanitizer's own library;
/// empty if the module is not to be checked.
llvm::StringRef getSanitizerPrefix(const llvm::Module &module);

/// Adds the pass that inserts the checks into what is marked, if anything is.
void addSanitizer(llvm::ModulePassManager &passes, const llvm::Module &module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SANITIZERS_H
