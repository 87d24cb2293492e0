//===- RareForms.h - What layers of a case seldom are -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms in which people found defects that no generated case had shown.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_RAREFORMS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_RAREFORMS_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// Structured ops on rows, of edges or nodes, whose bodies use their numbers
/// and results of each other.
void addRowSums(Scope &scope, const GraphValue &graph);
/// Messages of which each reads edge values of several before it.
void addMessageChain(Scope &scope, const GraphValue &graph);
/// Selects that take out what is infinite.
void addPoles(Scope &scope, const GraphValue &graph);
/// Nodes all of whose scores are -inf, beside infinite or large values.
void addInfiniteScores(Scope &scope, const GraphValue &graph,
                       bool isDifferentiated);
/// Feature ops on the nodes of a graph, one after the other.
void addFeatureChain(Scope &scope, const GraphValue &graph);

/// Adds one of them, or none.
void addRareForm(Scope &scope, const GraphValue &graph, bool isDifferentiated);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_RAREFORMS_H
