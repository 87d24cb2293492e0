//===- ByteSource.h - Bytes of a file ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the readers read from: a plain or gzip'd file (told apart by content) or
// a member of an archive, behind one interface.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_BYTESOURCE_H
#define CLIQUE_RUNTIME_BYTESOURCE_H

#include "runtime/Interruption.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <zlib.h>

namespace clique {

/// Deflate cannot do better than 1032:1.
constexpr uint64_t kMaxCompression = 1032;

class ByteSource {
public:
  explicit ByteSource(std::string name) : label(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  /// Reads `size` bytes, fewer only at the end, unless the caller interrupts.
  virtual size_t read(void *data, size_t size) = 0;
  /// More than this cannot come, whatever a header claims.
  virtual uint64_t maxBytes() const = 0;

  /// The name that opens messages.
  const std::string &name() const { return label; }

private:
  std::string label;
};

/// A file, decompressed on the way if it is gzip'd. Shows progress on standard
/// error if that is a terminal and reading takes longer than two seconds.
class FileSource : public ByteSource {
public:
  explicit FileSource(const char *path);
  ~FileSource() override;

  size_t read(void *data, size_t size) override;
  uint64_t maxBytes() const override;

private:
  void showProgress();

  LoopInterruption interruption;
  gzFile file = nullptr;
  uint64_t fileBytes = 0;
  std::chrono::steady_clock::time_point nextProgress;
  bool progressShown = false;
};

/// Bytes of a regular file; throws if `path` is none.
uint64_t regularFileSize(const char *path);

} // namespace clique

#endif // CLIQUE_RUNTIME_BYTESOURCE_H
