//===- BatchGraph.h - The parts of a batch as a graph -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What readouts and spreads run over.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_BATCHGRAPH_H
#define CLIQUE_COMPILER_ALGEBRA_BATCHGRAPH_H

#include "mlir/IR/Builders.h"

namespace clique {

/// The graph in which each part receives from its nodes. The offsets are row
/// pointers already.
mlir::Value makeMembers(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value offsets, mlir::Value numNodes);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_BATCHGRAPH_H
