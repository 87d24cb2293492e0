//===- GatherEdges.h - What the messages of a chunk of edges read -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The features and numbers of the edges of a chunk and of their ends, one after
// the other along the destinations' axis of lifting.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_GATHEREDGES_H
#define CLIQUE_COMPILER_LOWERING_GATHEREDGES_H

#include "compiler/Lowering/EdgeChunkLoops.h"
#include "llvm/ADT/MapVector.h"

namespace clique {

/// By role and input of a kernel, [dst, feature...] with an edge for each
/// `dst`.
struct GatheredEdges {
  llvm::MapVector<mlir::Value, Lifted> dst, src, edge;
  /// The numbers of destinations, sources and edges, i64, if they are asked
  /// for.
  std::optional<Lifted> rows, sources, edges;

  /// All tensors in one list, as loops carry them.
  llvm::SmallVector<mlir::Value> getTensors() const;
  void setTensors(mlir::ValueRange tensors);
  template <typename Self, typename Function>
  static void forEach(Self &self, Function function);
};

class EdgeGathering : EdgeChunkLoops {
public:
  explicit EdgeGathering(BlockFunction &function) : EdgeChunkLoops(function) {}

  /// Gathers a chunk; what lies behind its last edge is 0.
  GatheredEdges gather(const EdgeRange &chunk);

private:
  GatheredEdges create();
  /// The tensors with one edge more, at `place` in the chunk: edge `position`
  /// of all, whose source stands further by `shift` in the array of sources.
  Values insertEdge(const GatheredEdges &gathered,
                    const llvm::DenseMap<mlir::Value, Lifted> &dst,
                    mlir::Value row, mlir::Value place, mlir::Value position,
                    mlir::Value shift);
  /// Clears what lies behind the last edge.
  void clearRest(GatheredEdges &gathered, mlir::Value count);
  /// A number as a tensor.
  mlir::Value asNumber(mlir::Value index);
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_GATHEREDGES_H
