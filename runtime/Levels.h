//===- Levels.h - Acyclic graphs level by level, parts of graphs *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_LEVELS_H
#define CLIQUE_RUNTIME_LEVELS_H

#include "runtime/Graph.h"

namespace clique {

/// In what order the nodes of an acyclic graph stand level by level.
struct Levels {
  std::vector<int32_t> nodes;   ///< old numbers by new number
  std::vector<int32_t> places;  ///< new numbers by old number
  std::vector<int64_t> offsets; ///< new numbers of level k: [k], up to [k + 1]
};

/// The graph with its nodes numbered by level, and its Levels. Fails where
/// there is a cycle. O(nodes + edges).
GraphPtr makeLevels(const char *where, const clique_graph &graph);

/// The destinations [first, first + count) of a graph, which must live as long.
/// O(count), but for what an implicit graph computes once.
GraphPtr makeRows(const char *where, const clique_graph &graph, int64_t first,
                  int64_t count);

} // namespace clique
#endif // CLIQUE_RUNTIME_LEVELS_H
