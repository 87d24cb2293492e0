//===- OutputFile.cpp - Whole files or none -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/OutputFile.h"
#include "runtime/Error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clique;

/// Beside the target, so that the rename stays within one file system; unique
/// among the threads and processes that write there.
static std::string temporaryName(const std::string &path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}.{}.tmp", path, getpid(), count++);
}

void OutputFile::refuse(const char *reason) const {
  fail(CLIQUE_IO_ERROR, "{}: cannot be written: {}", path, reason);
}

void OutputFile::refuse() const { refuse(std::strerror(errno)); }

OutputFile::OutputFile(const char *path)
    : path(path), temporary(temporaryName(path)) {
  // The rename would replace a device or a folder.
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    refuse("is no regular file");
  int descriptor =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    refuse();
  file = fdopen(descriptor, "wb");
  if (file)
    return;
  close(descriptor);
  unlink(temporary.c_str());
  refuse();
}

OutputFile::~OutputFile() {
  if (file)
    std::fclose(file);
  if (!committed)
    unlink(temporary.c_str());
}

void OutputFile::write(const void *data, size_t size) {
  if (size && std::fwrite(data, 1, size, file) != size)
    refuse();
}

void OutputFile::commit() {
  const bool closed = std::fclose(file) == 0;
  file = nullptr;
  if (!closed || std::rename(temporary.c_str(), path.c_str()) != 0)
    refuse();
  committed = true;
}
