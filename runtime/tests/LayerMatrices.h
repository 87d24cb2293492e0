//===- LayerMatrices.h - Matrices of layers written by hand -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of layers share: matrices of floats as compiled code and as
// the caller has them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_LAYERMATRICES_H
#define CLIQUE_RUNTIME_TESTS_LAYERMATRICES_H

#include "runtime/tests/TestUtil.h"

namespace clique::test {

/// MLIR's descriptor of a memref of rank 2.
struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

inline constexpr int64_t kWidth = 3;
inline const int64_t matrixShape[] = {CLIQUE_DYNAMIC, kWidth};
inline const DLDataType kFloat = {kDLFloat, 32, 1};

inline clique_arg matrixArg(const char *name, clique_arg_kind kind,
                            clique_extent extent) {
  clique_arg arg = {};
  arg.name = name;
  arg.kind = kind;
  arg.extent = extent;
  arg.graph = 0;
  arg.dtype = kFloat;
  arg.rank = 2;
  arg.shape = matrixShape;
  return arg;
}

inline Matrix allocateMatrix(int64_t rows) {
  auto *data = static_cast<float *>(
      _mlir_memref_to_llvm_alloc(sizeof(float) * rows * kWidth));
  return {data, data, 0, {rows, kWidth}, {kWidth, 1}};
}

/// A tensor over a vector, which may be bent into a wrong one.
struct Input {
  Input(std::vector<int64_t> shape, DLDataType type = kFloat)
      : shape(std::move(shape)) {
    int64_t count = 1;
    for (int64_t size : this->shape)
      count *= size;
    storage.assign(size_t(count) * type.bits / 8 + 8, 0);
    tensor = {storage.data(),
              {kDLCPU, 0},
              int(this->shape.size()),
              type,
              this->shape.data(),
              nullptr,
              0};
  }
  float *floats() { return reinterpret_cast<float *>(storage.data()); }

  std::vector<int64_t> shape;
  alignas(8) std::vector<char> storage;
  DLTensor tensor;
};

} // namespace clique::test
#endif // CLIQUE_RUNTIME_TESTS_LAYERMATRICES_H
