//===- TileCaller.h - The loop over blocks of dense tiles -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TILECALLER_H
#define CLIQUE_COMPILER_LOWERING_TILECALLER_H

#include "compiler/Lowering/KernelCaller.h"

namespace clique {

/// Blocks of about equal numbers of rows, and the tiles that each has.
class TileCaller : public KernelCaller {
public:
  using KernelCaller::KernelCaller;

protected:
  void emitGraphReads() override;
  mlir::Value getArray(GraphArray array) override;
  mlir::Value emitSplit() override;
  Bounds getBounds(mlir::Value block) override {
    return loadBounds(split, block);
  }
  llvm::SmallVector<mlir::Value> getLastArgs(const Job &job) override;

  mlir::Value emitHeadsFirst() override;
  void emitBeforeBlocks(mlir::ValueRange args) override;
  void emitJob(mlir::func::FuncOp function, const Job &job,
               mlir::ValueRange args) override;

private:
  /// Destinations per block on this graph.
  mlir::Value emitBlockRows();
  /// Slices to fetch beside so many rows of the next job; none if the block
  /// behind the heads of this one has many rows.
  Bounds emitSlices(const Job &job, mlir::Value rowsAhead);
  /// The first row of block `number`.
  mlir::Value loadFirstRow(mlir::Value number);
  /// Whether no source of block `number` is one of the blocks before, and where
  /// its sources begin.
  std::pair<mlir::Value, mlir::Value> emitIsApart(mlir::Value number);
  /// The block past the last one that shares sources with those from `block`
  /// on, and where its sources begin.
  std::pair<mlir::Value, mlir::Value> emitGroupEnd(mlir::Value block);
  /// Sets sums for sources [from, to), of one head, to 0.
  void emitZeros(mlir::Value from, mlir::Value to, mlir::Value head);

  mlir::Value blockRows, split, rowBegin, rowEnd;
  mp::TileListOp tiles;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TILECALLER_H
