//===- Statistics.h - What there is to count in a graph ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_STATISTICS_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_STATISTICS_H

#include "tools/clique-graph/Adjacency.h"

namespace clique {

/// How many nodes have a degree from `first` to `last`.
struct DegreeBin {
  int64_t first, last, nodes;
};

struct Degrees {
  int64_t min = 0, max = 0;
  double median = 0, mean = 0;
  /// 0, 1, 2 to 3, 4 to 7 ...: as far as there are nodes.
  std::vector<DegreeBin> bins;
};

/// Where the edges are, by blocks.
struct BlockFill {
  static constexpr int64_t size = 32;
  int64_t all = 0;      ///< blocks of the matrix
  int64_t occupied = 0; ///< that hold an edge
  int64_t full = 0;     ///< of which every pair is an edge
  double fill = 0;      ///< share of the pairs of occupied blocks
};

struct GraphStatistics {
  clique_graph_info info;
  bool isSquare = true;
  double density = 0; ///< share of all pairs, parallel edges counted once
  Degrees in, out;
  /// Nodes with no edge; destinations and sources, if they are not the same.
  int64_t numIsolated = 0;
  /// Nodes that paths join whichever way the edges point.
  int64_t numComponents = 0, largestComponent = 0;
  int64_t numParallel = 0; ///< edges beyond the first of a pair
  int64_t numSelfLoops = 0;
  /// Edges whose reverse is there too; a self-loop is its own.
  int64_t numReciprocal = 0;
  BlockFill blocks;

  bool isSymmetric() const {
    return isSquare && numReciprocal == info.num_edges;
  }
};

/// O(nodes + edges), O(nodes) for graphs of a class.
GraphStatistics computeStatistics(const Adjacency &rows);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_STATISTICS_H
