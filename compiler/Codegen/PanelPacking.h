//===- PanelPacking.h - Weights side by side --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_PANELPACKING_H
#define CLIQUE_COMPILER_CODEGEN_PANELPACKING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {

/// The same for the operand whose columns are the rows of the result, as in
/// sums over nodes of outer products: all it has of a block of these is copied,
/// before the op is tiled. Returns the copy; null if none is made.
mlir::linalg::LinalgOp packRows(mlir::OpBuilder &builder,
                                mlir::linalg::LinalgOp op, unsigned vectorLoop,
                                std::optional<unsigned> rowLoop);

/// A register tile of a product reads as many columns of its second operand as
/// it has, which are no more than a few lines of each row. Where rows are
/// long, these lie in as many pages and fall into few sets of the first cache,
/// and are fetched anew for each tile of rows. Such a panel is copied to where
/// it is contiguous, once for all of the row tiles.
class PanelPacking {
public:
  /// `tiles`: of the loops of a contraction that is not tiled yet.
  PanelPacking(mlir::linalg::LinalgOp op, unsigned vectorLoop,
               std::optional<unsigned> rowLoop, llvm::ArrayRef<int64_t> tiles);

  /// `step`: what is left of the contraction inside the loops over its result,
  /// by the op's loops. Returns the copy; null if none is made.
  mlir::linalg::LinalgOp
  emit(mlir::OpBuilder &builder, mlir::linalg::LinalgOp step,
       const llvm::DenseMap<unsigned, mlir::scf::ForOp> &loops) const;

private:
  std::optional<unsigned> operand;
  unsigned vectorLoop;
  std::optional<unsigned> rowLoop;
};

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_PANELPACKING_H
