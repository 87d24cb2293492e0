//===- StateLoops.h - Loops that carry states -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow around code that may fail to be written: what fails inside fails
// as a whole.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_STATELOOPS_H
#define CLIQUE_COMPILER_LOWERING_STATELOOPS_H

#include "mlir/IR/Builders.h"

namespace clique {

/// Gets the loop's variable and the states that it has come to; returns the
/// next ones.
using StateLoopBody =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        mlir::Value, mlir::ValueRange)>;

/// A loop over [first, past); returns the states after it.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value first,
        mlir::Value past, int64_t step, mlir::ValueRange states,
        StateLoopBody body);

/// Returns the states of one of two branches, of the types of `states`.
using StateBranch =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>()>;

/// A conditional that gives what one of the branches does.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
       mlir::ValueRange states, StateBranch then, StateBranch otherwise);

} // namespace clique

#endif // CLIQUE_COMPILER_LOWERING_STATELOOPS_H
