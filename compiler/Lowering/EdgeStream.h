//===- EdgeStream.h - Messages and monoids over edges -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both lowerings do with the edges they go through: compute the messages,
// take them into the states of the aggregators, and make the results. The
// states of all aggregators stand in one list, as loops carry them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGESTREAM_H
#define CLIQUE_COMPILER_LOWERING_EDGESTREAM_H

#include "compiler/Lowering/Aggregators.h"
#include "compiler/Lowering/KernelInfo.h"

namespace clique {

class EdgeStream {
public:
  /// `hasDst`: states and results have a destination axis.
  EdgeStream(const KernelInfo &info, bool hasDst);

  /// The states before the first edge.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> getIdentity(Lifter &lifter);

  /// The values of all messages, by result, given how an operand of each role
  /// is lifted.
  using Bind = llvm::function_ref<Lifted(mlir::BlockArgument, mlir::Value)>;
  mlir::FailureOr<llvm::DenseMap<mlir::Value, Lifted>>
  computeMessages(Lifter &lifter, Bind dst, Bind src, Bind edge);

  /// The states after these edges.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  accumulate(Lifter &lifter, mlir::ValueRange states,
             const llvm::DenseMap<mlir::Value, Lifted> &edgeValues,
             const EdgeTile &tile);

  /// The states after the edges of both.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  combine(Lifter &lifter, mlir::ValueRange states, mlir::ValueRange others);

  /// The states of one of two streams.
  llvm::SmallVector<mlir::Value> select(Lifter &lifter, mlir::Value condition,
                                        mlir::ValueRange states,
                                        mlir::ValueRange others);

  /// Of rows in chunks. The states after the first `count` of the scores that
  /// `scores` has for each score of a softmax, [src, feature...]; the weights
  /// of these edges, by aggregation (nothing for one that is no softmax).
  llvm::SmallVector<mlir::Value>
  weigh(Lifter &lifter, mlir::ValueRange states,
        const llvm::DenseMap<mlir::Value, Lifted> &scores, mlir::Value count,
        llvm::SmallVectorImpl<Lifted> &weights);
  /// The states after one edge whose weights, by aggregation, are known.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  accumulateWeighted(Lifter &lifter, mlir::ValueRange states,
                     const llvm::DenseMap<mlir::Value, Lifted> &edgeValues,
                     llvm::ArrayRef<Lifted> weights);

  /// The results of the aggregations, in order. `degree` as in Aggregator.
  mlir::FailureOr<llvm::SmallVector<Lifted>>
  finalise(Lifter &lifter, mlir::ValueRange states, const Lifted &degree);

private:
  /// The states of aggregator `k`, taken from the front of `states`.
  llvm::SmallVector<Lifted> takeStates(size_t k, mlir::ValueRange &states);

  const KernelInfo &info;
  llvm::SmallVector<std::unique_ptr<Aggregator>> aggregators;
  /// Layouts of each aggregator's states, known after getIdentity.
  llvm::SmallVector<llvm::SmallVector<Layout>> layouts;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGESTREAM_H
