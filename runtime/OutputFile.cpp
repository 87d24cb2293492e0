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
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace clique;

/// A link stays one: what it leads to is replaced.
static std::string findTarget(const char *path) {
  std::error_code missing;
  const std::filesystem::path target =
      std::filesystem::canonical(path, missing);
  return missing ? path : target.string();
}

/// Beside the target, so that the rename stays within one file system; unique
/// among the threads and processes that write there.
static std::string temporaryName(const std::string &path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}.{}.tmp", path, getpid(), count++);
}

/// What stands for the file to those who give it a name.
static std::string linkTo(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

/// A file in the folder of `path`; -1 where there are none without a name.
static int openNameless(const std::string &path) {
  const size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor =
      open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0 || access(linkTo(descriptor).c_str(), F_OK) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

void OutputFile::refuse(const char *reason) const {
  fail(CLIQUE_IO_ERROR, "{}: cannot be written: {}", path, reason);
}

void OutputFile::refuse() const { refuse(std::strerror(errno)); }

OutputFile::OutputFile(const char *path)
    : path(path), target(findTarget(path)), temporary(temporaryName(target)) {
  // The rename would replace a device or a folder.
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    refuse("is no regular file");
  int descriptor = openNameless(target);
  isNamed = descriptor < 0;
  if (isNamed)
    descriptor =
        open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    refuse();
  file = fdopen(descriptor, "wb");
  if (file)
    return;
  close(descriptor);
  if (isNamed)
    unlink(temporary.c_str());
  refuse();
}

OutputFile::~OutputFile() {
  if (file)
    std::fclose(file);
  if (isNamed && !committed)
    unlink(temporary.c_str());
}

void OutputFile::write(const void *data, size_t size) {
  if (size && std::fwrite(data, 1, size, file) != size)
    refuse();
}

void OutputFile::commit() {
  if (std::fflush(file) != 0)
    refuse();
  if (!isNamed && linkat(AT_FDCWD, linkTo(fileno(file)).c_str(), AT_FDCWD,
                         temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
    refuse();
  isNamed = true;
  const bool closed = std::fclose(file) == 0;
  file = nullptr;
  if (!closed || std::rename(temporary.c_str(), target.c_str()) != 0)
    refuse();
  committed = true;
}
