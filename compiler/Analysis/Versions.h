//===- Versions.h - The versions of a kernel that are left ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mp.choose_dense` and the branch on it keep both versions of a kernel until
// each is known to fit the target; the choice itself is the runtime's.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_VERSIONS_H
#define CLIQUE_COMPILER_ANALYSIS_VERSIONS_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {

/// The innermost branch between tiles and rows that has `op` on the side of
/// the tiles; null if there is none.
mlir::scf::IfOp findVersions(mlir::Operation *op);

/// Leaves the rows alone: `versions`, as findVersions returns it, is replaced
/// by them, and its `mp.choose_dense` says so.
void keepRows(mlir::scf::IfOp versions);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_VERSIONS_H
