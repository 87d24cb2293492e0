//===- RowSums.h - Sums over the rows of whole tensors ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of what all nodes or edges share is a sum over the first
// dimension of tensors, of rows or of their outer products. Where a row is made
// only for such sums, it need not be stored.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ROWSUMS_H
#define CLIQUE_COMPILER_ANALYSIS_ROWSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// Whether it adds terms to an accumulator over its inputs' first dimension,
/// which the result does not have.
bool isSumOverRows(mlir::linalg::GenericOp op);

/// Whether rows of zeros add nothing: a term is an element, or a product of
/// elements.
bool hasZeroTerms(mlir::linalg::GenericOp sum);

/// The tensor whose rows an input of a sum has, with their own shape; null if
/// they were put together otherwise than row by row.
mlir::Value getSummedRows(mlir::Value input);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ROWSUMS_H
