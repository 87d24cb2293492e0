//===- GradientFunctions.h - What mp-differentiate made ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_GRADIENTFUNCTIONS_H
#define CLIQUE_COMPILER_GRADIENT_GRADIENTFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clique {

/// The forward and the backward function of a layer, and how they are called:
/// the backward one takes the layer's arguments, the results `kept` of the
/// forward one, and a cotangent for each of the layer's `results`; it returns
/// a cotangent for each of the layer's `arguments`.
struct GradientFunctions {
  mlir::func::FuncOp forward, backward;
  llvm::SmallVector<int64_t> kept, arguments, results;
};

/// Those of the function of this name; nothing if it was not differentiated.
std::optional<GradientFunctions> findGradient(mlir::ModuleOp module,
                                              llvm::StringRef name);

} // namespace clique
#endif // CLIQUE_COMPILER_GRADIENT_GRADIENTFUNCTIONS_H
