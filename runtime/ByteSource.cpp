//===- ByteSource.cpp - Bytes of a file -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files through zlib, which reads plain ones as they are.
//
//===----------------------------------------------------------------------===//
#include "runtime/ByteSource.h"
#include "runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

using namespace clique;

constexpr unsigned kBufferBytes = 1 << 20;

uint64_t clique::regularFileSize(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    fail(CLIQUE_IO_ERROR, "{}: cannot be read: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    fail(CLIQUE_IO_ERROR, "{}: is no regular file", path);
  return uint64_t(status.st_size);
}

FileSource::FileSource(const char *path)
    : ByteSource(path), fileBytes(regularFileSize(path)),
      nextProgress(std::chrono::steady_clock::now() + std::chrono::seconds(2)) {
  file = gzopen(path, "rb");
  if (!file && errno == 0)
    throw std::bad_alloc();
  if (!file)
    fail(CLIQUE_IO_ERROR, "{}: cannot be read: {}", path, std::strerror(errno));
  gzbuffer(file, kBufferBytes);
}

FileSource::~FileSource() {
  gzclose(file);
  // Wipes the progress line.
  if (progressShown)
    std::fputs("\r\033[K", stderr);
}

size_t FileSource::read(void *data, size_t size) {
  size_t done = 0;
  while (done < size) {
    unsigned part = unsigned(std::min<size_t>(size - done, kBufferBytes));
    int got = gzread(file, static_cast<char *>(data) + done, part);
    int status = Z_OK;
    const char *reason = gzerror(file, &status);
    if (status == Z_ERRNO)
      fail(CLIQUE_IO_ERROR, "{}: cannot be read: {}", name(),
           std::strerror(errno));
    if (status == Z_BUF_ERROR)
      fail(CLIQUE_FORMAT_ERROR,
           "{}: the gzip data end too early; the file is truncated", name());
    if (got < 0 || status < Z_OK)
      fail(CLIQUE_FORMAT_ERROR, "{}: the gzip data are damaged: {}", name(),
           reason);
    if (got == 0)
      break;
    done += size_t(got);
    interruption.check(size_t(got));
    showProgress();
  }
  return done;
}

uint64_t FileSource::maxBytes() const {
  if (gzdirect(file))
    return fileBytes;
  return std::min(fileBytes,
                  std::numeric_limits<uint64_t>::max() / kMaxCompression) *
         kMaxCompression;
}

void FileSource::showProgress() {
  auto now = std::chrono::steady_clock::now();
  if (now < nextProgress || !isatty(STDERR_FILENO))
    return;
  nextProgress = now + std::chrono::milliseconds(250);
  progressShown = true;
  std::fprintf(stderr, "\rreading %s: %.0f %%", name().c_str(),
               100.0 * double(gzoffset(file)) / double(fileBytes));
}
