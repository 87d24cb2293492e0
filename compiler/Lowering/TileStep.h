//===- TileStep.h - What a tile adds to the states of rows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register block of destinations meets a tile of sources: messages of their
// pairs, taken in by the monoids. A register block without an edge is skipped;
// in one where every pair is an edge (most of them on a complete, causal or
// block-sparse graph) nothing is masked; where all rows receive from the same
// sources, the first of the tile (cliques, the last tile of a complete graph),
// one mask of columns serves all of them; else a mask takes out the pairs that
// are none.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILESTEP_H
#define CLIQUE_COMPILER_LOWERING_TILESTEP_H

#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/FetchAhead.h"
#include "compiler/Lowering/SourceSums.h"
#include "compiler/Lowering/TilePattern.h"

namespace clique {

class TileStep {
public:
  using States = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

  TileStep(BlockFunction &function, TileOperands &operands,
           TilePattern &pattern, EdgeStream &stream, SourceSums &sourceSums,
           FetchAhead &ahead);

  /// How often a step of a block fetches ahead, about, if each of the block's
  /// register blocks has edges in each of `numTiles` tiles; 1 or more.
  mlir::Value emitNumSteps(mlir::Value numTiles);
  /// The states of the register block after the tile, and behind them the sums
  /// of the tile's sources. `isFirst`: whether it is the first tile that is
  /// added to these states.
  States emit(const TileDestinations &dst, const TileSources &src,
              const RegisterBlockEdges &registerBlock, mlir::Value isFirst,
              mlir::ValueRange states);

  /// Whether there is place for the states of a group of tiles beside those
  /// before it: the threads of a device have them in registers.
  bool holdsTwoSets(mlir::ValueRange states) const;

private:
  /// Which pairs of a part of a tile are edges.
  enum class Pairs {
    all,
    columns, ///< those of the columns before a register block's end
    mixed,
  };
  struct Place {
    const TileDestinations &dst;
    const TileSources &src;
    const RegisterBlockEdges &registerBlock;
    /// Whether nothing has been added to the states before.
    mlir::Value isFirst;
  };

  /// A tile on the border, in narrow parts from the first to the last one with
  /// an edge.
  States emitParts(const Place &place, mlir::ValueRange states);
  /// A tile of which an even register block receives the first columns: in
  /// narrow parts, half as wide as on the border, so that few columns lie
  /// behind the last source; pairs of them may be one.
  States emitEvenParts(const Place &place, mlir::ValueRange states);
  /// Whether pairs may be one: what a softmax does once for a part is worth it.
  bool hasWideParts() const;
  /// How many pairs are one, of the parts of so many columns.
  mlir::Value emitNumWideParts(mlir::Value columns);
  /// How many parts of tiles each of the block's register blocks takes, about.
  mlir::Value emitNumParts(mlir::Value numTiles);
  /// Whether rows of the graph may receive from the same sources, which do not
  /// fill a tile.
  bool mayHaveEvenBlocks() const;
  /// Whether products of half precision may be over pairs of columns, for which
  /// vectors are of static size.
  bool hasHalfSources() const;
  /// Columns [begin, end), in parts of `size`.
  States emitColumns(const Place &place, mlir::ValueRange states,
                     std::pair<mlir::Value, mlir::Value> columns, int64_t size,
                     Pairs pairs);
  States emitTile(const Place &place, mlir::ValueRange states, Pairs pairs);

  mlir::Value constantIndex(int64_t value);

  BlockFunction &function;
  const KernelInfo &info;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  TileOperands &operands;
  TilePattern &pattern;
  EdgeStream &stream;
  SourceSums &sourceSums;
  FetchAhead &ahead;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILESTEP_H
