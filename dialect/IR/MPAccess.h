//===- MPAccess.h - What loops read of a graph ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that stand between kernels and calls of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPACCESS_H
#define CLIQUE_DIALECT_IR_MPACCESS_H

#include "dialect/IR/MPOps.h"

namespace clique::mp {
/// The values of an edge feature as a tensor, a row for each edge.
mlir::RankedTensorType getEdgeTensorType(EdgesType edges);
} // namespace clique::mp

#define GET_OP_CLASSES
#include "dialect/IR/MPAccessOps.h.inc"

#endif // CLIQUE_DIALECT_IR_MPACCESS_H
