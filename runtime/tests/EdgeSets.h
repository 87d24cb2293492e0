//===- EdgeSets.h - The classes of graphs as sets of edges ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every graph of a class on a few nodes, listed edge by edge as the table of
// topologies in docs/language.md says: what the lattices of the runtime and of
// the dialect are compared with. Knows neither.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_EDGESETS_H
#define CLIQUE_RUNTIME_TESTS_EDGESETS_H

#include "runtime/clique.h"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <vector>

namespace clique::test {

/// A class of graphs.
struct GraphClass {
  clique_topology topology;
  int64_t param = 0;
  bool noSelf = false;
};

/// The edges of a graph: bit i * numSrc + j where i receives from j.
using EdgeSet = uint64_t;

/// Graphs of one size: those of a class.
struct EdgeSets {
  /// All graphs, also with parallel edges, which a set of edges cannot have.
  bool isAny = false;
  std::set<EdgeSet> sets;

  bool contains(const EdgeSets &other) const {
    if (isAny || other.isAny)
      return isAny;
    for (EdgeSet set : other.sets)
      if (!sets.count(set))
        return false;
    return true;
  }
};

inline EdgeSet
collectEdges(int64_t numDst, int64_t numSrc, bool noSelf,
             const std::function<bool(int64_t, int64_t)> &isEdge) {
  EdgeSet set = 0;
  for (int64_t i = 0; i < numDst; ++i)
    for (int64_t j = 0; j < numSrc; ++j)
      if (isEdge(i, j) && (!noSelf || i != j))
        set |= EdgeSet(1) << (i * numSrc + j);
  return set;
}

/// Of n nodes in a row cut into cliques in every way: for each the number of
/// every node's clique.
inline std::vector<std::vector<int64_t>> listPartitions(int64_t n) {
  std::vector<std::vector<int64_t>> partitions;
  for (uint64_t cuts = 0; cuts < uint64_t(1) << (n > 1 ? n - 1 : 0); ++cuts) {
    std::vector<int64_t> owner(size_t(n), 0);
    for (int64_t i = 1; i < n; ++i)
      owner[i] = owner[i - 1] + int64_t((cuts >> (i - 1)) & 1);
    partitions.push_back(owner);
  }
  return partitions;
}

/// All unions of whole blocks.
inline std::set<EdgeSet> listBlocks(int64_t numDst, int64_t numSrc,
                                    int64_t size) {
  const int64_t rows = (numDst + size - 1) / size,
                columns = (numSrc + size - 1) / size;
  std::set<EdgeSet> sets;
  for (uint64_t full = 0; full < uint64_t(1) << (rows * columns); ++full)
    sets.insert(collectEdges(numDst, numSrc, false, [&](int64_t i, int64_t j) {
      return (full >> (i / size * columns + j / size)) & 1;
    }));
  return sets;
}

/// The graphs of a class that have these numbers of destinations and sources.
inline EdgeSets listGraphs(const GraphClass &of, int64_t numDst,
                           int64_t numSrc) {
  auto one = [&](const std::function<bool(int64_t, int64_t)> &isEdge) {
    return EdgeSets{false, {collectEdges(numDst, numSrc, of.noSelf, isEdge)}};
  };
  auto ofCliques = [&](bool isCausal) {
    EdgeSets result;
    for (const std::vector<int64_t> &owner : listPartitions(numDst))
      result.sets.insert(
          collectEdges(numDst, numSrc, of.noSelf, [&](int64_t i, int64_t j) {
            return owner[i] == owner[j] && (j <= i || !isCausal);
          }));
    return result;
  };
  switch (of.topology) {
  case CLIQUE_TOPOLOGY_UNKNOWN:
  case CLIQUE_TOPOLOGY_SPARSE:
    return {true, {}};
  case CLIQUE_TOPOLOGY_BIPARTITE:
    return one([](int64_t, int64_t) { return true; });
  case CLIQUE_TOPOLOGY_BLOCKS:
    return {false, listBlocks(numDst, numSrc, of.param)};
  default:
    break;
  }
  if (numDst != numSrc)
    return {};
  switch (of.topology) {
  case CLIQUE_TOPOLOGY_COMPLETE:
    return one([](int64_t, int64_t) { return true; });
  case CLIQUE_TOPOLOGY_CAUSAL:
    return one([](int64_t i, int64_t j) { return j <= i; });
  case CLIQUE_TOPOLOGY_WINDOW:
    return one(
        [&](int64_t i, int64_t j) { return std::abs(i - j) <= of.param; });
  case CLIQUE_TOPOLOGY_CLIQUES:
    return ofCliques(/*isCausal=*/false);
  default:
    return ofCliques(/*isCausal=*/true);
  }
}

} // namespace clique::test

#endif // CLIQUE_RUNTIME_TESTS_EDGESETS_H
