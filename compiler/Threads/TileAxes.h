//===- TileAxes.h - What the dimensions of a tile are -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dimensions of the tensors of a block function are its destinations. The
// function says from which row on it reads and writes them (the argument with
// `mp.first_destination`); what is computed from these rows has them where the
// ops say so, whatever the sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_TILEAXES_H
#define CLIQUE_COMPILER_THREADS_TILEAXES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/IntEqClasses.h"

namespace clique {

/// Dimensions, and loops of linalg ops, that are the same axis. Classes stay as
/// they are while the function is rewritten.
class TileAxes {
public:
  using Class = unsigned;
  explicit TileAxes(mlir::func::FuncOp function);

  /// What the dimensions of a tensor are; empty of one that was made later.
  llvm::SmallVector<Class> getClasses(mlir::Value tensor) const;
  llvm::SmallVector<Class> getLoopClasses(mlir::linalg::LinalgOp op) const;
  /// The first of these dimensions that is destinations.
  std::optional<unsigned> findDestinations(llvm::ArrayRef<Class> classes) const;

private:
  /// The number of the first dimension of a tensor, or loop of an op; those of
  /// the others follow.
  unsigned number(void *owner, unsigned count);
  unsigned number(mlir::Value tensor);
  unsigned number(mlir::linalg::LinalgOp op);
  void visit(mlir::Operation *op);
  void visitLinalg(mlir::linalg::LinalgOp op);
  void visitReshape(mlir::Value collapsed, mlir::Value expanded,
                    llvm::ArrayRef<mlir::ReassociationIndices> groups);
  /// A slice of the dimensions of `whole`, of which `part` has those that
  /// `dropped` does not name.
  void visitSlice(mlir::OffsetSizeAndStrideOpInterface slice, mlir::Value whole,
                  mlir::Value part, const llvm::SmallBitVector &dropped);
  void visitStore(mlir::Value tensor, mlir::Value buffer);
  /// Two values are one, dimension by dimension.
  void join(mlir::Value a, mlir::Value b);
  void join(mlir::ValueRange as, mlir::ValueRange bs);
  bool isFirstDestination(mlir::OpFoldResult offset) const;

  mlir::Value first;
  llvm::DenseMap<void *, unsigned> numbers;
  llvm::IntEqClasses classes;
  unsigned size = 0;
  llvm::SmallVector<unsigned> destinations;
};

} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_TILEAXES_H
