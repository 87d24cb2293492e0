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

#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Lowering/Aggregators.h"

namespace clique {

/// Edge `place` of a tensor [src, feature...].
Lifted getEdge(Lifter &lifter, mlir::Location loc, const Lifted &chunk,
               mlir::Value place);

class EdgeStream {
public:
  /// `hasDst`: states and results have a destination axis. `mayBeNone`: states
  /// of no edge are combined, too.
  EdgeStream(const KernelInfo &info, bool hasDst, bool mayBeNone = false);

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

  /// Of rows in chunks: the results of messages that aggregators take in ahead,
  /// each a tensor [src, feature...], which is prepared before it is filled.
  llvm::SetVector<mlir::Value> getAhead() const;
  Lifted prepareAhead(Lifter &lifter, mlir::Value value, Lifted tensor,
                      mlir::Value count) const;
  /// The states after what is taken in ahead of `count` edges; what remains is
  /// taken in edge by edge, with the `weights` of edge `place` of the chunk.
  using EdgeWeights = llvm::SmallVector<llvm::SmallVector<Lifted>>;
  llvm::SmallVector<mlir::Value>
  accumulateAhead(Lifter &lifter, mlir::ValueRange states,
                  const llvm::DenseMap<mlir::Value, Lifted> &ahead,
                  mlir::Value count, EdgeWeights &weights);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  accumulateEdge(Lifter &lifter, mlir::ValueRange states,
                 const llvm::DenseMap<mlir::Value, Lifted> &edgeValues,
                 const EdgeWeights &weights, mlir::Value place);
  /// Whether nothing remains.
  bool isDoneAhead() const;

  /// The results of the aggregations, in order. `degree` as in Aggregator.
  mlir::FailureOr<llvm::SmallVector<Lifted>>
  finalise(Lifter &lifter, mlir::ValueRange states, const Lifted &degree);

  const KernelInfo &getInfo() const { return info; }

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
