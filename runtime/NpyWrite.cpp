//===- NpyWrite.cpp - Writing .npy arrays ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array is written beside its target and renamed when it is whole.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Npy.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clique;

namespace {
/// A file that exists under its name only once commit() has succeeded.
class AtomicFile {
public:
  explicit AtomicFile(const char *path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, size_t size);
  void commit();

private:
  [[noreturn]] void refuse() const {
    fail(CLIQUE_IO_ERROR, "{}: cannot be written: {}", path,
         std::strerror(errno));
  }

  std::string path;
  std::string temporary;
  std::FILE *file = nullptr;
  bool committed = false;
};
} // namespace

/// Beside the target, so that the rename stays within one file system; unique
/// among the threads and processes that write there.
static std::string temporaryName(const std::string &path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}.{}.tmp", path, getpid(), count++);
}

AtomicFile::AtomicFile(const char *path)
    : path(path), temporary(temporaryName(path)) {
  // The rename would replace a device or a folder.
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    fail(CLIQUE_IO_ERROR, "{}: cannot be written: is no regular file", path);
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

AtomicFile::~AtomicFile() {
  if (file)
    std::fclose(file);
  if (!committed)
    unlink(temporary.c_str());
}

void AtomicFile::write(const void *data, size_t size) {
  if (size && std::fwrite(data, 1, size, file) != size)
    refuse();
}

void AtomicFile::commit() {
  const bool closed = std::fclose(file) == 0;
  file = nullptr;
  if (!closed || std::rename(temporary.c_str(), path.c_str()) != 0)
    refuse();
  committed = true;
}

/// NumPy's name of an element type; bfloat16, which it lacks, goes as f4.
static std::string typeDescr(const char *path, DLDataType type) {
  if (type.lanes == 1) {
    if (type.code == kDLBfloat && type.bits == 16)
      return "<f4";
    if (type.code == kDLUInt && type.bits == 8)
      return "|u1";
    if (type.code == kDLInt && type.bits == 8)
      return "|i1";
    if (type.code == CLIQUE_DL_BOOL && type.bits == 8)
      return "|b1";
    if (type.code == kDLFloat &&
        (type.bits == 16 || type.bits == 32 || type.bits == 64))
      return fmt::format("<f{}", type.bits / 8);
    if (type.code == kDLInt && (type.bits == 32 || type.bits == 64))
      return fmt::format("<i{}", type.bits / 8);
  }
  fail(CLIQUE_INVALID_ARGUMENT,
       "{}: element type {} is not supported, expected one of f16, bf16, f32, "
       "f64, i1, i8, i32, i64 and u8",
       path, dtypeName(type));
}

/// Magic number, version 1, and the dictionary padded so that the elements
/// start at a multiple of 64 bytes.
static std::string makeHeader(const std::string &descr,
                              const DLTensor &tensor) {
  std::string shape;
  for (int d = 0; d < tensor.ndim; ++d)
    shape += fmt::format("{}, ", tensor.shape[d]);
  if (tensor.ndim > 1)
    shape.resize(shape.size() - 2);
  else if (tensor.ndim == 1)
    shape.resize(shape.size() - 1);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                  descr, shape);
  constexpr size_t prefix = 10;
  const size_t padded = (prefix + text.size() + 1 + 63) / 64 * 64;
  text.resize(padded - prefix - 1, ' ');
  text += '\n';
  std::string header = kNpyMagic;
  header += '\x01';
  header += '\0';
  header += char(text.size() & 0xff);
  header += char(text.size() >> 8);
  return header + text;
}

static void writeWidened(AtomicFile &file, const char *data, int64_t count) {
  std::vector<uint32_t> buffer;
  constexpr int64_t chunk = 1 << 16;
  for (int64_t first = 0; first < count; first += chunk) {
    buffer.clear();
    for (int64_t k = first; k < std::min(first + chunk, count); ++k) {
      uint16_t bits;
      std::memcpy(&bits, data + 2 * k, 2);
      buffer.push_back(uint32_t(bits) << 16);
    }
    file.write(buffer.data(), buffer.size() * sizeof(uint32_t));
  }
}

static void writeNpy(const char *path, const DLTensor &tensor) {
  const std::string descr = typeDescr(path, tensor.dtype);
  if (tensor.device.device_type != kDLCPU)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: the tensor is not on the CPU", path);
  if (!isContiguous(tensor))
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: the tensor is not contiguous and row-major; copy it first", path);
  const int64_t count = countElements(tensor.shape, tensor.ndim);
  if (count < 0 || (count > 0 && !tensor.data))
    fail(CLIQUE_INVALID_ARGUMENT, "{}: the tensor of shape {} has no data",
         path, shapeText(tensor.shape, tensor.ndim));
  AtomicFile file(path);
  const std::string header = makeHeader(descr, tensor);
  file.write(header.data(), header.size());
  if (tensor.dtype.code == kDLBfloat)
    writeWidened(file, tensorData(tensor), count);
  else
    file.write(tensorData(tensor), size_t(count * elementBytes(tensor.dtype)));
  file.commit();
}

clique_status clique_npy_write(const char *path, const DLTensor *tensor) {
  return guarded([&] {
    requireNonNull(path, "clique_npy_write", "path");
    requireNonNull(tensor, "clique_npy_write", "tensor");
    writeNpy(path, *tensor);
  });
}
