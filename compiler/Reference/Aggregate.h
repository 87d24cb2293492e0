//===- Aggregate.h - Many values to one -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The aggregators, on the values of one destination (or one graph of a batch)
// laid out as the rows of a matrix. No rows give 0, their product 1.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_AGGREGATE_H
#define CLIQUE_COMPILER_REFERENCE_AGGREGATE_H

#include "compiler/Reference/EdgeValues.h"
#include "dialect/IR/MPDialect.h"

namespace clique::reference {

/// The aggregators that are no monoids of the spec, on values of one element
/// type.
class RowAggregator {
public:
  RowAggregator(const ReferencePrecision &precision, mlir::Type type)
      : rounding(getComputeRounding(precision, type)) {}

  /// sum, mean, max, min, std (population) or prod of `count` rows of `width`
  /// values, column by column.
  void reduce(mp::AggregatorKind kind, const double *rows, int64_t count,
              int64_t width, double *result) const;

  /// sum_k exp(s_k) row_k / sum_k exp(s_k). Each of the `scoreWidth` scores of
  /// a row weighs width / scoreWidth of its values. A score of -inf takes the
  /// row out; if all are -inf, the result is 0.
  void softmax(const double *scores, int64_t scoreWidth, const double *rows,
               int64_t count, int64_t width, double *result) const;

  /// log sum_k exp(scores[k, c]) of each column, and unless `low` is null what
  /// rounding took from it; 0 where all are -inf.
  void logSumExp(const double *scores, int64_t count, int64_t width,
                 double *result, double *low) const;

  /// The number of the edge that has the largest (smallest) value of each
  /// column, -1 where there are none.
  static void findExtremum(mp::AggregatorKind kind, const double *rows,
                           mlir::ArrayRef<int64_t> edges, int64_t width,
                           double *result);

private:
  std::optional<RandomRounding> rounding;
};

/// The regions of a custom aggregator.
struct Monoid {
  BoundProgram identity, lift, combine, finalise;
};

/// Folds rows into a custom monoid, which must outlive it; one for each thread.
class MonoidFold {
public:
  explicit MonoidFold(const Monoid &monoid);
  /// Back to the identity.
  void start();
  /// Lifts one edge's values and combines them with the state.
  void add(mlir::ArrayRef<const double *> values);
  /// Finalises the state.
  void finish();
  /// Result `index` of the last finish.
  const double *getResult(unsigned index) const {
    return finalise.getResult(index);
  }

private:
  void keepState(const Frame &frame);

  Frame identity, lift, combine, finalise;
  std::vector<std::vector<double>> state;
};

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_AGGREGATE_H
