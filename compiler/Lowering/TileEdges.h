//===- TileEdges.h - Edge features of a dense tile --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense tile knows its pairs, not its edges: the number of a row's edge
// follows from the row's first edge in the tile and the bits before its own.
// Edge features, if a kernel has any, are gathered into a tile and scattered
// from it one edge at a time.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILEEDGES_H
#define CLIQUE_COMPILER_LOWERING_TILEEDGES_H

#include "compiler/Lowering/TilePattern.h"

namespace clique {

/// The edges of a register block of destinations and a part of a tile's
/// sources.
class TileEdges {
public:
  TileEdges(BlockFunction &function, TilePattern &pattern,
            const TileDestinations &dst, const TileSources &src,
            const RegisterBlockEdges &registerBlock)
      : function(function), pattern(pattern), dst(dst), src(src),
        registerBlock(registerBlock) {}

  /// The tile of an edge input, [feature..., dst, src]; 0 where there is no
  /// edge.
  Lifted gather(Lifter &lifter, mlir::Value input);
  /// The numbers of the edges, i64 [dst, src]; 0 where there is none.
  Lifted getNumbers(Lifter &lifter);
  /// Writes the features of the edges.
  void scatter(Lifter &lifter, mlir::Value result, Lifted value);

private:
  /// The body of a loop over edges: offsets in the tile, the edge's number, and
  /// the tensors the loop carries; returns the tensors carried on.
  using EdgeBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value dstOffset, mlir::Value srcOffset, mlir::Value edge,
      mlir::ValueRange carried)>;
  /// Loops over the edges, one at a time.
  llvm::SmallVector<mlir::Value> forEach(mlir::ValueRange carried,
                                         EdgeBody body);

  BlockFunction &function;
  TilePattern &pattern;
  const TileDestinations &dst;
  const TileSources &src;
  const RegisterBlockEdges &registerBlock;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILEEDGES_H
