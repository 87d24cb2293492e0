//===- SourceSums.h - What tiles add up for their sources -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums of mp.source_sum in a block function: those of a tile's sources are
// carried from register block to register block, and added to the sources' rows
// in memory behind the tile. One register block adds a product of matrices, of
// weights [dst, src] and features of its rows. That no other thread adds to the
// same rows is for the caller to see to (LowerTiles.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_SOURCESUMS_H
#define CLIQUE_COMPILER_LOWERING_SOURCESUMS_H

#include "compiler/Lowering/TilePattern.h"

namespace clique {

class SourceSums {
public:
  explicit SourceSums(BlockFunction &function)
      : function(function), builder(function.getBuilder()),
        loc(function.getLoc()) {}

  /// How many tensors are carried.
  size_t size() const;
  /// Those of a tile's sources before the first register block, [src,
  /// feature...].
  llvm::SmallVector<mlir::Value> emitZero();

  /// A register block and a tile, or a part of it.
  struct Place {
    const TileDestinations &dst;
    const TileSources &src;
    const RegisterBlockEdges &registerBlock;
  };
  /// The sums of a tile, after a register block. `mask`: of its pairs, if some
  /// are no edges of sources that there are.
  llvm::SmallVector<mlir::Value>
  accumulate(Lifter &lifter, mlir::ValueRange sums,
             const llvm::DenseMap<mlir::Value, Lifted> &edgeValues,
             const std::optional<Lifted> &mask, const Place &place);

  /// Adds the sums of a tile to the rows of its sources.
  void add(const TileSources &src, mlir::ValueRange sums);

private:
  /// Which rows of a register block there are, i8 [dst].
  Lifted emitRows(Lifter &lifter, const TileDestinations &dst);
  /// `sum` with the values of edges added to it.
  Lifted addValues(Lifter &lifter, const Lifted &sum, mlir::Value edges,
                   const Lifted &value, const Lifted &mask);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_SOURCESUMS_H
