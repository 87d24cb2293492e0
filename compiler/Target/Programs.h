//===- Programs.h - Other programs, and files for them ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_PROGRAMS_H
#define CLIQUE_COMPILER_TARGET_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace clique {

/// A file that is gone when this is.
class TemporaryFile {
public:
  /// Makes a file with these contents, whose name ends in `.suffix`.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::StringRef contents = "");
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryFile();

  const std::string &getPath() const { return path; }
  /// What the file holds now.
  llvm::Expected<std::string> read() const;

private:
  explicit TemporaryFile(llvm::StringRef path) : path(path) {}

  std::string path;
};

/// How a program ended, and all it said.
struct ProgramResult {
  int status;
  std::string output;
};

/// Runs a program until it ends; an error if it could not be started.
llvm::Expected<ProgramResult> runProgram(llvm::StringRef program,
                                         llvm::ArrayRef<std::string> arguments);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_PROGRAMS_H
