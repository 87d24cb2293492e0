//===- SlidingSums.h - Sums over windows ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring windows have most of their nodes in common.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_SLIDINGSUMS_H
#define CLIQUE_COMPILER_STRUCTURE_SLIDINGSUMS_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// Whether sums over such a graph, a window, are cheaper put together from sums
/// of parts.
bool canSlide(mp::MPGraphType window);

/// The sums (largest, smallest values) of node features over the sources of
/// each of `count` nodes, with far fewer additions than these have sources.
/// Nothing is subtracted. Extrema of no source are infinite.
llvm::SmallVector<mlir::Value>
sumWindows(mlir::OpBuilder &builder, mlir::Location loc, mp::MPGraphType window,
           mp::AggregatorKind kind, mlir::Value count, mlir::ValueRange nodes);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_SLIDINGSUMS_H
