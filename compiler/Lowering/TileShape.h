//===- TileShape.h - The extents of blocks and tiles ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILESHAPE_H
#define CLIQUE_COMPILER_LOWERING_TILESHAPE_H

#include "dialect/IR/MPDialect.h"

namespace clique {

/// What a schedule says, whichever it is; 0 where it says nothing.
struct TileShape {
  TileShape(mlir::Attribute schedule);

  int64_t rows = 0; ///< destinations per block, at most
  /// Destinations per dense tile, or per step of typed rows; a divisor of
  /// `rows`.
  int64_t tileRows = 0;
  int64_t columns = 0;       ///< sources per dense tile
  int64_t borderColumns = 0; ///< and per part of a tile on the border
  int64_t groups = 0;        ///< groups of edges of a type per product
  int64_t edges = 0;         ///< per block of rows, about
  int64_t longestRow = 0;    ///< edges of a row that is not divided, at most
  /// Whose softmax weights, or messages, are computed together.
  int64_t chunkEdges = 0;
  int64_t partEdges = 0;      ///< of a divided row that are added up first
  int64_t prefetchEdges = 0;  ///< how far ahead sources are fetched
  int64_t prefetchBlocks = 0; ///< how far ahead rows of blocks are, 0 or 1
  int64_t prefetchTiles = 0;  ///< and sources of tiles
  int64_t threads = 0;        ///< that share a block
  bool inOrder = false;       ///< whether tiles are those of mp.in_order

private:
  void take(mp::RowBlocksAttr blocks);
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILESHAPE_H
