//===- Compare.cpp - Results against the reference ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Compare.h"

#include <cmath>
#include <limits>

using namespace clique;

/// The largest finite magnitude, 1 if all are zero.
static double getScale(const std::vector<double> &values) {
  double scale = 0;
  for (double value : values)
    if (std::isfinite(value))
      scale = std::max(scale, std::abs(value));
  return scale > 0 ? scale : 1;
}

static double getDifference(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return 0;
  double difference = std::abs(actual - expected);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                : difference;
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

llvm::Expected<ReferenceComparison>
clique::compareWithReference(const DLTensor &actual,
                             const ReferenceTensor &expected) {
  llvm::Expected<ReferenceTensor> values = ReferenceTensor::fromDLPack(actual);
  if (!values)
    return values.takeError();
  if (values->shape != expected.shape)
    return llvm::createStringError(
        "shapes differ: the result is %s, the reference %s",
        reference::describeShape(values->shape).c_str(),
        reference::describeShape(expected.shape).c_str());

  ReferenceComparison comparison;
  if (expected.data.empty())
    return comparison;
  double largest = -1;
  size_t worst = 0;
  for (size_t i = 0; i < expected.data.size(); ++i) {
    double difference = getDifference(values->data[i], expected.data[i]);
    if (difference <= largest)
      continue;
    largest = difference;
    worst = i;
  }
  comparison.error = largest / getScale(expected.data);
  comparison.position = getPosition(worst, expected.shape);
  comparison.actual = values->data[worst];
  comparison.expected = expected.data[worst];
  return comparison;
}

double clique::getTolerance(DLDataType type, bool exactProducts) {
  if (type.code == kDLBfloat)
    return 2e-2;
  if (type.code == kDLFloat)
    return type.bits == 16   ? 2e-3
           : type.bits == 64 ? 1e-12
           : exactProducts   ? 1e-5
                             : 1e-2;
  return 0; // integers
}
