//===- GraphDescription.h - Graphs from the command line --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file, or the name of a class with its sizes: `karate.mtx`, `complete:16`.
// Needs the runtime alone: clique-device has no LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_GRAPHS_GRAPHDESCRIPTION_H
#define CLIQUE_TOOLS_GRAPHS_GRAPHDESCRIPTION_H

#include "runtime/clique.h"

#include <memory>
#include <string>

namespace clique {

struct FreeGraph {
  void operator()(clique_graph *graph) const { clique_graph_free(graph); }
};
using GraphHandle = std::unique_ptr<clique_graph, FreeGraph>;

struct DescribedGraph {
  GraphHandle graph;
  std::string error; ///< if there is no graph
};

/// `option` opens messages: what the description was given with.
DescribedGraph makeGraph(const std::string &description,
                         const std::string &option = "--graph=");

} // namespace clique
#endif // CLIQUE_TOOLS_GRAPHS_GRAPHDESCRIPTION_H
