//===- Graphs.h - Graphs from the command line ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As clique-run takes them: a file, or a class with its sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_BENCHMARKS_DEVICE_DRIVER_GRAPHS_H
#define CLIQUE_BENCHMARKS_DEVICE_DRIVER_GRAPHS_H

#include "runtime/clique.h"

#include <memory>
#include <string>

namespace clique::device {

struct FreeGraph {
  void operator()(clique_graph *graph) const { clique_graph_free(graph); }
};
using GraphHandle = std::unique_ptr<clique_graph, FreeGraph>;

/// Throws UsageError, or std::runtime_error of the runtime.
GraphHandle makeGraph(const std::string &description);

} // namespace clique::device
#endif // CLIQUE_BENCHMARKS_DEVICE_DRIVER_GRAPHS_H
