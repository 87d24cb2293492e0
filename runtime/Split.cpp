//===- Split.cpp - Division of the rows into blocks of work ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work is split by edges, so that a hub does not stall the others, and by rows,
// so that a tile of destinations is full. A hub, which has more edges than a
// block, is divided itself. The split depends on the graph alone, never on the
// threads: results do not either.
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <limits>

using namespace clique;

/// Greedy: a block takes rows until one of the limits would be exceeded; a row
/// of more edges than a limit is a block of its own.
static std::vector<int64_t> splitRows(const clique_graph &graph,
                                      const RowSplit &split) {
  constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  const int64_t maxRows = split.rows > 0 ? split.rows : unlimited;
  const int64_t maxEdges = split.edges > 0 ? split.edges : unlimited;
  const int64_t longest = split.longest > 0 ? split.longest : unlimited;
  const ArrayView<int64_t> indptr = graph.indptr();
  const std::vector<int64_t> *begin = nullptr;
  if (split.aligned && hasCliques(graph.info()))
    begin = &graph.intervals().begin;

  std::vector<int64_t> blocks = {0};
  LoopInterruption interruption;
  for (int64_t i = 1; i < graph.numDst; ++i) {
    interruption.check();
    const int64_t first = blocks.back();
    const bool cliqueStarts = begin && (*begin)[i] == i;
    const bool isLong = indptr[i + 1] - indptr[i] > longest ||
                        indptr[i] - indptr[i - 1] > longest;
    if (cliqueStarts || isLong || i - first >= maxRows ||
        indptr[i + 1] - indptr[first] > maxEdges)
      blocks.push_back(i);
  }
  if (graph.numDst > 0)
    blocks.push_back(graph.numDst);
  return blocks;
}

const std::vector<int64_t> &
clique_graph::rowBlocks(const RowSplit &split) const {
  std::lock_guard<clique::WorkMutex> lock(splitsMutex);
  std::unique_ptr<std::vector<int64_t>> &blocks = splits[split];
  if (!blocks)
    blocks = std::make_unique<std::vector<int64_t>>(splitRows(*this, split));
  return *blocks;
}

static HubChunks splitHubs(const clique_graph &graph, int64_t edges) {
  const ArrayView<int64_t> indptr = graph.indptr();
  HubChunks result;
  result.hubs = {0};
  LoopInterruption interruption;
  for (int64_t i = 0; edges > 0 && i < graph.numDst; ++i) {
    interruption.check();
    if (indptr[i + 1] - indptr[i] <= edges)
      continue;
    for (int64_t first = indptr[i]; first < indptr[i + 1]; first += edges) {
      result.chunks.push_back(i);
      result.chunks.push_back(first);
    }
    result.hubs.push_back(int64_t(result.chunks.size()) / 2);
  }
  return result;
}

const HubChunks &clique_graph::hubChunks(int64_t edges) const {
  std::lock_guard<clique::WorkMutex> lock(splitsMutex);
  std::unique_ptr<HubChunks> &split = hubs[edges];
  if (!split)
    split = std::make_unique<HubChunks>(splitHubs(*this, edges));
  return *split;
}
