//===- Levels.h - Parts of graphs of the reference interpreter --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mp.levels and mp.rows.
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

} // namespace clique
#endif // CLIQUE_COMPILER_REFERENCE_LEVELS_H
