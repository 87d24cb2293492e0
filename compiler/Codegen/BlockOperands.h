//===- BlockOperands.h - What blocks of an op's result read -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op whose result is computed block by block in a function of its own reads
// tensors that others computed. Views of them, and what is computed of them
// element by element for this op alone, are made again in the function, of each
// block's part: the whole never lies in memory.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_BLOCKOPERANDS_H
#define CLIQUE_COMPILER_CODEGEN_BLOCKOPERANDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace clique {

/// Whether the op is elementwise, of static shape with several dimensions, on
/// tensors, and takes nothing else from outside.
bool isOnElements(mlir::linalg::LinalgOp op);

/// Whether the op takes anything from outside but its operands, tensors.
bool takesMore(mlir::linalg::LinalgOp op);

/// Whether the op gives a constant part of a tensor, its elements in another
/// shape, or a tensor without contents, of static shape; it may be null.
bool isView(mlir::Operation *op);

/// Whether nothing but `user` reads `value`, or views of it; `user` may be
/// null.
bool isReadBy(mlir::Value value, mlir::Operation *user);

struct BlockOperands {
  explicit BlockOperands(mlir::linalg::LinalgOp op);

  llvm::SetVector<mlir::Value> sources;    ///< what the function gets
  llvm::SetVector<mlir::Operation *> made; ///< what it makes of them, in order

private:
  void find(mlir::Value value, mlir::Operation *user);
};

/// Computes slices of what is elementwise as elementwise ops on slices, and
/// chains of those as one.
mlir::LogicalResult computeSlices(mlir::func::FuncOp function);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_BLOCKOPERANDS_H
