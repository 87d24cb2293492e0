//===- AggregatorDetail.h - What aggregators share --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H
#define CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H

#include "compiler/Lowering/Aggregators.h"

namespace clique::detail {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A float constant, or a vector of equal ones.
mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                     double value);

/// `mask ? value : otherwise`, for scalars; the mask is an i8.
mlir::Value selectEdge(mlir::OpBuilder &b, mlir::Location loc, mlir::Value mask,
                       mlir::Value value, double otherwise);

/// Inputs of a reduction over edges: the value and, where there is one, the
/// mask.
llvm::SmallVector<Lifted> withMask(const Lifted &value, const EdgeTile &tile);

/// `state` and what a tile's edges add to it: `addTo` gives what it gets and
/// the sum over the sources of `ins`. A tile has a sum of its own, so that
/// those of a long row have few terms each; the threads of a device have no
/// registers for two.
Lifted addSum(Lifter &lifter, mlir::Location loc, const Lifted &state,
              llvm::ArrayRef<Lifted> ins, const EdgeTile &tile,
              llvm::function_ref<Lifted(const Lifted &)> addTo);

/// `sum` with one edge of the tile added after the other.
Lifted reduceEdges(Lifter &lifter, mlir::Location loc, const Lifted &sum,
                   const Lifted &value, const EdgeTile &tile);

/// `state` and the sum of the tile's edges.
Lifted sumEdges(Lifter &lifter, mlir::Location loc, const Lifted &state,
                const Lifted &value, const EdgeTile &tile);

/// A feature of an end that is weighed by each edge: features are numbered
/// alike in both, and as in the edge value, which may be a sum over the others.
struct WeightedFeature {
  Lifted weight, feature;
  /// Whether the feature is an input as it is: 0 where there is no node.
  bool isInput = true;
  /// Whether an edge has several such products, of which it carries the sum.
  bool isSummed = false;
};
/// The factors of an edge value that is one, where they were lifted.
std::optional<WeightedFeature> findWeighted(Lifter &lifter, mlir::Value edges);
/// The weight, 0 where the mask is.
Lifted maskWeight(Lifter &lifter, mlir::Location loc, const Lifted &weight,
                  const Lifted &mask);
/// sum + sum_j weight_j value_j. A pair that is no edge has the weight 0,
/// which does not take out the infinity or NaN that a value may have there: 1
/// / (j - i) of both ends, or one of a source that only other rows of the
/// tile receive. Selection keeps the product from being one of matrices, so
/// values without a destination get it only where it makes a difference.
Lifted addWeighted(Lifter &lifter, mlir::Location loc,
                   const WeightedFeature &weighted, const Lifted &sum,
                   const EdgeTile &tile);

/// `state` and, of each of the tile's edges, one slice: what is added to
/// dimension `dim` of the state at the slice's number.
Lifted addSlices(Lifter &lifter, mlir::Location loc, const Lifted &state,
                 const ScatteredSlice &slice, int64_t dim,
                 const EdgeTile &tile);

std::unique_ptr<Aggregator> createStd(mp::AggregateOp op, bool hasDst);
std::unique_ptr<Aggregator> createSoftmax(mp::AggregateOp op, bool hasDst);
std::unique_ptr<Aggregator> createCustom(mp::AggregateOp op, bool hasDst,
                                         bool mayBeNone);

} // namespace clique::detail
#endif // CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H
