//===- RowOfOp.h - Elementwise ops row by row -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_ROWOFOP_H
#define CLIQUE_COMPILER_CODEGEN_ROWOFOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// Where row `number` of a tensor or of a buffer lies.
struct RowPlace {
  RowPlace(mlir::OpBuilder &builder, mlir::ShapedType type, mlir::Value number);
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
};

/// Whether an op makes each row, of whole vectors, of the same row of its
/// operands, or of operands that are the same for all.
bool canComputeByRow(mlir::linalg::GenericOp op, int64_t lanes);

/// Row `number` of what `op` computes, without the row dimension. `takeRow`, if
/// given, gives the row of an operand, or null where it lies in it.
mlir::Value
computeRow(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
           mlir::Value number,
           llvm::function_ref<mlir::Value(mlir::Value)> takeRow = {});

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_ROWOFOP_H
