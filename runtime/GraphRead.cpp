//===- GraphRead.cpp - Graphs from files ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the formats apart by their first bytes.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"
#include "runtime/Npy.h"

#include <string_view>

using namespace clique;

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static GraphPtr readGraph(const char *path) {
  char start[16] = {};
  const size_t length = FileSource(path).read(start, sizeof(start));
  const std::string_view head(start, length);
  if (startsWith(head, "%%")) {
    FileSource source(path);
    return readMatrixMarket(source);
  }
  if (startsWith(head, "PK"))
    return readNpz(path);
  if (startsWith(head, kNpyMagic))
    fail(CLIQUE_FORMAT_ERROR,
         "{}: is a single npy array, expected a graph: Matrix Market, or a CSR "
         "matrix written by scipy.sparse.save_npz",
         path);
  fail(CLIQUE_FORMAT_ERROR,
       "{}: is {}, expected a graph: Matrix Market (starts with "
       "%%MatrixMarket, may be gzip'd) or a scipy CSR matrix (.npz)",
       path, length ? "of an unknown format" : "empty");
}

clique_status clique_graph_read(const char *path, clique_graph **graph) {
  return guarded([&] {
    requireNonNull(path, "clique_graph_read", "path");
    requireNonNull(graph, "clique_graph_read", "graph");
    *graph = nullptr;
    *graph = readGraph(path).release();
  });
}
