//===- MessageCost.h - What one edge costs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of a kernel that the runtime's cost model works with.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_MESSAGECOST_H
#define CLIQUE_COMPILER_FUSION_MESSAGECOST_H

#include "dialect/IR/MPOps.h"

namespace clique {

struct EdgeCost {
  /// Gathered from the source and the edge, and stored per edge.
  int64_t bytes = 0;
  /// Of the message and of combining its values.
  int64_t flops = 0;
  /// The flops among them that a tile does as products of matrices: of dot
  /// products of a destination with a source, and of sums of source features
  /// with a weight per edge.
  int64_t products = 0;
};

/// What one edge of a kernel costs. What depends on the destination alone is
/// done once per row and counts nothing.
EdgeCost getEdgeCost(mp::KernelOp kernel);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_MESSAGECOST_H
