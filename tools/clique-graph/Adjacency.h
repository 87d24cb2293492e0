//===- Adjacency.h - The rows of a graph ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to know of a graph is read here: from its list of edges, or
// from its class where that says what the rows are, so that a complete graph of
// a million nodes can be inspected as well.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_ADJACENCY_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_ADJACENCY_H

#include "runtime/clique.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <utility>
#include <vector>

namespace clique {

/// Blocks of a row of blocks that hold equally many pairs each.
struct BlockRun {
  int64_t row;
  int64_t begin, end; ///< columns of blocks
  int64_t pairs;      ///< (destination, source) with an edge, in each block
};

/// Sources from `begin` to `end`.
using Interval = std::pair<int64_t, int64_t>;

/// A graph by rows. It refers to the graph.
class Adjacency {
public:
  /// Inspects the graph.
  static llvm::Expected<Adjacency> create(const clique_graph &graph);

  const clique_graph_info &getInfo() const { return info; }
  int64_t getNumDst() const { return info.num_dst; }
  int64_t getNumSrc() const { return info.num_src; }
  /// Whether destinations and sources are the same nodes.
  bool isSquare() const {
    return info.num_dst == info.num_src &&
           info.topology != CLIQUE_TOPOLOGY_BIPARTITE;
  }
  int64_t getInDegree(int64_t dst) const {
    return rowPointers[dst + 1] - rowPointers[dst];
  }

  /// Whether rows are known as intervals, and not as lists.
  bool hasIntervals() const { return !intervals.empty(); }
  /// The sources of a row, with the destination itself where info.no_self takes
  /// it out.
  Interval getInterval(int64_t dst) const { return intervals[dst]; }
  /// The sources of a row, ascending.
  llvm::ArrayRef<int32_t> getSources(int64_t dst) const {
    return {indices + rowPointers[dst], size_t(getInDegree(dst))};
  }

  using BlockVisitor = llvm::function_ref<void(const BlockRun &)>;
  /// Visits the blocks of `size` x `size` pairs that hold an edge. Parallel
  /// edges are one pair.
  void visitBlocks(int64_t size, BlockVisitor visit) const;

private:
  Adjacency() = default;

  void findIntervals();
  void visitBlocksOfIntervals(int64_t size, BlockVisitor visit) const;
  void visitBlocksOfLists(int64_t size, BlockVisitor visit) const;
  /// The columns of blocks at which one may differ from the one before it.
  std::vector<int64_t> findBreaks(int64_t begin, int64_t end,
                                  int64_t size) const;
  int64_t countPairs(int64_t begin, int64_t end, Interval sources) const;

  clique_graph_info info;
  const int64_t *rowPointers;
  const int32_t *indices = nullptr;
  std::vector<Interval> intervals;
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_ADJACENCY_H
