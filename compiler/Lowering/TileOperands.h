//===- TileOperands.h - What a dense tile is made of ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The destinations of a block and the sources of a tile, laid out for the
// matrix products between them, their parts, and which pairs are edges.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H
#define CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H

#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace clique {

/// What is known of a block, or of one strip of it.
struct TileDestinations {
  mlir::Value first, count;
  /// The rows' intervals, i64 [dst]; empty beyond the last row.
  Lifted rowBegin, rowEnd;
  /// The features of the rows, by input of the kernel.
  llvm::DenseMap<mlir::Value, Lifted> features;
};

/// The sources of a tile, or of a part of it.
struct TileSources {
  mlir::Value first, count;
  int64_t size;
  /// By argument of a message, laid out as it is used there.
  llvm::DenseMap<mlir::Value, Lifted> features;
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

  /// The strip of the block that starts with row `firstRow`, counted from the
  /// block's first.
  TileDestinations getStrip(mlir::Value firstRow);
  /// The rows of that strip, of a tensor whose first dimension is the block's.
  mlir::Value sliceStrip(mlir::Value tensor, mlir::Value firstRow);
  /// Sources [offset, offset + size) of a tile.
  TileSources getPart(const TileSources &src, mlir::Value offset, int64_t size);

  /// How many sources each destination hears.
  Lifted emitDegrees(Lifter &lifter, const TileDestinations &dst);
  /// Which pairs are edges: i8 [dst, src].
  Lifted emitMask(Lifter &lifter, const TileDestinations &dst,
                  const TileSources &src);
  /// Whether any pair of the tile may be an edge, and whether all are.
  std::pair<mlir::Value, mlir::Value> emitExtent(const TileDestinations &dst,
                                                 const TileSources &src);

private:
  /// The rows' entries of an array, i64 [dst]; 0 beyond the block's rows.
  Lifted stageInterval(Lifter &lifter, GraphArray array);
  Lifted sliceSources(const Lifted &tile, mlir::Value from, int64_t size);

  mlir::Value constantIndex(int64_t value);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  TileDestinations block;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILEOPERANDS_H
