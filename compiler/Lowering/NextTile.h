//===- NextTile.h - The sources of the tile that comes next -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tile begins with the layout of its sources, whose rows no near cache
// has: with heads apart they are parts of rows, and where tiles are listed they
// are anywhere. They are fetched while the tile before is computed, some for
// each of its register blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_NEXTTILE_H
#define CLIQUE_COMPILER_LOWERING_NEXTTILE_H

#include "compiler/Lowering/TilePattern.h"

namespace clique {

class NextTile {
public:
  /// Where the schedule says so, what follows tile `number` of `numTiles`;
  /// `numRows`: of the block.
  NextTile(BlockFunction &function, TilePattern &pattern, mlir::Value number,
           mlir::Value numTiles, mlir::Value numRows);

  /// Fetches the share of the register block that begins with row `firstRow`.
  void fetch(mlir::Value firstRow);

private:
  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The next tile's sources, and those of a share.
  mlir::Value first, past, share;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_NEXTTILE_H
