//===- Compare.h - Results against the reference ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a computed tensor is from the reference interpreter's.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_COMPARE_H
#define CLIQUE_COMPILER_REFERENCE_COMPARE_H

#include "compiler/Reference/Tensor.h"

namespace clique {

/// The worst element of a tensor.
struct ReferenceComparison {
  /// The largest difference, divided by the largest finite magnitude of the
  /// reference (by 1 if there is none above 0). A NaN on one side only, or an
  /// infinity that the other side does not have, is an infinite error; equal
  /// infinities and NaNs on both sides agree.
  double error = 0;
  /// Where: an index per dimension; empty for scalars and empty tensors.
  std::vector<int64_t> position;
  double actual = 0, expected = 0;
};

/// Compares element by element. Different shapes, or a tensor that cannot be
/// read (see ReferenceTensor::fromDLPack), are an error.
llvm::Expected<ReferenceComparison>
compareWithReference(const DLTensor &actual, const ReferenceTensor &expected);

/// The error that rounding explains in a result of this type.
/// `exactProducts`: products of f32 keep all bits of their factors.
double getTolerance(DLDataType type, bool exactProducts);

} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_COMPARE_H
