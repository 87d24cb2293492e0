//===- OutputFile.h - Whole files or none -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writers write to: a file beside the target, renamed when it is
// whole.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_OUTPUTFILE_H
#define CLIQUE_RUNTIME_OUTPUTFILE_H

#include <cstddef>
#include <cstdio>
#include <string>

namespace clique {

/// A file that exists under its name only once commit() has succeeded.
class OutputFile {
public:
  explicit OutputFile(const char *path);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(const void *data, size_t size);
  void commit();

  /// For libraries that write by themselves, in place of write().
  const char *temporaryPath() const { return temporary.c_str(); }
  /// "PATH: cannot be written: REASON"; without one it is that of errno.
  [[noreturn]] void refuse(const char *reason) const;
  [[noreturn]] void refuse() const;

private:
  std::string path;
  std::string temporary;
  std::FILE *file = nullptr;
  bool committed = false;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_OUTPUTFILE_H
