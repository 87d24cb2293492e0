//===- Tensor.h - Tensors of the reference interpreter ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value of the reference interpreter is a row-major array of doubles:
// integers and indices too, which are exact up to 2^53 (i1 is 0 or 1).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_TENSOR_H
#define CLIQUE_COMPILER_REFERENCE_TENSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <dlpack/dlpack.h>
#include <memory>
#include <vector>

namespace clique {

/// A tensor in double precision; a scalar has an empty shape and one element.
struct ReferenceTensor {
  std::vector<int64_t> shape;
  std::vector<double> data;

  /// Converts each element exactly (i64 beyond 2^53: to the nearest double).
  /// Takes bf16, f16, f32, f64 and integers of 8 to 64 bits, row-major
  /// and contiguous on the CPU; anything else is an error.
  static llvm::Expected<ReferenceTensor> fromDLPack(const DLTensor &tensor);
};

namespace reference {
using Shape = mlir::SmallVector<int64_t, 4>;
using TensorPtr = std::shared_ptr<const ReferenceTensor>;

/// The product of the sizes; 1 for a scalar.
int64_t getNumElements(mlir::ArrayRef<int64_t> shape);

/// `2x3`, or `a scalar`, for messages.
std::string describeShape(mlir::ArrayRef<int64_t> shape);

/// The nearest int64_t: saturates, and takes NaN to 0.
int64_t toInteger(double value);
} // namespace reference
} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_TENSOR_H
