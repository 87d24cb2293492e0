//===- EdgeGroups.h - The edges of one key into one destination -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EDGEGROUPS_H
#define CLIQUE_RUNTIME_EDGEGROUPS_H

#include "runtime/Graph.h"

namespace clique {

/// What the destinations of a graph of groups are groups of. They are sorted by
/// key, then by row.
struct EdgeGroups {
  std::vector<int32_t> rows; ///< destinations of the graph they are made of
  std::vector<int32_t> keys;
  /// What they were made for: a key for each edge, in the caller's order.
  std::vector<int32_t> keysOfEdges;
};

/// The graph whose destinations are the groups of edges of one key into one
/// destination; edges keep their numbers and sources. A key outside of
/// [0, numKeys) counts as the nearest one. O(edges + numKeys).
GraphPtr makeGroups(const char *where, const clique_graph &graph, int64_t count,
                    const int32_t *keys, int64_t numKeys);

} // namespace clique
#endif // CLIQUE_RUNTIME_EDGEGROUPS_H
