//===- CliqueOrder.cpp - Graphs in the order of their cliques -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cliques whose nodes were mixed, clique by clique: a batch whose nodes came in
// any order, or a relation that only says who belongs together. Rows of a
// clique have the same sources, the least of which names it; a graph that is no
// such thing mostly shows it in its first rows.
//
//===----------------------------------------------------------------------===//
#include "runtime/Interruption.h"
#include "runtime/NodeOrder.h"

#include <algorithm>
#include <numeric>

using namespace clique;

namespace {
/// The least node of each node's clique, if the graph consists of cliques.
class CliqueNames {
public:
  explicit CliqueNames(const clique_graph &graph)
      : rows(graph.indptr()), sources(graph.indices()), numNodes(graph.numDst) {
  }

  /// False if a row shows that the nodes are in no cliques. That rows are full
  /// is not seen here.
  bool find();
  /// The nodes of each clique, by its name; 0 for other nodes. Empty if a row
  /// has fewer edges than its clique has nodes.
  std::vector<int64_t> countNodes() const;

  NodeList names;
  /// Whether rows leave out the node itself.
  bool noSelf = false;

private:
  int32_t nameOf(int32_t node) const {
    const int64_t begin = rows[node];
    return begin < rows[int64_t(node) + 1] ? std::min(node, sources[begin])
                                           : node;
  }
  bool isRowOfClique(int32_t node) const;
  bool hasSelf(int32_t node) const {
    return std::binary_search(sources.data() + rows[node],
                              sources.data() + rows[int64_t(node) + 1], node);
  }

  const ArrayView<int64_t> rows;
  const ArrayView<int32_t> sources;
  const int64_t numNodes;
};
} // namespace

bool CliqueNames::isRowOfClique(int32_t node) const {
  const int32_t name = nameOf(node);
  for (int64_t k = rows[node]; k < rows[int64_t(node) + 1]; ++k)
    if (nameOf(sources[k]) != name ||
        (k > rows[node] && sources[k] == sources[k - 1]))
      return false;
  return hasSelf(node) != noSelf;
}

bool CliqueNames::find() {
  noSelf = numNodes > 0 && !hasSelf(0);
  names.reserve(numNodes);
  LoopInterruption interruption;
  for (int32_t i = 0; i < numNodes; ++i) {
    interruption.check(1 + size_t(rows[int64_t(i) + 1] - rows[i]));
    if (!isRowOfClique(i))
      return false;
    names.push_back(nameOf(i));
  }
  return true;
}

std::vector<int64_t> CliqueNames::countNodes() const {
  std::vector<int64_t> counts(numNodes, 0);
  for (int32_t name : names)
    ++counts[name];
  for (int64_t i = 0; i < numNodes; ++i)
    if (rows[i + 1] - rows[i] != counts[names[i]] - (noSelf ? 1 : 0))
      return {};
  return counts;
}

/// Null if the graph is none of mixed cliques.
static GraphPtr makeInOrder(const clique_graph &graph) {
  if (graph.isImplicit() || graph.whole || graph.numDst != graph.numSrc ||
      graph.numEdges == 0 || graph.info().topology != CLIQUE_TOPOLOGY_SPARSE)
    return nullptr;
  CliqueNames cliques(graph);
  if (!cliques.find())
    return nullptr;
  const std::vector<int64_t> counts = cliques.countNodes();
  if (counts.empty())
    return nullptr;

  std::vector<int64_t> places(counts.size()), offsets = {0};
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), int64_t(0));
  for (size_t name = 0; name < counts.size(); ++name)
    if (counts[name] > 0)
      offsets.push_back(places[name] + counts[name]);
  GraphPtr ordered =
      makeCliques("mp.in_order", int64_t(offsets.size()) - 1, offsets.data(),
                  /*causal=*/false, cliques.noSelf);
  ordered->nodeOrder.resize(counts.size());
  for (size_t i = 0; i < counts.size(); ++i)
    ordered->nodeOrder[places[cliques.names[i]]++] = int32_t(i);
  return ordered;
}

const clique_graph &clique_graph::inOrder() const {
  inOrderOnce([&] { orderedGraph = makeInOrder(*this); });
  return orderedGraph ? *orderedGraph : *this;
}
