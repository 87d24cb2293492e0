//===- CodeCache.h - Machine code of layers on disk -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spec that was run before is not compiled again.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_CODECACHE_H
#define CLIQUE_TOOLS_CLIQUE_RUN_CODECACHE_H

#include "compiler/Target/LayerCompiler.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>

namespace clique {

/// Object files by a hash of all that they were made of, so that none is ever
/// stale. Several processes may use a cache at once: files appear whole.
class CodeCache {
public:
  /// `run` in the folder of the Python package's cache: CLIQUE_CACHE_DIR, or
  /// `clique` in the user's folder of caches; of CLIQUE_CACHE_MIB (512). None
  /// without a folder. An error where one of the variables is wrong.
  static llvm::Expected<std::optional<CodeCache>> open();

  /// The name of the code that LayerCompiler makes of a spec. None where that
  /// depends on more than this program: on the assembler for GPUs, or on
  /// libraries that do not say which they are.
  static std::optional<std::string>
  getKey(mlir::ModuleOp module, llvm::ArrayRef<LayerSignature> signatures,
         const LayerCompiler::Options &options);

  /// The code of this name; null if it is not there, or damaged.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef key) const;
  /// Keeps it, and removes what was not used for longest where there is too
  /// much. An error if the folder was asked for and cannot be written.
  llvm::Error store(llvm::StringRef key, llvm::StringRef code) const;

private:
  std::string folder;
  uint64_t limit = 0;      ///< bytes
  bool isAskedFor = false; ///< by CLIQUE_CACHE_DIR
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_CODECACHE_H
