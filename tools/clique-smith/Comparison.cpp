//===- Comparison.cpp - Results and what is expected ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Comparison.h"
#include "tools/clique-run/Verification.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace clique;
using namespace clique::smith;

/// As `clique-run --verify` does, but for results of a layer that are small
/// everywhere, or 0: what is left of numbers of about 1 is rounding where they
/// cancel.
static ReferenceTolerance getSmithTolerance(DLDataType type,
                                            const ReferenceTensor &expected) {
  constexpr double smallest = 0.02;
  double largest = 0;
  for (double value : expected.data)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  ReferenceTolerance tolerance = getTolerance(type, /*exactProducts=*/true);
  if (largest < smallest)
    tolerance = {tolerance.ofLargest * smallest / (largest > 0 ? largest : 1)};
  return tolerance;
}

std::optional<std::string>
clique::smith::findDifference(Oracle &oracle, const LayerSignature &signature,
                              ArrayRef<TensorHandle> results) {
  const ArrayRef<ReferenceTensor> expected = oracle.getResults();
  for (auto [k, result] : enumerate(results)) {
    const unsigned index = unsigned(k % expected.size());
    const LayerArgument &description = signature.results[k];
    const ReferenceTolerance tolerance =
        getSmithTolerance(description.dtype, expected[index]);
    auto comparison = oracle.compare(index, result->dl_tensor, tolerance);
    if (!comparison)
      return toString(comparison.takeError());
    if (comparison->agrees)
      continue;
    std::string place;
    for (int64_t position : comparison->position)
      place += (place.empty() ? "" : ", ") + std::to_string(position);
    return formatv("{0}: error {1:E2} of the largest value, {2:E2} of the "
                   "largest of its row (rounding alone gives {3:E1}); at "
                   "[{4}] it is {5:F8}, the reference has {6:F8}",
                   description.name, comparison->error, comparison->errorOfRow,
                   comparison->rounding.value_or(0), place, comparison->actual,
                   comparison->expected)
        .str();
  }
  return std::nullopt;
}

std::optional<std::string>
clique::smith::findOtherBits(const LayerSignature &signature,
                             ArrayRef<TensorHandle> one,
                             ArrayRef<TensorHandle> two, StringRef ways) {
  for (auto [k, result] : enumerate(one)) {
    const DLTensor &a = result->dl_tensor, &b = two[k]->dl_tensor;
    const size_t bytes = size_t(getNumElements(a)) * a.dtype.bits / 8;
    if (getNumElements(a) != getNumElements(b) ||
        std::memcmp(a.data, b.data, bytes) != 0)
      return (signature.results[k].name + ": " + ways + " give other bits")
          .str();
  }
  return std::nullopt;
}
