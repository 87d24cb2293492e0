//===- DemandedRows.h - Parts of tensors that are read ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last block of rows is rarely full: its tensors have all rows, of which
// the first few are stored. What is computed of the others nobody reads.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_DEMANDEDROWS_H
#define CLIQUE_COMPILER_CODEGEN_DEMANDEDROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

/// Which steps of structured ops compute what is read: a backward analysis from
/// the slices that are taken, `count` elements from the first one on along one
/// dimension, in one piece or in steps of a loop. It goes through structured
/// ops, slices, reshapes and loops; other uses read all.
class DemandedRows {
public:
  /// Nothing is found in functions that compute what must not be computed of
  /// any number, positions of elements say: of rows that are left out, nobody
  /// knows what they hold.
  explicit DemandedRows(mlir::func::FuncOp function);

  /// The parallel loop of an op of which only the steps below getBound() are
  /// needed.
  std::optional<unsigned> getLoop(mlir::linalg::LinalgOp op) const;
  /// How many rows are read at most, the same of all such ops, as a value of
  /// the entry block; null if there are none.
  mlir::Value getBound() const;

private:
  /// What is read of a tensor: nothing yet (no dimension), the first `count`
  /// along a dimension, or all.
  struct Demand {
    bool isAll = false;
    std::optional<unsigned> dim;
    bool operator==(const Demand &other) const {
      return isAll == other.isAll && dim == other.dim;
    }
  };
  static constexpr Demand all = {/*isAll=*/true, std::nullopt};

  void demand(mlir::Value tensor, Demand demanded);
  Demand get(mlir::Value tensor) const { return demands.lookup(tensor); }
  void visit(mlir::Operation *op);
  void visitLinalg(mlir::linalg::LinalgOp op);
  void visitSlice(mlir::tensor::ExtractSliceOp op);
  void visitInsertion(mlir::tensor::InsertSliceOp op);
  void visitReshape(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp op);

  mlir::Value count;
  /// Rows of the longest step: the last one ends behind the count.
  int64_t step = 1;
  llvm::DenseMap<mlir::Value, Demand> demands;
  bool hasChanged = false;
};

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_DEMANDEDROWS_H
