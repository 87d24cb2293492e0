//===- GraphWrite.cpp - Graphs to files -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"

using namespace clique;

static void writeGraph(const char *path, clique_graph_format format,
                       const clique_graph &graph) {
  switch (format) {
  case CLIQUE_GRAPH_MTX:
  case CLIQUE_GRAPH_MTX_GZ:
    return writeMatrixMarket(path, graph, format == CLIQUE_GRAPH_MTX_GZ);
  case CLIQUE_GRAPH_NPZ:
    return writeNpz(path, graph);
  }
  fail(CLIQUE_INVALID_ARGUMENT,
       "clique_graph_write: format {} is none of clique_graph_format",
       int(format));
}

clique_status clique_graph_write(const char *path, clique_graph_format format,
                                 const clique_graph *graph) {
  return guarded([&] {
    requireNonNull(path, "clique_graph_write", "path");
    requireNonNull(graph, "clique_graph_write", "graph");
    writeGraph(path, format, *graph);
  });
}
