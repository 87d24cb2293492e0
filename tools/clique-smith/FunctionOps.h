//===- FunctionOps.h - Ops between the layers -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream ops on node features and on weights, graphs from graphs, readouts.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_FUNCTIONOPS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_FUNCTIONOPS_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// Adds an op of arith, math, tensor or linalg on features of this extent.
void addFunctionOp(Scope &scope, Extent extent);
/// Adds an op of mp on node features of this extent, or on a single vector; its
/// result is not defined in the scope.
Value addFeatureOp(Scope &scope, const Value &x, Extent extent,
                   bool isVector = false);
/// A graph that is made from `graph`, or `graph` itself.
GraphValue deriveGraph(Scope &scope, const GraphValue &graph);
/// The degrees of a graph's destinations.
void addDegree(Scope &scope, const GraphValue &graph);
/// Rows of a table or of sources' features, one for each destination.
void addNodeLookup(Scope &scope, const GraphValue &graph);
/// An integer of each node, mostly one that never falls.
Value addSegments(Scope &scope, const GraphValue &graph);
/// One value per part of the nodes of `graph`.
void addReadout(Scope &scope, const GraphValue &graph);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_FUNCTIONOPS_H
