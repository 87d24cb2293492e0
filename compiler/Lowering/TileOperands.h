//===- TileOperands.h - What a dense tile is made of ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The destinations of a block and the sources of a tile, laid out for the
// matrix products between them, and their parts.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H
#define CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H

#include "compiler/Lowering/BlockFunction.h"
#include "llvm/ADT/MapVector.h"

namespace clique {

/// What is known of a block, or of one register block of it.
struct TileDestinations {
  mlir::Value first, count;
  /// The rows' intervals, i64 [dst]; empty beyond the last row.
  Lifted rowBegin, rowEnd;
  /// The features of the rows, by input of the kernel.
  llvm::MapVector<mlir::Value, Lifted> features;
};

/// The sources of a tile, or of a part of it.
struct TileSources {
  mlir::Value first, count;
  int64_t size;
  /// By argument of a message, laid out as it is used there.
  llvm::MapVector<mlir::Value, Lifted> features;
};

class TileOperands {
public:
  explicit TileOperands(BlockFunction &function)
      : function(function), builder(function.getBuilder()),
        loc(function.getLoc()) {}

  /// Lays out the block's destinations; once, at the start of the function.
  mlir::LogicalResult stageBlock();
  const TileDestinations &getBlock() const { return block; }
  /// Lays out sources [first, last), at most one tile's.
  TileSources stageSources(mlir::Value firstSource, mlir::Value lastSource);

  /// The rows of the register block that starts with row `firstRow`, counted
  /// from the block's first; and what is known of it.
  RowRange getRows(mlir::Value firstRow);
  TileDestinations getRegisterBlock(mlir::Value firstRow);
  /// The rows of that register block, of a tensor whose first dimension is the
  /// block's.
  mlir::Value sliceRegisterBlock(mlir::Value tensor, mlir::Value firstRow);
  /// Sources [offset, offset + size) of a tile.
  TileSources getPart(const TileSources &src, mlir::Value offset, int64_t size);
  /// Whether any of these features of a tile's sources is infinite or NaN.
  mlir::Value emitIsAnyNotFinite(const TileSources &src,
                                 llvm::ArrayRef<mlir::BlockArgument> args);

private:
  /// Stages the block's rows of an input; or, where each register block reads
  /// its own, makes scratch memory for them.
  void stageDestinations(Lifter &lifter, mlir::Value input);
  /// Columns of the narrowest parts into which tiles are divided: as far as a
  /// multiple of them sources are laid out.
  int64_t getPartColumns() const;
  /// A tile's sources in canonical layout, whose rows are staged part by part:
  /// few of them are in the first cache beside what is made of them.
  Lifted transposeByPart(Lifter &lifter, mlir::Value input,
                         const TileSources &src);
  bool isTransposedByPart(mlir::Value input) const;
  /// Where a tile reads rows of its sources in place: where that is as fast as
  /// to copy them.
  std::optional<RowsInPlace> getSourcesInPlace(mlir::Value input);
  /// A tile's sources, [src, feature].
  Lifted takeSources(Lifter &lifter, mlir::Value input, const TileSources &src);
  Lifted sliceSources(const Lifted &tile, mlir::Value from, int64_t size);

  mlir::Value constantIndex(int64_t value);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  TileDestinations block;
  /// Inputs of which each register block reads its own rows.
  llvm::MapVector<mlir::Value, RowsInPlace> inPlace;
  llvm::MapVector<mlir::Value, std::optional<RowsInPlace>> sourcesInPlace;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H
