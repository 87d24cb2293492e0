//===- Conversion.cpp - Graphs in other formats ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Conversion.h"
#include "compiler/Target/AtomicFile.h"
#include "tools/clique-run/Graphs.h"
#include "tools/support/Progress.h"

using namespace llvm;
using namespace clique;

/// The same edges in the order of CSR.
static Expected<GraphHandle> sortEdges(const clique_graph &graph) {
  const int64_t *rowPointers;
  const int32_t *sources;
  clique_graph *sorted = nullptr;
  if (clique_graph_csr(&graph, &rowPointers, &sources, nullptr) != CLIQUE_OK ||
      clique_graph_from_csr(clique_graph_num_dst(&graph),
                            clique_graph_num_src(&graph), rowPointers, sources,
                            &sorted) != CLIQUE_OK)
    return makeRuntimeError();
  return GraphHandle(sorted);
}

Error clique::convertGraph(const ConvertRequest &request, GraphHandle graph) {
  Expected<AtomicFile> file = AtomicFile::create(request.output);
  if (!file)
    return file.takeError();
  Progress progress("writing " + request.output);
  if (request.sort) {
    Expected<GraphHandle> sorted = sortEdges(*graph);
    if (!sorted)
      return sorted.takeError();
    graph = std::move(*sorted);
  }
  if (clique_graph_write(file->getTemporaryPath().c_str(), request.format,
                         graph.get()) != CLIQUE_OK) {
    // The user knows the file by another name.
    StringRef text = clique_last_error();
    text.consume_front(file->getTemporaryPath() + ": ");
    return createStringError(request.output + ": " + text);
  }
  return file->commit();
}
