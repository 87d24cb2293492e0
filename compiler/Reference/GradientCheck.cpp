//===- GradientCheck.cpp - Gradients against differences ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/GradientCheck.h"

#include <cmath>
#include <random>

using namespace clique;
using namespace mlir;

double DirectionalDerivative::getError() const {
  double size = std::max({std::abs(gradient), std::abs(difference), scale});
  double error = std::abs(gradient - difference);
  // Also of NaN and infinity.
  if (!std::isfinite(error))
    return std::numeric_limits<double>::infinity();
  return error > rounding ? (error - rounding) / size : 0;
}

static ReferenceTensor makeRandom(ArrayRef<int64_t> shape, uint64_t seed) {
  std::mt19937_64 bits(seed);
  ReferenceTensor tensor;
  tensor.shape = shape;
  tensor.data.resize(reference::getNumElements(shape));
  for (double &value : tensor.data)
    value = double(bits() >> 11) * 0x1p-52 - 1;
  return tensor;
}

SmallVector<ReferenceTensor>
clique::makeCotangents(const ReferenceGradient &gradient,
                       ArrayRef<ReferenceTensor> results, uint64_t seed) {
  SmallVector<ReferenceTensor> cotangents;
  for (int64_t index : gradient.results)
    cotangents.push_back(makeRandom(results[index].shape, seed * 31 + index));
  return cotangents;
}

static ReferenceValue share(ReferenceTensor tensor) {
  return std::make_shared<const ReferenceTensor>(std::move(tensor));
}

namespace {
/// The function along a line through its arguments.
class Line {
public:
  Line(const ReferenceGradient &gradient, ArrayRef<ReferenceValue> arguments,
       ArrayRef<ReferenceTensor> cotangents)
      : gradient(gradient), arguments(arguments), cotangents(cotangents) {}

  struct Point {
    /// <cotangents, f(x + t v)>, and the sum of its terms' magnitudes.
    double value = 0, magnitude = 0;
  };
  /// v is a direction of one argument.
  FailureOr<Point> evaluate(int64_t argument, const ReferenceTensor &direction,
                            double t) const {
    SmallVector<ReferenceValue> moved(arguments);
    ReferenceTensor tensor =
        *std::get<std::shared_ptr<const ReferenceTensor>>(arguments[argument]);
    for (auto [value, step] : llvm::zip_equal(tensor.data, direction.data))
      value += t * step;
    moved[argument] = share(std::move(tensor));
    FailureOr<SmallVector<ReferenceTensor>> results =
        evaluateReference(gradient.function, moved);
    if (failed(results))
      return failure();
    Point point;
    for (auto [index, cotangent] :
         llvm::zip_equal(gradient.results, cotangents))
      for (auto [value, weight] :
           llvm::zip_equal((*results)[index].data, cotangent.data)) {
        point.value += value * weight;
        point.magnitude += std::abs(value * weight);
      }
    return point;
  }

private:
  const ReferenceGradient &gradient;
  ArrayRef<ReferenceValue> arguments;
  ArrayRef<ReferenceTensor> cotangents;
};
} // namespace

/// Where a kink or rounding spoils one step, another is not: a wrong gradient
/// agrees with none.
static constexpr double kSteps[] = {1e-5, 1e-6, 1e-7};

static LogicalResult difference(const Line &line, const ReferenceTensor &v,
                                DirectionalDerivative &result) {
  double least = std::numeric_limits<double>::infinity();
  for (double step : kSteps) {
    FailureOr<Line::Point> above = line.evaluate(result.argument, v, step);
    FailureOr<Line::Point> below = line.evaluate(result.argument, v, -step);
    if (failed(above) || failed(below))
      return failure();
    DirectionalDerivative tried = result;
    tried.difference = (above->value - below->value) / (2 * step);
    tried.rounding = 4 * std::numeric_limits<double>::epsilon() *
                     above->magnitude / kSteps[0];
    if (step != kSteps[0] && !(tried.getError() < least))
      continue;
    least = tried.getError();
    result = tried;
    if (least < 1e-8)
      break;
  }
  return success();
}

FailureOr<SmallVector<DirectionalDerivative>>
clique::checkGradient(const ReferenceGradient &gradient,
                      ArrayRef<ReferenceValue> arguments, uint64_t seed) {
  FailureOr<SmallVector<ReferenceTensor>> results =
      evaluateReference(gradient.forward, arguments);
  if (failed(results))
    return failure();
  SmallVector<ReferenceTensor> cotangents =
      makeCotangents(gradient, *results, seed);
  SmallVector<ReferenceValue> values(arguments);
  for (int64_t index : gradient.kept)
    values.push_back(share((*results)[index]));
  for (const ReferenceTensor &cotangent : cotangents)
    values.push_back(share(cotangent));
  FailureOr<SmallVector<ReferenceTensor>> gradients =
      evaluateReference(gradient.backward, values);
  if (failed(gradients))
    return failure();

  Line line(gradient, arguments, cotangents);
  SmallVector<DirectionalDerivative> derivatives;
  for (auto [index, own] : llvm::zip_equal(gradient.arguments, *gradients)) {
    DirectionalDerivative derivative{index};
    ReferenceTensor direction = makeRandom(own.shape, seed * 37 + index + 1);
    double squares = 0;
    for (auto [slope, step] : llvm::zip_equal(own.data, direction.data)) {
      derivative.gradient += slope * step;
      squares += slope * step * slope * step;
    }
    derivative.scale = std::sqrt(squares);
    if (failed(difference(line, direction, derivative)))
      return failure();
    derivatives.push_back(derivative);
  }
  return derivatives;
}
