//===- GradientPair.h - A forward and a backward function -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_GRADIENTPAIR_H
#define CLIQUE_COMPILER_GRADIENT_GRADIENTPAIR_H

#include "compiler/Gradient/GradientFunctions.h"
#include "mlir/Pass/PassManager.h"

namespace clique::gradient {

/// Runs a pipeline on a function.
using RunPipeline = llvm::function_ref<mlir::LogicalResult(
    mlir::OpPassManager &, mlir::func::FuncOp)>;

/// Which types cotangents have: those of arguments and results, or f32 where
/// these are of half precision.
enum class CotangentTypes { asGiven, wide };

/// Adds `@f_forward` and `@f_backward` behind the function `@f`, by these of
/// its arguments. Where no result depends on them there are neither.
mlir::FailureOr<GradientFunctions>
makeGradient(mlir::func::FuncOp function, llvm::ArrayRef<unsigned> arguments,
             CotangentTypes types, RunPipeline run);

/// Canonical, without common subexpressions.
mlir::LogicalResult cleanUp(mlir::func::FuncOp function, RunPipeline run);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_GRADIENTPAIR_H
