//===- Npz.cpp - Sparse matrices of SciPy ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CSR matrix written by scipy.sparse.save_npz: a zip archive of the arrays
// format, shape, indptr, indices and data. An edge for each stored entry;
// values are checked and ignored.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"
#include "runtime/Npy.h"

#include <algorithm>
#include <limits>
#include <zip.h>

using namespace clique;

namespace {

/// One member of an archive.
class ZipSource : public ByteSource {
public:
  ZipSource(const char *path, zip_t *archive, const char *member);
  ~ZipSource() override {
    if (file)
      zip_fclose(file);
  }

  size_t read(void *data, size_t size) override;
  uint64_t maxBytes() const override { return bytes; }

private:
  LoopInterruption interruption;
  zip_file_t *file = nullptr;
  uint64_t bytes = 0;
};

class NpzReader {
public:
  explicit NpzReader(const char *path);
  ~NpzReader() { zip_discard(archive); }
  NpzReader(const NpzReader &) = delete;
  NpzReader &operator=(const NpzReader &) = delete;

  GraphPtr read();

private:
  TensorPtr readMember(const char *member);
  std::vector<int64_t> readIntegers(const char *member);
  std::vector<int32_t> readIndices();
  void checkValues(int64_t count);

  const char *path;
  zip_t *archive;
};

} // namespace

//===----------------------------------------------------------------------===//
// The archive
//===----------------------------------------------------------------------===//

ZipSource::ZipSource(const char *path, zip_t *archive, const char *member)
    : ByteSource(fmt::format("{}({})", path, member)) {
  zip_stat_t status;
  file = zip_fopen(archive, member, 0);
  if (!file || zip_stat(archive, member, 0, &status) != 0)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: member '{}' cannot be read ({}); expected a CSR matrix written "
         "by scipy.sparse.save_npz",
         path, member, zip_strerror(archive));
  // The claimed size is bounded by what the compressed one can give.
  const uint64_t packed =
      std::min<uint64_t>(status.comp_size, regularFileSize(path));
  bytes = std::min<uint64_t>(status.size, packed * kMaxCompression);
}

size_t ZipSource::read(void *data, size_t size) {
  constexpr size_t most = size_t(1) << 20;
  size_t done = 0;
  while (done < size) {
    const size_t part = std::min(size - done, most);
    zip_int64_t got = zip_fread(file, static_cast<char *>(data) + done, part);
    if (got < 0)
      fail(CLIQUE_FORMAT_ERROR, "{}: the archive is damaged: {}", name(),
           zip_file_strerror(file));
    if (got == 0)
      break;
    done += size_t(got);
    interruption.check(size_t(got));
  }
  return done;
}

NpzReader::NpzReader(const char *path) : path(path) {
  int code = 0;
  archive = zip_open(path, ZIP_RDONLY, &code);
  if (archive)
    return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  fail(CLIQUE_FORMAT_ERROR, "{}: is a damaged zip archive: {}", path, reason);
}

//===----------------------------------------------------------------------===//
// The matrix
//===----------------------------------------------------------------------===//

TensorPtr NpzReader::readMember(const char *member) {
  ZipSource source(path, archive, member);
  return readNpy(source, /*allowNan=*/false);
}

std::vector<int64_t> NpzReader::readIntegers(const char *member) {
  TensorPtr tensor = readMember(member);
  const DLTensor &array = tensor->dl_tensor;
  const bool isWide = array.dtype.bits == 64;
  if (array.dtype.code != kDLInt || array.ndim != 1 ||
      (!isWide && array.dtype.bits != 32))
    fail(CLIQUE_FORMAT_ERROR,
         "{}({}): has element type {} and {} dimensions, expected 32- or "
         "64-bit integers in one dimension",
         path, member, dtypeName(array.dtype), array.ndim);
  const char *data = tensorData(array);
  if (isWide) {
    auto *values = reinterpret_cast<const int64_t *>(data);
    return {values, values + array.shape[0]};
  }
  auto *values = reinterpret_cast<const int32_t *>(data);
  return {values, values + array.shape[0]};
}

/// Sources as 32 bits; their range is checked with the rest of the CSR.
std::vector<int32_t> NpzReader::readIndices() {
  std::vector<int64_t> wide = readIntegers("indices.npy");
  LoopInterruption interruption;
  std::vector<int32_t> indices;
  indices.reserve(wide.size());
  for (int64_t value : wide) {
    interruption.check();
    if (value < 0 || value > std::numeric_limits<int32_t>::max())
      fail(CLIQUE_FORMAT_ERROR,
           "{}: indices[{}] is {}, expected 0 to {}: node ids have 32 bits",
           path, indices.size(), value, std::numeric_limits<int32_t>::max());
    indices.push_back(int32_t(value));
  }
  return indices;
}

/// A graph has no use for the values: they may be of any type.
void NpzReader::checkValues(int64_t count) {
  ZipSource source(path, archive, "data.npy");
  const std::vector<int64_t> shape = readNpyHeader(source).shape;
  if (shape != std::vector<int64_t>{count})
    fail(CLIQUE_FORMAT_ERROR,
         "{}: data has shape {}, expected [{}], one value for each index", path,
         shapeText(shape.data(), int32_t(shape.size())), count);
}

GraphPtr NpzReader::read() {
  ZipSource formatSource(path, archive, "format.npy");
  const std::string format = readNpyString(formatSource);
  if (format != "csr")
    fail(CLIQUE_FORMAT_ERROR,
         "{}: holds a '{}' matrix, expected 'csr'; convert it with .tocsr()",
         path, format);
  const std::vector<int64_t> shape = readIntegers("shape.npy");
  const std::vector<int64_t> indptr = readIntegers("indptr.npy");
  const std::vector<int32_t> indices = readIndices();
  if (shape.size() != 2)
    fail(CLIQUE_FORMAT_ERROR, "{}: shape has {} entries, expected 2", path,
         shape.size());
  if (shape[0] < 0 || indptr.size() != uint64_t(shape[0]) + 1)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: indptr has {} entries, expected {}, one more than rows", path,
         indptr.size(), uint64_t(shape[0]) + 1);
  if (indptr.back() != int64_t(indices.size()))
    fail(CLIQUE_FORMAT_ERROR,
         "{}: indptr ends with {}, but there are {} indices", path,
         indptr.back(), indices.size());
  checkValues(int64_t(indices.size()));
  try {
    return makeCsr(path, shape[0], shape[1], indptr.data(), indices.data());
  } catch (const Error &error) {
    // What is wrong is the file, not an argument.
    throw Error(error.status() == CLIQUE_INVALID_ARGUMENT ? CLIQUE_FORMAT_ERROR
                                                          : error.status(),
                error.what());
  }
}

GraphPtr clique::readNpz(const char *path) { return NpzReader(path).read(); }
