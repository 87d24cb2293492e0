//===- KernelCounter.h - Counts what a kernel executes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages are counted in MessageCost.cpp, the aggregations in
// AggregateCost.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_KERNELCOUNTER_H
#define CLIQUE_COMPILER_FUSION_KERNELCOUNTER_H

#include "compiler/Analysis/ElementWork.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Fusion/HeadDimension.h"
#include "compiler/Fusion/MessageCost.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/IR/TypeUtilities.h"

namespace clique {

/// Of one kernel, for countKernel().
class KernelCounter {
public:
  explicit KernelCounter(mp::KernelOp kernel);
  KernelCounts count();

private:
  void countMessage(mp::MessageOp message);
  void countProduct(mlir::Operation &op, double size, double depth, Ends lhs,
                    Ends rhs);
  void countElementwise(mlir::Operation &op);
  void countMapOfWinners(mp::LinearOp linear);
  void countAggregate(mp::AggregateOp aggregate);
  /// What is done for each edge by what combines it with the state.
  void countStep(mlir::Region &region);
  void countState(mlir::TypeRange state);
  void countScore(mlir::Value score);
  void countValue(mp::AggregateOp aggregate, mlir::Value value);
  void countStored();

  Ends getEnds(mlir::Value value) const {
    Ends all = Ends::none;
    for (const EndpointDependence &message : ends)
      all = all | message.get(value);
    return all;
  }
  bool isPerEdge(mlir::Value value) const {
    return getEnds(value) == Ends::src || getEnds(value) == Ends::edge;
  }
  /// What a value is the product of with one weight of the edge, if it is one.
  mlir::Value getWeighted(mlir::Value value) const;
  void countSourceSum(mlir::Value value);
  void countColumns(mlir::Value value, mlir::RankedTensorType feature);
  /// What a product of matrices of such factors takes, in products of f32.
  double getProductShare(mlir::Type factor) const {
    return mp::getCpu(kernel).getBf16Pairs() &&
                   mlir::getElementTypeOrSelf(factor).isBF16()
               ? 0.5
               : 1;
  }
  /// What a message yields.
  static mlir::Value getYielded(mlir::Value edges);
  /// Vectors of a row of a product of matrices. They are computed two by two;
  /// one alone, and one that is not full, wait for what they multiply.
  double getProductVectors(mlir::Type type) const {
    const double vectors = getVectors(type, lanes);
    const bool isOdd = int64_t(vectors) % 2 != 0;
    const bool isFull = int64_t(getSize(type)) % lanes == 0;
    return vectors + (isOdd ? 0.5 : 0) + (isFull ? 0 : 1);
  }
  /// Elements of a value in a tile that has one head, and how often it is one.
  std::pair<int64_t, double> getTileSize(mlir::Value value) const {
    const double count = heads / countRepeats(value);
    return {int64_t(getSize(value.getType()) / count), count};
  }
  /// Products of a tile, of two vectors each, end in up to two smaller ones:
  /// how many there are beside the first product of each head.
  double countTileRests(mlir::Value value) const {
    const auto [size, count] = getTileSize(value);
    const int64_t rest = size % (2 * lanes);
    return count * double((size >= 2 * lanes ? 1 : 0) +
                          (rest >= lanes ? 1 : 0) + (rest % lanes ? 1 : 0) - 1);
  }
  /// Vectors of such products. Those of a rest load what they multiply with
  /// again, which takes part of a vector (GCN of 8 to 128 features, Zen 5).
  double getTileVectors(mlir::Value value) const {
    constexpr double vectorsPerRest = 0.35;
    const auto [size, count] = getTileSize(value);
    return count * double(llvm::divideCeil(size, lanes)) +
           vectorsPerRest * countTileRests(value);
  }
  /// How often a pair computes a value: what heads share, for each of them.
  double countRepeats(mlir::Value value) const {
    return dimension && !dimension->dims.contains(value) ? heads : 1;
  }

  mp::KernelOp kernel;
  int64_t lanes;
  /// What heads are taken apart along.
  std::optional<HeadDimension> dimension;
  double heads;
  /// Vectors of multiply-adds of linear maps of an edge.
  double edgeMapVectors = 0, edgeProductVectors = 0;
  /// Features that are computed edge by edge before or after such maps.
  double passes = 0;
  KernelCounts counts;
  /// Of each message.
  llvm::SmallVector<EndpointDependence> ends;
};

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_KERNELCOUNTER_H
