//===- SliceRanks.h - Slices without some of their dimensions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream folds constants into the sizes of a slice, and takes the first
// dimensions of size 1 for those that its type leaves out: of [%n, 2, 1] as
// ?x2 it makes 2x1 where %n is 1.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_SLICERANKS_H
#define CLIQUE_COMPILER_ALGEBRA_SLICERANKS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

/// Where it may do so: a slice of all dimensions, and the reshape that leaves
/// some out.
void keepRank(mlir::tensor::ExtractSliceOp op);
/// The reshape that adds them, and a slice of all dimensions.
void keepRank(mlir::tensor::InsertSliceOp op);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_SLICERANKS_H
