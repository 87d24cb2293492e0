//===- Conversion.h - Graphs in other formats -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clique-graph convert`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_CONVERSION_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_CONVERSION_H

#include "tools/clique-graph/Options.h"
#include "tools/graphs/GraphDescription.h"

namespace clique {

/// Writes the graph as the request says, or nothing.
llvm::Error convertGraph(const ConvertRequest &request, GraphHandle graph);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_CONVERSION_H
