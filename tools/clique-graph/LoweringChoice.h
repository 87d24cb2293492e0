//===- LoweringChoice.h - What a layer runs on a graph ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--layer`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_LOWERINGCHOICE_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_LOWERINGCHOICE_H

#include "tools/clique-graph/Options.h"
#include "tools/graphs/GraphDescription.h"

#include <vector>

namespace clique {

/// Compiles the layer, runs it once on the graph and random features, and hands
/// out the runtime's own reasons, a line for each kernel.
llvm::Expected<std::vector<std::string>>
explainLowering(const InspectRequest &request, GraphHandle &graph);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_LOWERINGCHOICE_H
