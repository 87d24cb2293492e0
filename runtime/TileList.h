//===- TileList.h - The dense tiles of any graph ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a graph without parallel edges has edges, as dense tiles visit them:
// for each block of destinations the tiles of sources that hold an edge, and
// for each register block of a tile one word of bits per destination. Memory
// for tiles that hold an edge only. The list of an interval graph is empty: its
// tiles follow from the intervals.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TILELIST_H
#define CLIQUE_RUNTIME_TILELIST_H

#include "runtime/Once.h"

#include <cstdint>
#include <vector>

struct clique_graph;

/// Extents of blocks and tiles.
struct clique_tile_shape {
  int64_t rows;     ///< destinations per block, at most
  int64_t tileRows; ///< destinations per register block
  int64_t columns;  ///< sources per tile, at most the bits of a word

  bool operator<(const clique_tile_shape &other) const;
};

struct clique_tiles {
  clique_tiles(const clique_graph &graph, clique_tile_shape shape);

  /// The bits of a word.
  static constexpr int64_t maxColumns = 64;
  /// Numbers of a tile in `tiles`.
  static constexpr int64_t perTile = 3;

  const clique_graph &graph;
  const clique_tile_shape shape;
  /// Whether tiles are listed; else the graph has intervals, and each array
  /// below has entries for the number 0 that say that there is nothing.
  bool isListed;
  /// The first tile of each block, and the end.
  std::vector<int64_t> blocks;
  /// First source, the source past the last one, and place in `registerBlocks`.
  std::vector<int64_t> tiles;
  /// For each register block of the tile's block where its words begin: at
  /// none(), at full(), or at words of its own.
  std::vector<int64_t> registerBlocks;
  /// Bit j of word r: whether row r of the register block receives from source
  /// j of the tile; and behind the words of all rows those bits that any of
  /// them has.
  std::vector<int64_t> words;

  static constexpr int64_t none() { return 0; }
  int64_t full() const { return shape.tileRows + 1; }

  /// The CSR position of the first edge of row r of register block s in its
  /// tile, at s * tileRows + r. Made on demand.
  const std::vector<int64_t> &firstEdges() const;

private:
  mutable clique::Once firstEdgesOnce;
  mutable std::vector<int64_t> edges;
};

#endif // CLIQUE_RUNTIME_TILELIST_H
