//===- Graph.cpp - Graphs of the reference interpreter --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Graph.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace clique;
using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Every edge is listed; beyond this the list would not fit into memory.
static constexpr int64_t kMaxEdges = int64_t(1) << 30;

static Error checkNodes(int64_t count, const char *what) {
  if (count >= 0 && count <= std::numeric_limits<int32_t>::max())
    return Error::success();
  return createStringError("%lld %s: expected 0 to 2^31 - 1", (long long)count,
                           what);
}

static Error checkIds(ArrayRef<int32_t> ids, int64_t limit, const char *what) {
  for (auto [k, id] : llvm::enumerate(ids))
    if (id < 0 || id >= limit)
      return createStringError("edge %lld has %s %d: expected 0 <= %s < %lld",
                               (long long)k, what, id, what, (long long)limit);
  return Error::success();
}

Error reference::checkOffsets(ArrayRef<int64_t> offsets, const char *what) {
  if (offsets.empty())
    return createStringError("%s are empty: expected one more than there are "
                             "parts, the first 0",
                             what);
  if (offsets.front() != 0)
    return createStringError("%s[0] is %lld: expected 0", what,
                             (long long)offsets.front());
  for (size_t k = 1; k < offsets.size(); ++k)
    if (offsets[k] < offsets[k - 1])
      return createStringError(
          "%s[%zu] = %lld is smaller than %s[%zu] = %lld: they must not fall",
          what, k, (long long)offsets[k], what, k - 1,
          (long long)offsets[k - 1]);
  return Error::success();
}

ReferenceGraph::ReferenceGraph(int64_t numDst, int64_t numSrc,
                               std::vector<int32_t> destinations,
                               std::vector<int32_t> sources)
    : numDst(numDst), numSrc(numSrc), dst(std::move(destinations)),
      src(std::move(sources)), rowStart(numDst + 1) {
  for (int32_t node : dst)
    ++rowStart[node + 1];
  for (int64_t node = 0; node < numDst; ++node)
    rowStart[node + 1] += rowStart[node];
  if (llvm::is_sorted(dst))
    return;
  rowEdges.resize(dst.size());
  std::vector<int64_t> next = rowStart;
  for (auto [edge, node] : llvm::enumerate(dst))
    rowEdges[next[node]++] = edge;
}

Expected<ReferenceGraph> ReferenceGraph::coo(int64_t numDst, int64_t numSrc,
                                             std::vector<int32_t> destinations,
                                             std::vector<int32_t> sources) {
  if (Error error = checkNodes(numDst, "destinations"))
    return error;
  if (Error error = checkNodes(numSrc, "sources"))
    return error;
  if (destinations.size() != sources.size())
    return createStringError(
        "%zu destinations, but %zu sources: expected one of each per edge",
        destinations.size(), sources.size());
  if (Error error = checkIds(destinations, numDst, "destination"))
    return error;
  if (Error error = checkIds(sources, numSrc, "source"))
    return error;
  return ReferenceGraph(numDst, numSrc, std::move(destinations),
                        std::move(sources));
}

Expected<ReferenceGraph> ReferenceGraph::csr(int64_t numSrc,
                                             ArrayRef<int64_t> rowPointers,
                                             std::vector<int32_t> sources) {
  if (Error error = reference::checkOffsets(rowPointers, "row pointers"))
    return error;
  if (rowPointers.back() != static_cast<int64_t>(sources.size()))
    return createStringError(
        "the last row pointer is %lld, but there are %zu indices: expected the "
        "same number",
        (long long)rowPointers.back(), sources.size());
  std::vector<int32_t> destinations;
  destinations.reserve(sources.size());
  int64_t numDst = rowPointers.size() - 1;
  for (int64_t row = 0; row < numDst; ++row)
    destinations.resize(rowPointers[row + 1], row);
  return coo(numDst, numSrc, std::move(destinations), std::move(sources));
}

Expected<ReferenceGraph>
ReferenceGraph::interval(int64_t numDst, int64_t numSrc, bool noSelf,
                         llvm::function_ref<int64_t(int64_t)> begin,
                         llvm::function_ref<int64_t(int64_t)> end) {
  if (Error error = checkNodes(numDst, "destinations"))
    return error;
  if (Error error = checkNodes(numSrc, "sources"))
    return error;
  int64_t numEdges = 0;
  for (int64_t i = 0; i < numDst; ++i) {
    numEdges += end(i) - begin(i);
    if (numEdges > kMaxEdges)
      return createStringError(
          "more than 2^30 edges: the reference interpreter lists every edge, "
          "use a smaller graph");
  }
  std::vector<int32_t> destinations, sources;
  destinations.reserve(numEdges);
  sources.reserve(numEdges);
  for (int64_t i = 0; i < numDst; ++i)
    for (int64_t j = begin(i), last = end(i); j < last; ++j) {
      if (noSelf && i == j)
        continue;
      destinations.push_back(i);
      sources.push_back(j);
    }
  return ReferenceGraph(numDst, numSrc, std::move(destinations),
                        std::move(sources));
}

Expected<ReferenceGraph> ReferenceGraph::complete(int64_t n, bool noSelf) {
  return interval(
      n, n, noSelf, [](int64_t) { return 0; }, [n](int64_t) { return n; });
}

Expected<ReferenceGraph> ReferenceGraph::bipartite(int64_t numDst,
                                                   int64_t numSrc) {
  return interval(
      numDst, numSrc, /*noSelf=*/false, [](int64_t) { return 0; },
      [numSrc](int64_t) { return numSrc; });
}

Expected<ReferenceGraph> ReferenceGraph::causal(int64_t n, bool noSelf) {
  return interval(
      n, n, noSelf, [](int64_t) { return 0; }, [](int64_t i) { return i + 1; });
}

Expected<ReferenceGraph> ReferenceGraph::window(int64_t n, int64_t halfWidth,
                                                bool noSelf) {
  if (halfWidth < 0)
    return createStringError("half width %lld: expected 0 or more",
                             (long long)halfWidth);
  int64_t reach = std::min(halfWidth, std::max<int64_t>(n, 0));
  return interval(
      n, n, noSelf, [=](int64_t i) { return std::max<int64_t>(0, i - reach); },
      [=](int64_t i) { return std::min(n, i + reach + 1); });
}

Expected<ReferenceGraph> ReferenceGraph::cliques(ArrayRef<int64_t> offsets,
                                                 bool causal, bool noSelf) {
  if (Error error = reference::checkOffsets(offsets, "offsets"))
    return error;
  int64_t n = offsets.back();
  if (Error error = checkNodes(n, "nodes"))
    return error;
  std::vector<int64_t> first(n), last(n);
  for (size_t c = 0; c + 1 < offsets.size(); ++c)
    for (int64_t i = offsets[c]; i < offsets[c + 1]; ++i) {
      first[i] = offsets[c];
      last[i] = causal ? i + 1 : offsets[c + 1];
    }
  return interval(
      n, n, noSelf, [&](int64_t i) { return first[i]; },
      [&](int64_t i) { return last[i]; });
}

Expected<ReferenceGraph>
ReferenceGraph::fromRuntime(const clique_graph *graph) {
  int64_t numEdges = clique_graph_num_edges(graph);
  if (numEdges > kMaxEdges)
    return createStringError(
        "%lld edges: the reference interpreter lists every edge, use a graph "
        "of at most 2^30",
        (long long)numEdges);
  const int64_t *indptr, *edgeIds;
  const int32_t *indices;
  if (clique_graph_csr(graph, &indptr, &indices, &edgeIds) != CLIQUE_OK)
    return createStringError("%s", clique_last_error());
  std::vector<int32_t> destinations(numEdges), sources(numEdges);
  int64_t numDst = clique_graph_num_dst(graph);
  for (int64_t row = 0; row < numDst; ++row)
    for (int64_t k = indptr[row]; k < indptr[row + 1]; ++k) {
      int64_t edge = edgeIds ? edgeIds[k] : k;
      destinations[edge] = row;
      sources[edge] = indices[k];
    }
  return coo(numDst, clique_graph_num_src(graph), std::move(destinations),
             std::move(sources));
}

ReferenceGraph ReferenceGraph::reverse() const {
  return ReferenceGraph(numSrc, numDst, src, dst);
}

Expected<ReferenceGraph> ReferenceGraph::addSelfLoops() const {
  if (numDst != numSrc)
    return createStringError("%lld destinations, but %lld sources: self-loops "
                             "need the same number of both",
                             (long long)numDst, (long long)numSrc);
  std::vector<bool> hasLoop(numDst);
  for (int64_t edge = 0; edge < getNumEdges(); ++edge)
    if (dst[edge] == src[edge])
      hasLoop[dst[edge]] = true;
  std::vector<int32_t> destinations = dst, sources = src;
  for (int64_t node = 0; node < numDst; ++node) {
    if (hasLoop[node])
      continue;
    destinations.push_back(node);
    sources.push_back(node);
  }
  return ReferenceGraph(numDst, numSrc, std::move(destinations),
                        std::move(sources));
}
