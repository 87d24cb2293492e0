//===- Aggregate.cpp - Many values to one ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Aggregate.h"
#include "compiler/Reference/Integer.h"

#include <cmath>
#include <functional>

using namespace clique;
using namespace clique::reference;
using namespace mlir;
using mp::AggregatorKind;

/// `get(begin)`, `get(begin + 1)` ... combined; where that is rounded, many of
/// them by halves: compiled code does not go through long rows one after the
/// other either.
template <typename Round, typename Combine, typename Get>
static double fold(double identity, int64_t begin, int64_t end, Round round,
                   Combine combine, Get get) {
  constexpr int64_t few = 64;
  if (!std::is_same_v<Round, NoRounding> && end - begin > few) {
    int64_t middle = begin + (end - begin) / 2;
    return round(combine(fold(identity, begin, middle, round, combine, get),
                         fold(identity, middle, end, round, combine, get)));
  }
  double result = identity;
  for (int64_t k = begin; k < end; ++k)
    result = round(combine(result, get(k)));
  return result;
}

/// The sum of `get(0)`, `get(1)` ...
template <typename Round, typename Get>
static double addUp(int64_t count, Round round, Get get) {
  return fold(0, 0, count, round, std::plus<double>(), get);
}

/// A mean, or a weighted one. Compiled code multiplies with a reciprocal, or
/// with the part that some of the rows are of all.
template <typename Round>
static double divide(double sum, double total, Round round) {
  if (std::is_same_v<Round, NoRounding>)
    return sum / total;
  return round(sum * round(1 / total));
}

/// x + y as a rounded sum and what rounding took from it (D. E. Knuth, "The Art
/// of Computer Programming 2", 4.2.2, theorem B).
template <typename Round>
static std::pair<double, double> addInTwoParts(double x, double y,
                                               Round round) {
  const double sum = round(x + y), ofY = sum - x;
  return {sum, round((x - (sum - ofY)) + (y - ofY))};
}

/// log sum exp of `count` scores, `width` apart, and its low part; 0 where none
/// is above -inf.
template <typename Round>
static std::pair<double, double> logSumExpColumn(const double *scores,
                                                 int64_t count, int64_t width,
                                                 Round round) {
  double most = -INFINITY;
  for (int64_t k = 0; k < count; ++k)
    most = maximum(most, scores[k * width]);
  if (most == -INFINITY)
    return {0, 0};
  // Kernels take another number off the scores, up to 8 less (mp-bound-scores,
  // and tiles of a running maximum): what is rounded shows what that costs. No
  // whole number, which f32 would give back.
  double from = std::is_same_v<Round, NoRounding> ? most : most - 7.7;
  double total = addUp(count, round, [&](int64_t k) {
    return round(std::exp(round(scores[k * width] - from)));
  });
  return addInTwoParts(from, round(std::log(total)), round);
}

/// One column: `count` values, `width` apart.
template <typename Round>
static double reduceColumn(AggregatorKind kind, const double *values,
                           int64_t count, int64_t width, Round round) {
  auto get = [=](int64_t k) { return values[k * width]; };
  if (kind == AggregatorKind::max || kind == AggregatorKind::min) {
    double result = get(0);
    for (int64_t k = 1; k < count; ++k)
      result = kind == AggregatorKind::max ? maximum(result, get(k))
                                           : minimum(result, get(k));
    return result;
  }
  if (kind == AggregatorKind::prod)
    return fold(1, 0, count, round, std::multiplies<double>(), get);
  if (kind == AggregatorKind::logsumexp)
    return logSumExpColumn(values, count, width, round).first;
  if (kind == AggregatorKind::sum)
    return addUp(count, round, get);
  if (kind == AggregatorKind::mean)
    return divide(addUp(count, round, get), double(count), round);
  // Of equal values nothing but the mean's error is left.
  double mean =
      divide(addUp(count, round.makeAlike(), get), double(count), round);
  double squares = addUp(count, round, [=](int64_t k) {
    double centred = round(get(k) - mean);
    return centred * centred;
  });
  return round(std::sqrt(divide(squares, double(count), round)));
}

/// Calls `fn` with how to round.
template <typename Fn>
static void apply(const std::optional<RandomRounding> &rounding, Fn fn) {
  if (rounding)
    fn(*rounding);
  else
    fn(NoRounding());
}

void RowAggregator::reduce(AggregatorKind kind, const double *rows,
                           int64_t count, int64_t width, double *result) const {
  // Where there are no rows, `rows` may be null.
  if (count == 0) {
    std::fill_n(result, width, kind == AggregatorKind::prod ? 1 : 0);
    return;
  }
  apply(rounding, [=](auto round) {
    for (int64_t column = 0; column < width; ++column)
      result[column] = reduceColumn(kind, rows + column, count, width, round);
  });
}

/// The part of a softmax that one score weighs, `group` values of each row.
template <typename Round>
static void softmaxPart(const double *scores, int64_t scoreWidth,
                        const double *rows, int64_t count, int64_t width,
                        int64_t group, double *part, Round round) {
  double most = -INFINITY;
  for (int64_t k = 0; k < count; ++k)
    most = maximum(most, scores[k * scoreWidth]);
  if (most == -INFINITY)
    return;
  std::vector<double> weights(count);
  for (int64_t k = 0; k < count; ++k)
    weights[k] = round(std::exp(round(scores[k * scoreWidth] - most)));
  double total = addUp(count, round, [&](int64_t k) { return weights[k]; });
  for (int64_t c = 0; c < group; ++c)
    part[c] = divide(
        addUp(count, round,
              [&](int64_t k) { return weights[k] * rows[k * width + c]; }),
        total, round);
}

void RowAggregator::softmax(const double *scores, int64_t scoreWidth,
                            const double *rows, int64_t count, int64_t width,
                            double *result) const {
  std::fill_n(result, width, 0);
  if (count == 0)
    return;
  int64_t group = width / scoreWidth;
  apply(rounding, [=](auto round) {
    for (int64_t s = 0; s < scoreWidth; ++s)
      softmaxPart(scores + s, scoreWidth, rows + s * group, count, width, group,
                  result + s * group, round);
  });
}

void RowAggregator::logSumExp(const double *scores, int64_t count,
                              int64_t width, double *result,
                              double *low) const {
  std::fill_n(result, width, 0);
  if (low)
    std::fill_n(low, width, 0);
  if (count == 0)
    return;
  apply(rounding, [=](auto round) {
    for (int64_t column = 0; column < width; ++column) {
      auto [high, rest] = logSumExpColumn(scores + column, count, width, round);
      result[column] = high;
      if (low)
        low[column] = rest;
    }
  });
}

void RowAggregator::findExtremum(AggregatorKind kind, const double *rows,
                                 ArrayRef<int64_t> edges, int64_t width,
                                 double *result) {
  auto isBetter = [=](double x, double best) {
    if (std::isnan(x) || std::isnan(best))
      return std::isnan(x) && !std::isnan(best);
    return kind == AggregatorKind::max ? x > best : x < best;
  };
  for (int64_t column = 0; column < width; ++column) {
    int64_t winner = -1;
    for (int64_t k = 0; k < int64_t(edges.size()); ++k) {
      const double x = rows[k * width + column];
      const double best = winner < 0 ? 0 : rows[winner * width + column];
      // Of equal values the edge that is numbered first.
      if (winner < 0 || isBetter(x, best) ||
          (!isBetter(best, x) && edges[k] < edges[winner]))
        winner = k;
    }
    result[column] = winner < 0 ? -1 : static_cast<double>(edges[winner]);
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
