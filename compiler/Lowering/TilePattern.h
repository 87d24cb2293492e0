//===- TilePattern.h - Which pairs of dense tiles are edges -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the tiles of a block stand, which of their register blocks have edges,
// and which pairs of a register block are edges. A destination receives from an
// interval of sources, and those that the runtime's list of tiles says
// (runtime/TileList.h): one of the two is empty, and one code serves both. A
// row of a register block is a word of bits.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILEPATTERN_H
#define CLIQUE_COMPILER_LOWERING_TILEPATTERN_H

#include "compiler/Lowering/TileOperands.h"

namespace clique {

/// The sources [first, past) of a tile; the place of its first register block
/// among those that are listed.
struct TilePlace {
  mlir::Value first, past, registerBlocks;
  /// Where masks may take pairs out: whether anything that is weighed of its
  /// sources is infinite or NaN, and they must not.
  mlir::Value isAnyNotFinite = {};
};

/// A register block in a tile.
struct RegisterBlockEdges {
  /// Whether any of its pairs may be an edge that counts, and whether all are
  /// edges.
  mlir::Value any, all;
  /// Whether all rows receive from the tile's sources before `end`, and from no
  /// others of it.
  mlir::Value even, end;
  /// The tile's first source, which a listed word's first bit stands for.
  mlir::Value tileFirst;
  /// The register block's place among those that are listed, and that of its
  /// words.
  mlir::Value registerBlock, words;
};

class TilePattern {
public:
  explicit TilePattern(BlockFunction &function);

  /// How many tiles the block visits, and one of them.
  mlir::Value emitNumTiles();
  /// How many columns the block's rows have in common if those are all that
  /// they have, but for the row itself; else 0.
  mlir::Value emitNumShared();
  TilePlace emitTile(mlir::Value number);

  RegisterBlockEdges emitRegisterBlock(const TileDestinations &dst,
                                       const TilePlace &tile);
  /// The columns of the tile from the first to past the last one with an edge.
  std::pair<mlir::Value, mlir::Value>
  emitColumns(const TileDestinations &dst, const TileSources &src,
              const RegisterBlockEdges &registerBlock);
  /// Which pairs are edges: i8 [dst, src], for a part of the tile's sources.
  Lifted emitMask(Lifter &lifter, const TileDestinations &dst,
                  const TileSources &src,
                  const RegisterBlockEdges &registerBlock);
  /// Where the register block is even: how many columns, the first ones, have
  /// edges.
  mlir::Value emitNumColumns(const TileSources &src,
                             const RegisterBlockEdges &registerBlock);
  /// Those columns as a mask, i8 [src].
  Lifted emitColumnMask(Lifter &lifter, mlir::Value numColumns);

  /// Row `row` of the register block: an i64, bit j for the tile's source j.
  mlir::Value emitWord(const TileDestinations &dst,
                       const RegisterBlockEdges &registerBlock,
                       mlir::Value row);
  /// The CSR position of the row's first edge in the tile, if it has one.
  mlir::Value emitFirstEdge(const TileDestinations &dst,
                            const RegisterBlockEdges &registerBlock,
                            mlir::Value row);

private:
  mlir::Value constantIndex(int64_t value);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bothOf(mlir::Value lhs, mlir::Value rhs);
  mlir::Value eitherOf(mlir::Value lhs, mlir::Value rhs);
  mlir::Value negate(mlir::Value condition);
  mlir::Value toInteger(mlir::Value index);
  /// `position` in an array of the list, or the number 0 if nothing is listed.
  mlir::Value listed(mlir::Value position);
  /// Successive entries of the list; 0, and nothing is read, if it is empty.
  llvm::SmallVector<mlir::Value>
  loadListed(GraphArray array, mlir::Value position, int64_t count);
  /// Where the list says that every pair is an edge.
  mlir::Value fullWords();
  mlir::Value lastRow(const TileDestinations &dst);
  /// Says where the tiles of the block's interval begin; returns their number.
  mlir::Value placeTiles();

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value firstTile, pastTile;
  /// The block's sources, if it has an interval, and where their tiles begin.
  mlir::Value low, high, tilesBegin;
  /// Where the interval of the last row begins and that of the first one ends.
  mlir::Value lastBegin, firstEnd;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILEPATTERN_H
