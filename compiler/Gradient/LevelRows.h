//===- LevelRows.h - Rows that one step of a loop writes --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_LEVELROWS_H
#define CLIQUE_COMPILER_GRADIENT_LEVELROWS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique::gradient {

/// The insertion by which each step makes the next value of what the loop
/// carries, where it writes the rows of the level that has the step's number
/// (mp.levels). No two steps write the same row: what a row was before its step
/// is what it was before the loop. Null where that is not known.
mlir::tensor::InsertSliceOp findLevelRows(mlir::scf::ForOp loop,
                                          unsigned carried);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_LEVELROWS_H
