//===- EdgeChunk.h - Softmax over some edges of a row -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse row takes its edges in chunks: the scores of all edges of a chunk
// first, then their weights, then the weighted values edge by edge. Sums are
// rescaled once per chunk and exponentials fill whole vectors, however few the
// heads.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGECHUNK_H
#define CLIQUE_COMPILER_LOWERING_EDGECHUNK_H

#include "compiler/Lowering/KernelInfo.h"
#include "compiler/Lowering/Lifting.h"

namespace clique {

/// What is known of all edges of a chunk before they are aggregated: the scores
/// of the softmax aggregations, and values that are too dear to be computed
/// again. Each is a tensor [src, feature...], which loops carry.
class EdgeChunk {
public:
  /// `count`: edges of this chunk.
  EdgeChunk(const KernelInfo &info, Lifter &lifter, mlir::Value count);

  /// Whether a kernel takes its edges in chunks.
  static bool isWanted(const KernelInfo &info);

  /// Source features from which the tensors are computed.
  llvm::SetVector<mlir::Value> getSources() const;

  /// The tensors before the first edge. What a vector of scores holds beyond
  /// the last edge is -inf.
  llvm::SmallVector<mlir::Value> create(mlir::Location loc);
  /// The tensors with the values of edge `place`.
  llvm::SmallVector<mlir::Value>
  insert(mlir::Location loc, mlir::ValueRange tensors, mlir::Value place,
         const llvm::DenseMap<mlir::Value, Lifted> &edgeValues);
  /// The full tensors by the results of messages that they hold.
  llvm::DenseMap<mlir::Value, Lifted> getValues(mlir::ValueRange tensors);
  /// Replaces the values of edge `place` that are dear to compute by those of
  /// the chunk.
  void replace(mlir::Location loc,
               const llvm::DenseMap<mlir::Value, Lifted> &chunk,
               mlir::Value place,
               llvm::DenseMap<mlir::Value, Lifted> &edgeValues);

private:
  Lifter &lifter;
  mlir::Value count;
  /// Results of messages; the first `numScores` are scores.
  llvm::SetVector<mlir::Value> kept;
  unsigned numScores;
};

/// Edge `place` of a tensor over the edges of a chunk.
Lifted getEdge(Lifter &lifter, mlir::Location loc, const Lifted &chunk,
               mlir::Value place);

/// Puts -inf where a vector of weigh() would read beyond `count` scores.
Lifted padScores(Lifter &lifter, mlir::Location loc, Lifted scores,
                 mlir::Value count);

/// Takes the scores of `count` edges into the state of a softmax: its maximum
/// and sum are those after the chunk, the weighted sums are rescaled. Returns
/// the edges' weights, which take the place of the scores.
Lifted weigh(Lifter &lifter, mlir::Location loc,
             llvm::MutableArrayRef<Lifted> state, const Lifted &scores,
             mlir::Value count);

/// The state after the values of one edge with its weight.
llvm::SmallVector<Lifted> addWeighted(Lifter &lifter, mlir::Location loc,
                                      llvm::ArrayRef<Lifted> state,
                                      const Lifted &weight,
                                      llvm::ArrayRef<Lifted> values);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGECHUNK_H
