//===- EdgeListTopology.h - What a constant edge list is --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises the graphs that have a constructor of their own.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TOPOLOGY_EDGELISTTOPOLOGY_H
#define CLIQUE_COMPILER_TOPOLOGY_EDGELISTTOPOLOGY_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// The class of a list of edges that are numbered as they stand.
struct EdgeListTopology {
  mp::Topology topology = mp::Topology::sparse;
  bool noSelf = false;
  int64_t halfWidth = 0;
  /// Of cliques: where each begins, and the number of nodes.
  llvm::SmallVector<int64_t> offsets = {};
};

/// `sparse` where the edges do not make one of the other classes, with the same
/// numbers. O(edges + nodes).
EdgeListTopology classify(mp::EdgeListOp list);

/// Makes the graph of the list by the constructor of its class; null for
/// sparse.
mlir::Value buildGraph(mlir::OpBuilder &builder, mp::EdgeListOp list,
                       const EdgeListTopology &topology);

} // namespace clique
#endif // CLIQUE_COMPILER_TOPOLOGY_EDGELISTTOPOLOGY_H
