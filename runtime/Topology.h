//===- Topology.h - The lattice of topologies -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the classes, and which graph a layer compiled for one of them takes.
//
// A lowering for a larger class is right for a smaller one:
//
//              sparse (any graph)
//      /          |            \          .
//   bipartite  cliques   causal_cliques   window w
//      \       /     \       /    \         |
//       complete      singletons   causal   (w = 0: singletons,
//                                            w >= n - 1: complete)
//
// and beside them `blocks N`, of which a graph is if N divides all its borders
// (BlockSize.cpp): those of size M among those of each divisor of M, bipartite
// and complete ones among those of any size.
//
// Above, `complete` is the one clique and the square bipartite graph, `causal`
// the one causal clique, and singletons (every node on its own) are cliques,
// causal cliques and the window of width 0. On one node all of them coincide. A
// class without self-loops is apart from the one with them; a graph with no
// edges at all is singletons without self-loops.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TOPOLOGY_H
#define CLIQUE_RUNTIME_TOPOLOGY_H

#include "runtime/clique.h"

#include <string>

namespace clique {

/// "cliques of 188 graphs", "window 128 without self-loops" ...
std::string describeTopology(const clique_graph_info &info);
std::string describeTopology(clique_topology topology, int64_t param,
                             bool noSelf);

/// Whether a graph may be handed to a layer compiled for a class.
bool belongsTo(const clique_graph &graph, clique_topology topology,
               int64_t param, bool noSelf);

} // namespace clique

#endif // CLIQUE_RUNTIME_TOPOLOGY_H
