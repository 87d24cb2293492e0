//===- BatchGraph.h - The parts of a batch as a graph -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What readouts, spreads and look-ups run over.
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

/// A remark of mp-decompose-readout.
void reportRewrite(mlir::Location loc, llvm::StringRef what);

/// 0, 1, 2, ... up to `size`, of i32 or `element`.
mlir::Value makeIota(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value size, mlir::Type element = {});

/// Whether no destination of `graph` has two edges, from how it is made: what
/// gatherRows takes.
bool hasOneEdgePerRow(mlir::Value graph);

/// To each destination of `graph`, which has one edge, the row of its source:
/// as its maximum, since a sum, of 0 and that row, has no -0.
mlir::Value gatherRows(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value graph, mlir::Value rows);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_BATCHGRAPH_H
