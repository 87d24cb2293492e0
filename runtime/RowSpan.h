//===- RowSpan.h - How far apart the sources of a row lie -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_ROWSPAN_H
#define CLIQUE_RUNTIME_ROWSPAN_H

#include "runtime/Graph.h"

namespace clique {

/// Twice the distance that the middle half of a row's sources spans, in the
/// mean of some rows: all sources of a random graph, the bandwidth of one whose
/// nodes are numbered along it, though a few sources may be far away. At least
/// 1; O(1) rows.
int64_t findRowSpan(const clique_graph &graph);

} // namespace clique
#endif // CLIQUE_RUNTIME_ROWSPAN_H
