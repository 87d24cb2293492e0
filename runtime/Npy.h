//===- Npy.h - The .npy format ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's array format (numpy.lib.format, versions 1 to 3): a magic number, a
// Python dictionary as text, and the elements.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_NPY_H
#define CLIQUE_RUNTIME_NPY_H

#include "runtime/ArrayView.h"
#include "runtime/ByteSource.h"
#include "runtime/Tensor.h"

namespace clique {

struct NpyHeader {
  std::string descr; // "<f4"
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// The eight bytes of magic number and version, without the version.
constexpr char kNpyMagic[] = "\x93NUMPY";

/// Reads up to the first element.
NpyHeader readNpyHeader(ByteSource &source);
/// Reads the whole array; nothing may follow it.
TensorPtr readNpy(ByteSource &source, bool allowNan);
/// Reads an array of fixed-width byte strings of one element (numpy.bytes_).
std::string readNpyString(ByteSource &source);
/// Magic number, version 1, and the dictionary padded so that the elements
/// start at a multiple of 64 bytes.
std::string makeNpyHeader(const std::string &descr, ArrayView<int64_t> shape);

} // namespace clique

#endif // CLIQUE_RUNTIME_NPY_H
