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
/// <cotangents, results>, and the sum of its terms' magnitudes.
struct Weighted {
  double value = 0, magnitude = 0;
};
} // namespace

static Weighted weigh(const ReferenceGradient &gradient,
                      ArrayRef<ReferenceTensor> results,
                      ArrayRef<ReferenceTensor> cotangents) {
  Weighted sum;
  for (auto [index, cotangent] : llvm::zip_equal(gradient.results, cotangents))
    for (auto [value, weight] :
         llvm::zip_equal(results[index].data, cotangent.data)) {
      sum.value += value * weight;
      sum.magnitude += std::abs(value * weight);
    }
  return sum;
}

namespace {
/// The function along a line through its arguments.
class Line {
public:
  Line(const ReferenceGradient &gradient, ArrayRef<ReferenceValue> arguments,
       ArrayRef<ReferenceTensor> cotangents)
      : gradient(gradient), arguments(arguments), cotangents(cotangents) {}

  /// f(x + t v); v is a direction of one argument.
  FailureOr<Weighted>
  evaluate(int64_t argument, const ReferenceTensor &direction, double t) const {
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
    return weigh(gradient, *results, cotangents);
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
/// An error that needs no second look.
static constexpr double kClose = 1e-8;

static LogicalResult difference(const Line &line, const ReferenceTensor &v,
                                DirectionalDerivative &result) {
  // Not relative to the difference, which beside a gradient of 0 is all noise:
  // a hundred times as much with the last step as with the first.
  double least = std::numeric_limits<double>::infinity();
  for (double step : kSteps) {
    FailureOr<Weighted> above = line.evaluate(result.argument, v, step);
    FailureOr<Weighted> below = line.evaluate(result.argument, v, -step);
    if (failed(above) || failed(below))
      return failure();
    DirectionalDerivative tried = result;
    tried.difference = (above->value - below->value) / (2 * step);
    tried.rounding = 4 * std::numeric_limits<double>::epsilon() *
                     above->magnitude / kSteps[0];
    const double error = std::abs(tried.gradient - tried.difference);
    if (step != kSteps[0] && !(error < least))
      continue;
    least = std::isfinite(error) ? error : least;
    result = tried;
    if (result.getError() < kClose)
      break;
  }
  return success();
}

namespace {
/// The forward and the backward function, in double precision or rounded.
struct Evaluation {
  SmallVector<ReferenceTensor> results, cotangents, gradients;
};
} // namespace

static FailureOr<Evaluation> evaluate(const ReferenceGradient &gradient,
                                      ArrayRef<ReferenceValue> arguments,
                                      uint64_t seed,
                                      const ReferencePrecision &precision) {
  FailureOr<SmallVector<ReferenceTensor>> results =
      evaluateReference(gradient.forward, arguments, precision);
  if (failed(results))
    return failure();
  Evaluation made;
  made.cotangents = makeCotangents(gradient, *results, seed);
  SmallVector<ReferenceValue> values(arguments);
  for (int64_t index : gradient.kept)
    values.push_back(share((*results)[index]));
  for (const ReferenceTensor &cotangent : made.cotangents)
    values.push_back(share(cotangent));
  FailureOr<SmallVector<ReferenceTensor>> gradients =
      evaluateReference(gradient.backward, values, precision);
  if (failed(gradients))
    return failure();
  made.results = std::move(*results);
  made.gradients = std::move(*gradients);
  return made;
}

/// <gradient, v>
static double multiply(const ReferenceTensor &gradient,
                       const ReferenceTensor &v) {
  double sum = 0;
  for (auto [slope, step] : llvm::zip_equal(gradient.data, v.data))
    sum += slope * step;
  return sum;
}

/// Terms that cancel leave the rounding of each, however small the sum. How
/// much shows in arithmetic with fewer bits, which makes errors as much larger.
/// What that changes in another way (it takes another branch) is divided, too:
/// no excuse for a wrong gradient.
static LogicalResult
addRounding(const ReferenceGradient &gradient,
            ArrayRef<ReferenceValue> arguments, uint64_t seed,
            const Evaluation &exact, ArrayRef<ReferenceTensor> directions,
            MutableArrayRef<DirectionalDerivative> derivatives) {
  constexpr unsigned bits = 24;
  const double unit = std::ldexp(1, int(bits) - 53);
  SmallVector<double> largest(derivatives.size(), 0);
  for (unsigned run = 0; run < 8; ++run) {
    ReferencePrecision precision;
    precision.seed = run;
    precision.f32Bits = precision.f64Bits = bits;
    precision.storesHalves = false;
    precision.roundsPlacesAlike = run % 2 == 1;
    FailureOr<Evaluation> rounded =
        evaluate(gradient, arguments, seed, precision);
    if (failed(rounded))
      return failure();
    const double ofValue =
        std::abs(weigh(gradient, rounded->results, exact.cotangents).value -
                 weigh(gradient, exact.results, exact.cotangents).value);
    for (auto [derivative, v, own, most] :
         llvm::zip_equal(derivatives, directions, rounded->gradients, largest))
      most = std::max(most, std::abs(multiply(own, v) - derivative.gradient) +
                                ofValue / kSteps[0]);
  }
  for (auto [derivative, most] : llvm::zip_equal(derivatives, largest))
    if (std::isfinite(most))
      derivative.rounding += 4 * unit * most;
  return success();
}

FailureOr<SmallVector<DirectionalDerivative>>
clique::checkGradient(const ReferenceGradient &gradient,
                      ArrayRef<ReferenceValue> arguments, uint64_t seed) {
  FailureOr<Evaluation> exact = evaluate(gradient, arguments, seed, {});
  if (failed(exact))
    return failure();
  Line line(gradient, arguments, exact->cotangents);
  SmallVector<DirectionalDerivative> derivatives;
  SmallVector<ReferenceTensor> directions;
  for (auto [index, own] :
       llvm::zip_equal(gradient.arguments, exact->gradients)) {
    DirectionalDerivative derivative{index};
    ReferenceTensor direction = makeRandom(own.shape, seed * 37 + index + 1);
    derivative.gradient = multiply(own, direction);
    double squares = 0;
    for (auto [slope, step] : llvm::zip_equal(own.data, direction.data))
      squares += slope * step * slope * step;
    derivative.scale = std::sqrt(squares);
    if (failed(difference(line, direction, derivative)))
      return failure();
    derivatives.push_back(derivative);
    directions.push_back(std::move(direction));
  }
  auto isClose = [](const DirectionalDerivative &derivative) {
    return derivative.getError() < kClose;
  };
  if (!llvm::all_of(derivatives, isClose) &&
      failed(addRounding(gradient, arguments, seed, *exact, directions,
                         derivatives)))
    return failure();
  return derivatives;
}
