//===- NpyRead.cpp - Reading .npy arrays ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements: their type, their number (before any memory is asked for),
// their order and their values.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Npy.h"

#include <charconv>
#include <cstring>

using namespace clique;

static DLDataType parseType(const std::string &file, const std::string &descr) {
  struct Entry {
    const char *name;
    DLDataType type;
  };
  static const Entry entries[] = {
      {"<f2", {kDLFloat, 16, 1}}, {"<f4", {kDLFloat, 32, 1}},
      {"<f8", {kDLFloat, 64, 1}}, {"<i4", {kDLInt, 32, 1}},
      {"<i8", {kDLInt, 64, 1}},   {"|i1", {kDLInt, 8, 1}},
      {"|u1", {kDLUInt, 8, 1}},   {"|b1", {CLIQUE_DL_BOOL, 8, 1}}};
  for (const Entry &entry : entries)
    if (descr == entry.name)
      return entry.type;
  if (!descr.empty() && descr[0] == '>')
    fail(CLIQUE_FORMAT_ERROR,
         "{}: element type '{}' is big-endian, expected little-endian; convert "
         "it with a.astype('<{}')",
         file, descr, descr.substr(1));
  fail(CLIQUE_FORMAT_ERROR,
       "{}: element type '{}' is not supported, expected one of f2, f4, f8, "
       "i1, i4, i8, u1 and bool; convert it with numpy.ndarray.astype",
       file, descr);
}

/// The bytes of the elements; refuses what the file cannot hold.
static int64_t checkedBytes(const ByteSource &source, const NpyHeader &header,
                            int64_t elementSize) {
  const int32_t rank = int32_t(header.shape.size());
  const int64_t count = countElements(header.shape.data(), rank);
  int64_t bytes;
  if (count < 0 || __builtin_mul_overflow(count, elementSize, &bytes) ||
      uint64_t(bytes) > source.maxBytes())
    fail(CLIQUE_FORMAT_ERROR,
         "{}: the npy header claims shape {} of '{}', more than the file can "
         "hold: the file is truncated or damaged",
         source.name(), shapeText(header.shape.data(), rank), header.descr);
  return bytes;
}

static void readElements(ByteSource &source, char *data, int64_t bytes) {
  const size_t got = source.read(data, size_t(bytes));
  if (got != size_t(bytes))
    fail(CLIQUE_FORMAT_ERROR,
         "{}: has {} bytes of elements, the header expects {}: the file is "
         "truncated",
         source.name(), got, bytes);
  char extra;
  if (source.read(&extra, 1) != 0)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: more bytes follow the {} that the header expects: the file is "
         "damaged",
         source.name(), bytes);
}

/// Row-major copy of column-major elements.
static void transpose(const char *from, char *to,
                      const std::vector<int64_t> &shape, int64_t count,
                      int64_t elementSize) {
  std::vector<int64_t> strides(shape.size()), index(shape.size(), 0);
  int64_t stride = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  LoopInterruption interruption;
  int64_t position = 0;
  for (int64_t k = 0; k < count; ++k) {
    interruption.check();
    std::memcpy(to + k * elementSize, from + position * elementSize,
                elementSize);
    for (size_t d = shape.size(); d-- > 0;) {
      position += strides[d];
      if (++index[d] < shape[d])
        break;
      position -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

/// The number of the first NaN: one that is more than infinity, of which the
/// bits of the exponent, `infinity`, are set alone. `count` if there is none.
template <typename Bits>
static int64_t findNan(const char *data, int64_t count, Bits infinity) {
  LoopInterruption interruption;
  for (int64_t k = 0; k < count; ++k) {
    interruption.check();
    Bits bits;
    std::memcpy(&bits, data + k * sizeof(Bits), sizeof(Bits));
    if (Bits(bits << 1) > Bits(infinity << 1))
      return k;
  }
  return count;
}

/// NumPy writes truth values as 0 and 1, which layers count on.
static void checkBools(const ByteSource &source, const DLTensor &tensor,
                       int64_t count) {
  if (tensor.dtype.code != CLIQUE_DL_BOOL)
    return;
  const char *data = tensorData(tensor);
  for (int64_t k = 0; k < count; ++k)
    if (data[k] != 0 && data[k] != 1)
      fail(CLIQUE_FORMAT_ERROR,
           "{}: truth value {} of {} is the byte {}, expected 0 or 1: the file "
           "is damaged",
           source.name(), k, count, int(uint8_t(data[k])));
}

static void checkNumbers(const ByteSource &source, const DLTensor &tensor,
                         int64_t count) {
  if (tensor.dtype.code != kDLFloat)
    return;
  const char *data = tensorData(tensor);
  int64_t found;
  if (tensor.dtype.bits == 16)
    found = findNan<uint16_t>(data, count, 0x7c00);
  else if (tensor.dtype.bits == 32)
    found = findNan<uint32_t>(data, count, 0x7f800000);
  else
    found = findNan<uint64_t>(data, count, 0x7ff0000000000000);
  if (found == count)
    return;
  std::vector<int64_t> index(tensor.ndim);
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    index[d] = found % tensor.shape[d];
    found /= tensor.shape[d];
  }
  fail(CLIQUE_FORMAT_ERROR,
       "{}: element {} is NaN; expected numbers (infinities are some)",
       source.name(), shapeText(index.data(), tensor.ndim));
}

TensorPtr clique::readNpy(ByteSource &source, bool allowNan) {
  NpyHeader header = readNpyHeader(source);
  const DLDataType type = parseType(source.name(), header.descr);
  const int64_t elementSize = elementBytes(type);
  const int64_t bytes = checkedBytes(source, header, elementSize);
  TensorPtr tensor = makeTensor(type, header.shape);
  readElements(source, tensorData(tensor->dl_tensor), bytes);
  const int64_t count = bytes / elementSize;
  // The strides of an array without elements may be more than 63 bits hold.
  if (header.fortranOrder && count > 0) {
    TensorPtr rowMajor = makeTensor(type, header.shape);
    transpose(tensorData(tensor->dl_tensor), tensorData(rowMajor->dl_tensor),
              header.shape, count, elementSize);
    tensor = std::move(rowMajor);
  }
  checkBools(source, tensor->dl_tensor, count);
  if (!allowNan)
    checkNumbers(source, tensor->dl_tensor, count);
  return tensor;
}

std::string clique::readNpyString(ByteSource &source) {
  NpyHeader header = readNpyHeader(source);
  constexpr int64_t maxLength = 64;
  int64_t length = 0;
  const char *descr = header.descr.data();
  if (header.descr.rfind("|S", 0) == 0)
    std::from_chars(descr + 2, descr + header.descr.size(), length);
  const int64_t count =
      countElements(header.shape.data(), int32_t(header.shape.size()));
  if (length < 1 || length > maxLength || count != 1)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: has type '{}' and shape {}, expected one short byte string",
         source.name(), header.descr,
         shapeText(header.shape.data(), int32_t(header.shape.size())));
  std::string text(size_t(length), '\0');
  readElements(source, text.data(), length);
  return text.substr(0, text.find('\0'));
}

clique_status clique_npy_read(const char *path, int32_t allow_nan,
                              DLManagedTensor **tensor) {
  return guarded([&] {
    requireNonNull(path, "clique_npy_read", "path");
    requireNonNull(tensor, "clique_npy_read", "tensor");
    *tensor = nullptr;
    FileSource source(path);
    *tensor = readNpy(source, allow_nan != 0).release();
  });
}
