//===- OutputFile.h - Whole files or none -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writers write to: a file without a name in the target's folder,
// which gets the target's when it is whole. Of a process that is ended before
// nothing stays behind, but where the file system has no such files.
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
  std::FILE *stream() const { return file; }
  /// "PATH: cannot be written: REASON"; without one it is that of errno.
  [[noreturn]] void refuse(const char *reason) const;
  [[noreturn]] void refuse() const;

private:
  /// As the caller gave it, and with links followed.
  std::string path, target;
  /// The name under which it is whole, or from the start if need be.
  std::string temporary;
  bool isNamed = false;
  std::FILE *file = nullptr;
  bool committed = false;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_OUTPUTFILE_H
