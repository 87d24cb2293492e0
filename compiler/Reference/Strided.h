//===- Strided.h - Walks over index spaces ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_STRIDED_H
#define CLIQUE_COMPILER_REFERENCE_STRIDED_H

#include "compiler/Reference/Tensor.h"

namespace clique::reference {

/// Elements from one index to the next, per dimension.
inline Shape getRowMajorStrides(mlir::ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// Calls `fn` with each index of `shape`, the last dimension fastest.
template <typename Fn>
void forEachIndex(mlir::ArrayRef<int64_t> shape, Fn fn) {
  if (llvm::is_contained(shape, 0))
    return;
  Shape index(shape.size());
  while (true) {
    fn(mlir::ArrayRef<int64_t>(index));
    size_t dim = shape.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_STRIDED_H
