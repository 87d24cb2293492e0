//===- ScatteredSums.h - Sums of values of one slice ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of tables that edges look up: each edge adds one row.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_SCATTEREDSUMS_H
#define CLIQUE_COMPILER_ANALYSIS_SCATTEREDSUMS_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

/// What makes an operand of `aggregate`, which sums or averages it, if that is
/// 0 but for the slice of one index: only the slice is added to a sum in
/// memory. The threads of a GPU hold sums in registers, which have no index:
/// null there, too.
mlir::tensor::ScatterOp getScatteredTerm(mp::AggregateOp aggregate,
                                         mlir::Value edges);

/// Whether a value of a message is only such a term, and never made as a whole.
bool isScatteredTerm(mlir::Value value);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_SCATTEREDSUMS_H
