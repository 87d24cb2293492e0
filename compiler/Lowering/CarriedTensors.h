//===- CarriedTensors.h - Tensors that loops carry --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a block function carry the states of its rows as tensors: the loop,
// one row of such a tensor, and the states of a part of a divided row, which go
// to scratch.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_CARRIEDTENSORS_H
#define CLIQUE_COMPILER_LOWERING_CARRIEDTENSORS_H

#include "compiler/Lowering/BlockFunction.h"

namespace clique {

/// What a loop carries next, given its index and what it carries.
using CarryingBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value, mlir::ValueRange)>;
/// A loop that carries `initial`; returns what it ends with.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitCarryingLoop(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value begin, mlir::Value end, int64_t step,
                 mlir::ValueRange initial, CarryingBody body);

/// What a branch gives.
using CarryingBranch =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>()>;
/// A conditional that gives what one of the branches does, of the types of
/// `states`.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitCarryingBranch(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value condition, mlir::ValueRange states,
                   CarryingBranch then, CarryingBranch otherwise);

/// Row `row` of a tensor.
mlir::Value extractRow(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor, mlir::Value row);
/// The tensor with another row `row`.
mlir::Value insertRow(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, mlir::Value tensor, mlir::Value row);

/// Writes states to row `chunk` of the block's scratch; an error if it has no
/// place for them.
mlir::LogicalResult storeStates(BlockFunction &function,
                                mlir::ValueRange states, mlir::Value chunk);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_CARRIEDTENSORS_H
