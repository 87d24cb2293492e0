//===- NpyWrite.cpp - Writing .npy arrays ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array is written beside its target and renamed when it is whole.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Npy.h"
#include "runtime/OutputFile.h"

#include <algorithm>
#include <cstring>

using namespace clique;

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

std::string clique::makeNpyHeader(const std::string &descr,
                                  ArrayView<int64_t> sizes) {
  std::string shape;
  for (int64_t size : sizes)
    shape += fmt::format("{}, ", size);
  if (sizes.size() > 1)
    shape.resize(shape.size() - 2);
  else if (sizes.size() == 1)
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

static void writeWidened(OutputFile &file, const char *data, int64_t count) {
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
  requireShape(tensor, fmt::format("{}: the tensor", path));
  if (!isContiguous(tensor))
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: the tensor is not contiguous and row-major; copy it first", path);
  const int64_t count = countElements(tensor.shape, tensor.ndim);
  if (count > 0 && !tensor.data)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: the tensor of shape {} has no data",
         path, shapeText(tensor.shape, tensor.ndim));
  OutputFile file(path);
  const std::string header =
      makeNpyHeader(descr, {tensor.shape, size_t(tensor.ndim)});
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
