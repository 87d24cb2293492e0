//===- SegmentCliques.h - Segments as ranges of nodes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What numbers of nodes say of a batch, found out when they arrive.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_SEGMENTCLIQUES_H
#define CLIQUE_COMPILER_STRUCTURE_SEGMENTCLIQUES_H

#include "mlir/IR/Builders.h"

namespace clique {

struct Segments {
  /// Whether the numbers never fall, so that equal ones are neighbours: i1.
  mlir::Value areSorted;
  /// For each node the first one of its run of equal numbers, and the number of
  /// nodes: offsets of cliques, those between two runs empty.
  mlir::Value offsets;
};

/// One pass over the numbers, tensor<?xiN>.
Segments findSegments(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value numbers);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_SEGMENTCLIQUES_H
