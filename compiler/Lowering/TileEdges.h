//===- TileEdges.h - Edge features of a dense tile --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense tile has no list of edges: which edge joins destination i and source
// j follows from their places in the interval of i. Edge features, if a kernel
// has any, are gathered into a tile and scattered from it one edge at a time.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILEEDGES_H
#define CLIQUE_COMPILER_LOWERING_TILEEDGES_H

#include "compiler/Lowering/BlockFunction.h"

namespace clique {

/// Where a tile stands: destinations [firstRow, firstRow + numRows) and sources
/// [firstSource, firstSource + numSources), both at most the tile's extents.
struct TilePlace {
  mlir::Value firstRow, numRows;
  mlir::Value firstSource, numSources;
};

/// The tile of an edge input, [feature..., dst, src]; 0 where there is no edge.
Lifted gatherEdges(BlockFunction &function, Lifter &lifter, mlir::Value input,
                   const TilePlace &place);
/// Writes the features of the tile's edges.
void scatterEdges(BlockFunction &function, Lifter &lifter, mlir::Value result,
                  Lifted value, const TilePlace &place);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILEEDGES_H
