//===- Normalise.h - A function as it is differentiated ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_NORMALISE_H
#define CLIQUE_COMPILER_GRADIENT_NORMALISE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

namespace clique::gradient {

/// Rewrites the function in place: calls are inlined, arithmetic on node
/// tensors becomes updates, readouts, normalisations and simple monoids become
/// what they are made of, and what depends on one end leaves the edges, so that
/// gradients of weights are products over nodes. `run` runs a pipeline on the
/// function.
mlir::LogicalResult
normalise(mlir::func::FuncOp function,
          llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &)> run);

/// Results of large linear maps inside updates become results of updates of
/// their own, which the forward function can hand out.
void keepMaps(mlir::func::FuncOp function);

/// Clones the ops of a function of one block; what its results are there.
/// `onClone` sees each of them.
llvm::SmallVector<mlir::Value>
cloneBody(mlir::OpBuilder &builder, mlir::func::FuncOp function,
          mlir::ValueRange operands,
          llvm::function_ref<void(mlir::Operation *)> onClone = nullptr);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_NORMALISE_H
