//===- Compare.cpp - Results against the reference ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Compare.h"

#include <cmath>
#include <limits>

using namespace clique;

static double getDifference(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return 0;
  double difference = std::abs(actual - expected);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                : difference;
}

/// The largest finite one of some numbers, 0 if there is none.
template <typename Get>
static double getLargest(size_t begin, size_t end, Get get) {
  double largest = 0;
  for (size_t i = begin; i < end; ++i)
    if (double value = std::abs(get(i)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

static std::vector<int64_t> getPosition(int64_t element,
                                        const std::vector<int64_t> &shape) {
  std::vector<int64_t> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    position[dim] = element % shape[dim];
    element /= shape[dim];
  }
  return position;
}

/// Integers and truth values are exact.
static bool isRounded(DLDataType type) {
  return type.code == kDLFloat || type.code == kDLBfloat;
}

namespace {
/// A tensor that is compared.
class Comparison {
public:
  Comparison(const ReferenceTensor &actual, const ReferenceTensor &expected,
             const ReferenceTolerance &tolerance,
             llvm::ArrayRef<const ReferenceTensor *> rounded, bool isExact)
      : actual(actual.data), expected(expected.data), tolerance(tolerance),
        rounded(rounded), isExact(isExact),
        largest(getLargestExpected(0, expected.data.size())) {
    if (!expected.shape.empty())
      rowSize = this->expected.size() / expected.shape[0];
  }

  /// Compares all rows, and leaves the worst element.
  void run();

  size_t worst = 0;
  std::pair<double, double> worstExcess = {-1, -1};
  double rowScale = 0, rounding = 0;
  bool agrees = true;
  double getScale() const { return largest > 0 ? largest : 1; }

private:
  /// Of what overflowed the size means nothing.
  double getLargestExpected(size_t begin, size_t end) const {
    return getLargest(begin, end, [&](size_t i) {
      return std::isfinite(actual[i]) ? expected[i] : 0;
    });
  }
  double getLargestRounding(size_t begin, size_t end) const;
  bool isExplained(size_t element) const;
  void compareRow(size_t begin, size_t end, double rowRounding);

  const std::vector<double> &actual, &expected;
  const ReferenceTolerance &tolerance;
  llvm::ArrayRef<const ReferenceTensor *> rounded;
  bool isExact;
  double largest;
  size_t rowSize = 1;
};
} // namespace

/// Of integers how far they are from each other says nothing: numbers of edges
/// that are as good lie anywhere.
double Comparison::getLargestRounding(size_t begin, size_t end) const {
  double most = 0;
  if (isExact)
    return most;
  for (const ReferenceTensor *other : rounded)
    most = std::max(most, getLargest(begin, end, [&](size_t i) {
                      return other->data[i] - expected[i];
                    }));
  return most;
}

/// A rounded run has the same NaN, infinity or integer.
bool Comparison::isExplained(size_t element) const {
  return llvm::any_of(rounded, [&](const ReferenceTensor *other) {
    return getDifference(actual[element], other->data[element]) == 0;
  });
}

void Comparison::compareRow(size_t begin, size_t end, double rowRounding) {
  const double largestOfRow = getLargestExpected(begin, end);
  const double allowed = std::max(std::min(tolerance.ofLargest * getScale(),
                                           tolerance.ofRow * largestOfRow),
                                  tolerance.ofRounding * rowRounding);
  for (size_t i = begin; i < end; ++i) {
    double difference = getDifference(actual[i], expected[i]);
    const bool mayBeOther = isExact ? difference > 0 : std::isinf(difference);
    if (mayBeOther && isExplained(i))
      continue;
    // The worst one differs by the largest multiple of what it may.
    const bool isAllowed = difference <= allowed;
    const std::pair excess(isAllowed ? 0 : difference / allowed, difference);
    if (isAllowed > agrees || (isAllowed == agrees && excess <= worstExcess))
      continue;
    agrees = isAllowed;
    worst = i;
    worstExcess = excess;
    rowScale = largestOfRow;
    rounding = rowRounding;
  }
}

void Comparison::run() {
  // The difference that rounding made in one place is a matter of luck; that in
  // the next few hundred elements is not.
  constexpr size_t enough = 256;
  const size_t count = expected.size();
  const size_t together = std::max<size_t>(1, enough / rowSize) * rowSize;
  for (size_t begin = 0; begin < count; begin += together) {
    const size_t end = std::min(begin + together, count);
    const double roundingHere = getLargestRounding(begin, end);
    for (size_t row = begin; row < end; row += rowSize)
      compareRow(row, row + rowSize, roundingHere);
  }
}

llvm::Expected<ReferenceComparison>
clique::compareWithReference(const DLTensor &actual,
                             const ReferenceTensor &expected,
                             const ReferenceTolerance &tolerance,
                             llvm::ArrayRef<const ReferenceTensor *> rounded) {
  llvm::Expected<ReferenceTensor> values = ReferenceTensor::fromDLPack(actual);
  if (!values)
    return values.takeError();
  if (values->shape != expected.shape)
    return llvm::createStringError(
        "shapes differ: the result is %s, the reference %s",
        reference::describeShape(values->shape).c_str(),
        reference::describeShape(expected.shape).c_str());

  ReferenceComparison result;
  if (expected.data.empty())
    return result;
  const bool isExact = !isRounded(actual.dtype);
  Comparison comparison(*values, expected, tolerance, rounded, isExact);
  comparison.run();
  result.agrees = comparison.agrees;
  result.actual = values->data[comparison.worst];
  result.expected = expected.data[comparison.worst];
  result.numNaN = llvm::count_if(
      values->data, [](double value) { return std::isnan(value); });
  const double difference = getDifference(result.actual, result.expected);
  result.error = difference / comparison.getScale();
  result.errorOfRow = difference > 0 ? difference / comparison.rowScale : 0;
  if (!rounded.empty() && !isExact)
    result.rounding = comparison.rounding / comparison.getScale();
  result.position = getPosition(comparison.worst, expected.shape);
  return result;
}

static double getToleranceOfLargest(DLDataType type, bool exactProducts) {
  if (!isRounded(type))
    return 0;
  if (type.code == kDLBfloat)
    return 2e-2;
  return type.bits == 16   ? 2e-3
         : type.bits == 64 ? 1e-12
         : exactProducts   ? 1e-5
                           : 1e-2;
}

ReferenceTolerance clique::getTolerance(DLDataType type, bool exactProducts) {
  const double ofLargest = getToleranceOfLargest(type, exactProducts);
  return {ofLargest, std::sqrt(ofLargest)};
}
