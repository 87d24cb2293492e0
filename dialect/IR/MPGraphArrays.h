//===- MPGraphArrays.h - What a block reads of its graph --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of a graph that loops over one of its blocks read. What each has
// is said by the op that gives it (MPAccessOps.td).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPGRAPHARRAYS_H
#define CLIQUE_DIALECT_IR_MPGRAPHARRAYS_H

#include "dialect/IR/MPDialect.h"
#include "mlir/IR/Types.h"

namespace clique::mp {

enum class GraphArray {
  rowBegin,
  rowEnd,
  noSelf,
  areTilesListed,
  tileList,
  tileRegisterBlocks,
  tileWords,
  tileFirstEdges,
  indptr,
  rowSources,
  sources,
  edgeIds,
  nodeOrder
};

/// What each lowering reads, in the order of a block's operands.
llvm::ArrayRef<GraphArray> getGraphArrays(Lowering lowering);

/// i1 for a truth value, else a memref of integers.
mlir::Type getArrayType(mlir::MLIRContext *context, GraphArray array);

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPGRAPHARRAYS_H
