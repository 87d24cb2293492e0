//===- GraphFiles.h - Graphs from files -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reader and one writer for each format of clique_graph_read.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_GRAPHFILES_H
#define CLIQUE_RUNTIME_GRAPHFILES_H

#include "runtime/ByteSource.h"
#include "runtime/Graph.h"

namespace clique {

/// Matrix Market, `coordinate`: row = destination, column = source.
GraphPtr readMatrixMarket(ByteSource &source);
/// An archive written by scipy.sparse.save_npz from a CSR matrix.
GraphPtr readNpz(const char *path);

/// `coordinate pattern general`, the edges in the caller's order.
void writeMatrixMarket(const char *path, const clique_graph &graph,
                       bool compressed);
/// As scipy.sparse.save_npz writes it, each value 1. Throws if the caller's
/// edges do not stand by destination.
void writeNpz(const char *path, const clique_graph &graph);

} // namespace clique

#endif // CLIQUE_RUNTIME_GRAPHFILES_H
