//===- Tolerance.h - How much two right results may differ ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding differs with the order of sums, and with what is stored between
// kernels.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_TOLERANCE_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_TOLERANCE_H

#include "compiler/Reference/Interpreter.h"
#include "compiler/Target/LayerSignature.h"

namespace clique::smith {

/// For each result, as a share of its largest value: what its type allows, or
/// more where the reference itself moves so much when its inputs are rounded
/// otherwise. Empty if the reference fails.
std::vector<double>
estimateTolerances(mlir::func::FuncOp function, const LayerSignature &signature,
                   llvm::ArrayRef<ReferenceValue> arguments,
                   llvm::ArrayRef<ReferenceTensor> expected);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_TOLERANCE_H
