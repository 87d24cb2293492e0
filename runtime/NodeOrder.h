//===- NodeOrder.h - Orders of the nodes of a graph -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders in which rows that are gathered together lie together, and what a
// gather is expected to take in an order.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_NODEORDER_H
#define CLIQUE_RUNTIME_NODEORDER_H

#include "runtime/Graph.h"

namespace clique {

/// The nodes in their order: old numbers by new number, or the inverse.
using NodeList = std::vector<int32_t>;

NodeList invertOrder(const NodeList &order);

/// The graph in which each node has its new number; edges keep theirs.
GraphPtr renumber(const clique_graph &graph, const int32_t *newOfOld);

/// The destinations in the given order.
NodeList listNodes(const clique_graph &graph);
/// Those of the highest out-degree first; equals keep their order.
NodeList orderByUse(const clique_graph &graph);
/// Reverse Cuthill-McKee of the graph without directions, each component from
/// a node of least degree.
NodeList orderByCuthillMcKee(const clique_graph &graph);

/// The expected time of reading the rows of the sources of all edges, in
/// nanoseconds per edge, if the nodes were in this order.
double estimateGather(const clique_graph &graph, const NodeList &order,
                      int64_t bytesPerNode);

} // namespace clique

#endif // CLIQUE_RUNTIME_NODEORDER_H
