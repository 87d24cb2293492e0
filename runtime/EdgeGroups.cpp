//===- EdgeGroups.cpp - The edges of one key into one destination ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/EdgeGroups.h"
#include "runtime/Error.h"
#include "runtime/Interruption.h"

#include <algorithm>
#include <numeric>

using namespace clique;

namespace {
struct PlacedEdge {
  int64_t number; ///< the caller's
  int32_t row;
};
} // namespace

/// The edges by key, those of one key by row: a counting sort of rows that are
/// sorted already. `keys`: from 0 to numKeys - 1.
static std::vector<PlacedEdge> sortByKey(const clique_graph &graph,
                                         const std::vector<int32_t> &keys,
                                         int64_t numKeys) {
  std::vector<int64_t> cursor(numKeys + 1, 0);
  for (int32_t key : keys)
    ++cursor[int64_t(key) + 1];
  std::partial_sum(cursor.begin(), cursor.end(), cursor.begin());
  const ArrayView<int64_t> rows = graph.indptr();
  const bool inOrder = graph.edgesInOrder();
  const ArrayView<int64_t> ids =
      inOrder ? ArrayView<int64_t>() : graph.edgeIds();
  std::vector<PlacedEdge> sorted(keys.size());
  LoopInterruption interruption;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k) {
      const int64_t edge = inOrder ? k : ids[k];
      sorted[cursor[keys[edge]]++] = {edge, int32_t(i)};
    }
  }
  return sorted;
}

/// The place of each key among those that occur.
static std::vector<int32_t> rankKeys(const std::vector<int32_t> &keys) {
  std::vector<int32_t> distinct = keys;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<int32_t> ranks(keys.size());
  std::transform(keys.begin(), keys.end(), ranks.begin(), [&](int32_t key) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), key);
    return int32_t(place - distinct.begin());
  });
  return ranks;
}

GraphPtr clique::makeGroups(const char *where, const clique_graph &graph,
                            int64_t count, const int32_t *keys,
                            int64_t numKeys) {
  if (count != graph.numEdges)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {} keys, but the graph has {} edges; expected one for each",
         where, count, graph.numEdges);
  if (numKeys < 1)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: keys from 0 to {}; expected 1 key or more", where, numKeys - 1);
  auto groups = std::make_unique<EdgeGroups>();
  groups->keysOfEdges.assign(keys, keys + count);
  std::vector<int32_t> nearest(count);
  const auto last = int32_t(std::min<int64_t>(numKeys - 1, INT32_MAX));
  std::transform(keys, keys + count, nearest.begin(),
                 [&](int32_t key) { return std::clamp(key, 0, last); });

  // A table for all keys up to the largest one may not fit into memory.
  const int64_t past =
      count ? 1 + int64_t(*std::max_element(nearest.begin(), nearest.end()))
            : 0;
  std::vector<int32_t> groupOf(count);
  LoopInterruption interruption;
  for (const PlacedEdge &edge :
       past <= count ? sortByKey(graph, nearest, past)
                     : sortByKey(graph, rankKeys(nearest), count)) {
    interruption.check();
    const int32_t key = nearest[edge.number];
    if (groups->rows.empty() || groups->rows.back() != edge.row ||
        groups->keys.back() != key) {
      groups->rows.push_back(edge.row);
      groups->keys.push_back(key);
    }
    groupOf[edge.number] = int32_t(groups->rows.size() - 1);
  }
  const auto numGroups = int64_t(groups->rows.size());
  checkNodeCount(numGroups, where, "destinations");
  auto result = std::make_unique<clique_graph>(numGroups, graph.numSrc, count,
                                               groupOf.data(),
                                               graph.edgeList().src.data());
  result->groups = std::move(groups);
  return result;
}

std::shared_ptr<const clique_graph>
clique_graph::grouped(const char *where, int64_t count, const int32_t *keys,
                      int64_t numKeys) const {
  // Of the last numbers of keys: of what is grouped each has a list of edges.
  constexpr size_t most = 4;
  std::lock_guard<clique::WorkMutex> lock(groupedMutex);
  auto found =
      std::find_if(groupedGraphs.begin(), groupedGraphs.end(),
                   [&](const auto &entry) { return entry.first == numKeys; });
  if (found == groupedGraphs.end()) {
    if (groupedGraphs.size() == most)
      groupedGraphs.pop_back();
    groupedGraphs.emplace_back(numKeys, nullptr);
    found = groupedGraphs.end() - 1;
  }
  std::rotate(groupedGraphs.begin(), found, found + 1);
  std::shared_ptr<const clique_graph> &graph = groupedGraphs.front().second;
  if (!graph ||
      !std::equal(keys, keys + count, graph->groups->keysOfEdges.begin(),
                  graph->groups->keysOfEdges.end()))
    graph = makeGroups(where, *this, count, keys, numKeys);
  return graph;
}
