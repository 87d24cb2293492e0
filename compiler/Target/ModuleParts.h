//===- ModuleParts.h - A module, to be compiled in parts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are optimised and emitted on cores of their own. LLVM shares
// nothing between threads but what is read: each part has its own context.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_MODULEPARTS_H
#define CLIQUE_COMPILER_TARGET_MODULEPARTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class GlobalValue;
class LLVMContext;
class Module;
} // namespace llvm

namespace clique {

/// Parts of about the same size, the same for the same module wherever it is
/// compiled. A small module is one part.
class ModuleParts {
public:
  /// Chooses the parts. What one of them uses of another becomes a hidden
  /// symbol of `module`.
  explicit ModuleParts(llvm::Module &module);

  unsigned size() const { return numParts; }

  /// A part as a module of its own, which declares what it uses of others.
  /// Thread-safe for different contexts.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  load(unsigned part, llvm::LLVMContext &context) const;

private:
  void choose(const llvm::Module &module);
  unsigned getPart(const llvm::GlobalValue &value) const;
  bool isUsedElsewhere(const llvm::GlobalValue &value) const;

  unsigned numParts = 1;
  /// Of functions with a body, by name; variables belong to the first part.
  llvm::StringMap<unsigned> parts;
  llvm::SmallVector<char, 0> bitcode;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_MODULEPARTS_H
