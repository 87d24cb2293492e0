//===- EdgeChunk.h - Some edges of a row ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse row takes its edges in chunks where an aggregator wants to know of
// several at once: the scores of all edges of a chunk first, then their
// weights, then the weighted values edge by edge. Sums are rescaled once per
// chunk and exponentials fill whole vectors, however few the heads.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGECHUNK_H
#define CLIQUE_COMPILER_LOWERING_EDGECHUNK_H

#include "compiler/Lowering/EdgeStream.h"

namespace clique {

/// Of a value of the edges of a chunk: [src, feature...].
Layout getChunkLayout(unsigned featureRank);
/// A value of the edges of a chunk, none of which is there yet.
Lifted createChunk(Lifter &lifter, mlir::Location loc,
                   llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
/// `chunk` with what edge `place` has.
mlir::Value insertEdge(mlir::OpBuilder &b, mlir::Location loc, mlir::Value edge,
                       mlir::Value chunk, mlir::Value place);

/// What is known of all edges of a chunk before they are aggregated: what
/// aggregators take in ahead, and values that are too dear to be computed
/// again. Each is a tensor [src, feature...], which loops carry.
class EdgeChunk {
public:
  /// `count`: edges of this chunk.
  EdgeChunk(const EdgeStream &stream, Lifter &lifter, mlir::Value count);

  /// The tensors before the first edge.
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
  const EdgeStream &stream;
  Lifter &lifter;
  mlir::Value count;
  /// Results of messages; the first `numAhead` are taken in ahead.
  llvm::SetVector<mlir::Value> kept;
  unsigned numAhead;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGECHUNK_H
