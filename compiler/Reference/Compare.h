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

#include <limits>
#include <optional>

namespace clique {

/// How far a result may be from the reference. Differences are compared with
/// the largest finite magnitude of the whole tensor, and with that of their own
/// row (all elements with one first index: a node's, an edge's), so that what
/// is wrong in a row of small values shows beside one of large values.
struct ReferenceTolerance {
  double ofLargest = 0;
  double ofRow = std::numeric_limits<double>::infinity();
  /// How many times the difference that rounding alone makes is taken to be
  /// rounding. Compiled code sums in another order, and its elementary
  /// functions have errors of a unit in the last place or two.
  double ofRounding = 8;
};

/// The worst element of a tensor: of those that differ by too much, or of all
/// if there are none.
struct ReferenceComparison {
  bool agrees = true;
  /// The difference, divided by the largest finite magnitude of the reference
  /// where the result is finite too (by 1 if there is none above 0). A NaN on
  /// one side only, or an infinity that the other side does not have, is an
  /// infinite error; equal infinities and NaNs on both sides agree.
  double error = 0;
  /// The same, divided by the largest finite magnitude of its row.
  double errorOfRow = 0;
  /// The largest difference that rounding alone made near the element, measured
  /// as `error`; none if that was not looked at, and of integers.
  std::optional<double> rounding;
  /// Where: an index per dimension; empty for scalars and empty tensors.
  std::vector<int64_t> position;
  double actual = 0, expected = 0;
  /// Elements of the result that are NaN.
  int64_t numNaN = 0;
};

/// Compares element by element. `rounded` is what the interpreter makes of the
/// same arguments with a ReferencePrecision, once or more often. What differs
/// by no more than a multiple of the differences that they show agrees; so does
/// a NaN, an infinity or an integer that one of them has in the same place.
/// Different shapes, or a tensor that cannot be read (see
/// ReferenceTensor::fromDLPack), are an error.
llvm::Expected<ReferenceComparison>
compareWithReference(const DLTensor &actual, const ReferenceTensor &expected,
                     const ReferenceTolerance &tolerance = {},
                     llvm::ArrayRef<const ReferenceTensor *> rounded = {});

/// The error that rounding explains in a result of this type: of the largest
/// value, and half of these digits in each row.
/// `exactProducts`: products of f32 keep all bits of their factors.
ReferenceTolerance getTolerance(DLDataType type, bool exactProducts);

} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_COMPARE_H
