//===- Oracle.cpp - What a call should give -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Oracle.h"

using namespace clique;
using namespace mlir;

LogicalResult Oracle::evaluate() {
  auto values = evaluateReference(function, arguments);
  if (failed(values))
    return failure();
  results = std::move(*values);
  return success();
}

/// Runs with rounding, each of its own kind.
static constexpr size_t kNumRounded = 7;

LogicalResult Oracle::evaluateRounded() {
  ReferencePrecision precision;
  precision.seed = rounded.size();
  precision.f32Bits = f32Bits;
  // What is stored may be equal where what is not yet stored differs.
  precision.storesHalves = rounded.size() % 2 == 0;
  precision.roundsPlacesAlike = rounded.size() % 4 >= 2;
  precision.roundsToNearest = rounded.size() + 1 == kNumRounded;
  auto values = evaluateReference(function, arguments, precision);
  if (failed(values))
    return failure();
  rounded.push_back(std::move(*values));
  return success();
}

llvm::Expected<ReferenceComparison>
Oracle::compare(unsigned index, const DLTensor &actual,
                const ReferenceTolerance &tolerance, bool mayRound) {
  auto comparison = compareWithReference(actual, results[index], tolerance);
  if (!comparison || comparison->agrees || !mayRound)
    return comparison;
  // Each run may add to what rounding explains, and takes nothing away: no more
  // are made than it takes.
  for (size_t count = 1; count <= kNumRounded; ++count) {
    if (count > rounded.size() && failed(evaluateRounded()))
      return comparison;
    auto others = llvm::map_to_vector(
        ArrayRef(rounded).take_front(count),
        [&](const SmallVector<ReferenceTensor> &run) { return &run[index]; });
    comparison =
        compareWithReference(actual, results[index], tolerance, others);
    if (!comparison || comparison->agrees)
      break;
  }
  return comparison;
}
