//===- Levels.h - Parts of graphs of the reference interpreter --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mp.levels, mp.rows and mp.group_edges.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_LEVELS_H
#define CLIQUE_COMPILER_REFERENCE_LEVELS_H

#include "compiler/Reference/Graph.h"

namespace clique {

/// The results of mp.levels.
struct ReferenceLevels {
  ReferenceGraph byLevel;
  std::vector<int32_t> nodes, places;
  std::vector<int64_t> offsets;
};
llvm::Expected<ReferenceLevels> findLevels(const ReferenceGraph &graph);

/// The results of mp.rows.
struct ReferenceRows {
  ReferenceGraph part;
  std::vector<int64_t> edges;
};
llvm::Expected<ReferenceRows> takeRows(const ReferenceGraph &graph,
                                       int64_t first, int64_t count);

/// The results of mp.group_edges.
struct ReferenceGroups {
  ReferenceGraph graph;
  std::vector<int32_t> rows, keys;
};
/// `keys`: whole numbers, one for each edge.
llvm::Expected<ReferenceGroups> groupEdges(const ReferenceGraph &graph,
                                           llvm::ArrayRef<double> keys,
                                           int64_t numKeys);

} // namespace clique
#endif // CLIQUE_COMPILER_REFERENCE_LEVELS_H
