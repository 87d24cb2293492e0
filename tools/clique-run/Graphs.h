//===- Graphs.h - Graphs from the command line ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--graph`: files, and graphs that are made from a few sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_GRAPHS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_GRAPHS_H

#include "compiler/Target/LayerSignature.h"
#include "tools/graphs/GraphDescription.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace clique {

/// The graph of one argument.
struct GraphArgument {
  unsigned argument;
  std::string source; ///< as the user gave it: `karate.mtx`, `complete:16`
  GraphHandle graph;
};

/// The error of the runtime's last call.
llvm::Error makeRuntimeError(const llvm::Twine &context = "");

/// Reads or makes a graph for each graph argument, in their order.
llvm::Expected<std::vector<GraphArgument>>
makeGraphs(const LayerSignature &signature,
           llvm::ArrayRef<std::string> descriptions);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_GRAPHS_H
