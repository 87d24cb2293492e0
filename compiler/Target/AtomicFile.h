//===- AtomicFile.h - Whole files or none -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of the tools that are never seen half-written.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_ATOMICFILE_H
#define CLIQUE_COMPILER_TARGET_ATOMICFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <optional>
#include <string>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace clique {

/// An output that appears under its name when all of it is there: written to a
/// temporary file beside it and renamed by commit(). Removed without a commit,
/// also on a signal. What is no regular file (a terminal, /dev/null, a pipe) is
/// written at once by commit().
class AtomicFile {
public:
  /// An error if there is no way to write `path`. The temporary file's name
  /// begins with `prefix`.
  static llvm::Expected<AtomicFile> create(llvm::StringRef path,
                                           llvm::StringRef prefix = "");
  AtomicFile(AtomicFile &&other);
  ~AtomicFile();

  /// The file that holds the contents until commit().
  const std::string &getTemporaryPath() const { return temporary->TmpName; }
  /// Writes the contents: from the start, once.
  llvm::Error
  write(llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> writer);
  llvm::Error commit();
  /// Those that may yet fail, which are no regular files, come first.
  static llvm::Error commitAll(llvm::ArrayRef<AtomicFile *> files);

private:
  AtomicFile(llvm::StringRef path, llvm::StringRef target, bool isSpecial,
             llvm::sys::fs::TempFile temporary);

  std::string path;   ///< as the user gave it
  std::string target; ///< with links followed
  bool isSpecial;
  std::optional<llvm::sys::fs::TempFile> temporary;
};

/// The file that `path` names, with links followed; it may not exist yet.
std::string resolvePath(llvm::StringRef path);

/// "PATH: cannot be written: REASON".
llvm::Error makeWriteError(llvm::StringRef path, std::error_code code);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_ATOMICFILE_H
