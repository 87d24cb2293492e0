//===- RestrictTiles.h - Kernels that are no tiles of a GPU -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_RESTRICTTILES_H
#define CLIQUE_COMPILER_LOWERING_RESTRICTTILES_H

#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// Takes the version in sparse rows of kernels that are for a GPU whose threads
/// cannot hold the values of a tile; an error where there is none.
mlir::LogicalResult restrictTiles(mlir::ModuleOp module);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_RESTRICTTILES_H
