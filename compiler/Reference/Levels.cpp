//===- Levels.cpp - Parts of graphs of the reference interpreter ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Levels.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace clique;
using namespace mlir;
using llvm::createStringError;
using llvm::Expected;

/// The level of each node, when all its sources have theirs.
static Expected<std::vector<int64_t>> raiseLevels(const ReferenceGraph &graph) {
  const int64_t numNodes = graph.getNumDst();
  const ReferenceGraph users = graph.reverse();
  std::vector<int64_t> levels(numNodes, 0), open(numNodes), ready;
  for (int64_t node = 0; node < numNodes; ++node) {
    open[node] = graph.getDegree(node);
    if (open[node] == 0)
      ready.push_back(node);
  }
  for (size_t next = 0; next < ready.size(); ++next) {
    const int64_t node = ready[next];
    for (int64_t k = 0; k < users.getDegree(node); ++k) {
      const int32_t user = graph.getDst(users.getIncoming(node, k));
      levels[user] = std::max(levels[user], levels[node] + 1);
      if (--open[user] == 0)
        ready.push_back(user);
    }
  }
  if (static_cast<int64_t>(ready.size()) < numNodes)
    return createStringError(
        "the graph has a cycle: levels are those of an acyclic graph");
  return levels;
}

Expected<ReferenceLevels> clique::findLevels(const ReferenceGraph &graph) {
  const int64_t numNodes = graph.getNumDst();
  if (numNodes != graph.getNumSrc())
    return createStringError("%lld destinations, but %lld sources: levels need "
                             "the same number of both",
                             (long long)numNodes, (long long)graph.getNumSrc());
  Expected<std::vector<int64_t>> levels = raiseLevels(graph);
  if (!levels)
    return levels.takeError();
  std::vector<int32_t> nodes(numNodes), places(numNodes);
  for (int64_t node = 0; node < numNodes; ++node)
    nodes[node] = node;
  llvm::sort(nodes, [&](int32_t a, int32_t b) {
    return std::pair((*levels)[a], a) < std::pair((*levels)[b], b);
  });
  std::vector<int64_t> offsets = {0};
  for (auto [place, node] : llvm::enumerate(nodes)) {
    places[node] = place;
    offsets.resize((*levels)[node] + 2);
    offsets.back() = place + 1;
  }
  std::vector<int32_t> destinations, sources;
  for (int64_t edge = 0; edge < graph.getNumEdges(); ++edge) {
    destinations.push_back(places[graph.getDst(edge)]);
    sources.push_back(places[graph.getSrc(edge)]);
  }
  Expected<ReferenceGraph> byLevel = ReferenceGraph::coo(
      numNodes, numNodes, std::move(destinations), std::move(sources));
  if (!byLevel)
    return byLevel.takeError();
  return ReferenceLevels{std::move(*byLevel), std::move(nodes),
                         std::move(places), std::move(offsets)};
}

Expected<ReferenceRows> clique::takeRows(const ReferenceGraph &graph,
                                         int64_t first, int64_t count) {
  if (first < 0 || count < 0 || first > graph.getNumDst() - count)
    return createStringError("%lld rows from %lld on, but the graph has %lld "
                             "destinations: expected a part of them",
                             (long long)count, (long long)first,
                             (long long)graph.getNumDst());
  std::vector<int64_t> edges;
  std::vector<int32_t> destinations, sources;
  for (int64_t row = 0; row < count; ++row) {
    const size_t begin = edges.size();
    for (int64_t k = 0; k < graph.getDegree(first + row); ++k)
      edges.push_back(graph.getIncoming(first + row, k));
    std::sort(edges.begin() + begin, edges.end(), [&](int64_t a, int64_t b) {
      return std::pair(graph.getSrc(a), a) < std::pair(graph.getSrc(b), b);
    });
    destinations.resize(edges.size(), row);
  }
  for (int64_t edge : edges)
    sources.push_back(graph.getSrc(edge));
  Expected<ReferenceGraph> part = ReferenceGraph::coo(
      count, graph.getNumSrc(), std::move(destinations), std::move(sources));
  if (!part)
    return part.takeError();
  return ReferenceRows{std::move(*part), std::move(edges)};
}

Expected<ReferenceGroups> clique::groupEdges(const ReferenceGraph &graph,
                                             ArrayRef<double> keys,
                                             int64_t numKeys) {
  const int64_t numEdges = graph.getNumEdges();
  if (static_cast<int64_t>(keys.size()) != numEdges)
    return createStringError("%lld keys, but the graph has %lld edges: "
                             "expected one for each",
                             (long long)keys.size(), (long long)numEdges);
  if (numKeys < 1)
    return createStringError("keys from 0 to %lld: expected 1 key or more",
                             (long long)numKeys - 1);
  auto getGroup = [&](int64_t edge) {
    const auto key = static_cast<int64_t>(keys[edge]);
    return std::pair(
        static_cast<int32_t>(std::max<int64_t>(0, std::min(key, numKeys - 1))),
        graph.getDst(edge));
  };
  std::vector<std::pair<int32_t, int32_t>> all;
  all.reserve(numEdges);
  for (int64_t edge = 0; edge < numEdges; ++edge)
    all.push_back(getGroup(edge));
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<int32_t> destinations, sources, rows, groupKeys;
  for (auto [key, row] : all) {
    rows.push_back(row);
    groupKeys.push_back(key);
  }
  for (int64_t edge = 0; edge < numEdges; ++edge) {
    auto group = std::lower_bound(all.begin(), all.end(), getGroup(edge));
    destinations.push_back(static_cast<int32_t>(group - all.begin()));
    sources.push_back(graph.getSrc(edge));
  }
  Expected<ReferenceGraph> groups =
      ReferenceGraph::coo(all.size(), graph.getNumSrc(),
                          std::move(destinations), std::move(sources));
  if (!groups)
    return groups.takeError();
  return ReferenceGroups{std::move(*groups), std::move(rows),
                         std::move(groupKeys)};
}
