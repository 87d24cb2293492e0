//===- Aggregate.cpp - Many values to one ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Aggregate.h"
#include "compiler/Reference/Integer.h"

#include <cmath>

using namespace clique;
using namespace clique::reference;
using namespace mlir;
using mp::AggregatorKind;

/// One column: `count` values, `width` apart.
static double reduceColumn(AggregatorKind kind, const double *values,
                           int64_t count, int64_t width) {
  double sum = 0, most = values[0], least = values[0];
  for (int64_t k = 0; k < count; ++k) {
    double value = values[k * width];
    sum += value;
    most = maximum(most, value);
    least = minimum(least, value);
  }
  if (kind == AggregatorKind::sum)
    return sum;
  if (kind == AggregatorKind::max)
    return most;
  if (kind == AggregatorKind::min)
    return least;
  double mean = sum / count;
  if (kind == AggregatorKind::mean)
    return mean;
  double squares = 0;
  for (int64_t k = 0; k < count; ++k)
    squares += (values[k * width] - mean) * (values[k * width] - mean);
  return std::sqrt(squares / count);
}

void reference::reduceRows(AggregatorKind kind, const double *rows,
                           int64_t count, int64_t width, double *result) {
  // Where there are no rows, `rows` may be null.
  if (count == 0) {
    std::fill_n(result, width, 0);
    return;
  }
  for (int64_t column = 0; column < width; ++column)
    result[column] = reduceColumn(kind, rows + column, count, width);
}

void reference::softmaxRows(const double *scores, int64_t scoreWidth,
                            const double *rows, int64_t count, int64_t width,
                            double *result) {
  std::fill_n(result, width, 0);
  int64_t group = width / scoreWidth;
  for (int64_t s = 0; s < scoreWidth; ++s) {
    double most = -INFINITY;
    for (int64_t k = 0; k < count; ++k)
      most = maximum(most, scores[k * scoreWidth + s]);
    if (most == -INFINITY)
      continue;
    double *part = result + s * group;
    double total = 0;
    for (int64_t k = 0; k < count; ++k) {
      double weight = std::exp(scores[k * scoreWidth + s] - most);
      total += weight;
      for (int64_t c = 0; c < group; ++c)
        part[c] += weight * rows[k * width + s * group + c];
    }
    for (int64_t c = 0; c < group; ++c)
      part[c] /= total;
  }
}

void reference::logSumExpRows(const double *scores, int64_t count,
                              int64_t width, double *result) {
  for (int64_t s = 0; s < width; ++s) {
    double most = -INFINITY, total = 0;
    for (int64_t k = 0; k < count; ++k)
      most = maximum(most, scores[k * width + s]);
    for (int64_t k = 0; k < count; ++k)
      total += std::exp(scores[k * width + s] - most);
    result[s] = most == -INFINITY ? 0 : most + std::log(total);
  }
}

MonoidFold::MonoidFold(const Monoid &monoid)
    : identity(monoid.identity.makeFrame()), lift(monoid.lift.makeFrame()),
      combine(monoid.combine.makeFrame()),
      finalise(monoid.finalise.makeFrame()) {
  for (int64_t size : monoid.identity.program.resultSizes)
    state.emplace_back(size);
}

void MonoidFold::keepState(const Frame &frame) {
  for (auto [i, part] : llvm::enumerate(state))
    std::copy_n(frame.getResult(i), part.size(), part.begin());
}

void MonoidFold::start() {
  identity.run();
  keepState(identity);
}

void MonoidFold::add(ArrayRef<const double *> values) {
  for (auto [i, value] : llvm::enumerate(values))
    lift.set(i, value);
  lift.run();
  for (size_t i = 0; i < state.size(); ++i) {
    combine.set(i, state[i].data());
    combine.set(state.size() + i, lift.getResult(i));
  }
  combine.run();
  keepState(combine);
}

void MonoidFold::finish() {
  for (auto [i, part] : llvm::enumerate(state))
    finalise.set(i, part.data());
  finalise.run();
}
