//===- MmaFragments.h - Registers of matrix instructions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_MMAFRAGMENTS_H
#define CLIQUE_COMPILER_DEVICE_MMAFRAGMENTS_H

#include "mlir/IR/Builders.h"

namespace clique {

/// The rows of a fragment of half precision as registers of 32 bits.
llvm::SmallVector<mlir::Value>
packRows(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value fragment);

} // namespace clique
#endif // CLIQUE_COMPILER_DEVICE_MMAFRAGMENTS_H
