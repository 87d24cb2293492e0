//===- NodeOrder.cpp - Orders of the nodes of a graph ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By use, and reverse Cuthill-McKee (Cuthill, McKee: Reducing the bandwidth of
// sparse symmetric matrices, 1969; George, 1971). Boost has the latter, but
// looks at all nodes again for each component.
//
//===----------------------------------------------------------------------===//
#include "runtime/NodeOrder.h"
#include "runtime/Interruption.h"

#include <algorithm>
#include <numeric>

using namespace clique;

NodeList clique::invertOrder(const NodeList &order) {
  NodeList inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k)
    inverse[order[k]] = int32_t(k);
  return inverse;
}

NodeList clique::listNodes(const clique_graph &graph) {
  NodeList nodes(graph.numDst);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

/// Ascending; equals by their number.
template <typename Key>
static void sortNodes(NodeList::iterator begin, NodeList::iterator end,
                      Key &&key) {
  std::sort(begin, end, [&](int32_t a, int32_t b) {
    const int64_t first = key(a), second = key(b);
    return first != second ? first < second : a < b;
  });
}

NodeList clique::orderByUse(const clique_graph &graph) {
  std::vector<int64_t> uses(graph.numSrc, 0);
  LoopInterruption interruption;
  for (int32_t source : graph.indices()) {
    interruption.check();
    ++uses[source];
  }
  NodeList order = listNodes(graph);
  sortNodes(order.begin(), order.end(),
            [&](int32_t node) { return -uses[node]; });
  return order;
}

namespace {
/// The graph without directions: an edge is in the rows of both of its ends.
struct Neighbours {
  explicit Neighbours(const clique_graph &graph);

  int64_t degree(int32_t node) const { return begin[node + 1] - begin[node]; }

  std::vector<int64_t> begin;
  NodeList nodes;
};
} // namespace

template <typename Fn>
static void forEachEdge(const clique_graph &graph, Fn &&visit) {
  const ArrayView<int64_t> rows = graph.indptr();
  const ArrayView<int32_t> sources = graph.indices();
  LoopInterruption interruption;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k)
      visit(int32_t(i), sources[k]);
  }
}

Neighbours::Neighbours(const clique_graph &graph)
    : begin(graph.numDst + 1, 0), nodes(2 * graph.numEdges) {
  forEachEdge(graph, [&](int32_t i, int32_t j) {
    ++begin[int64_t(i) + 1];
    ++begin[int64_t(j) + 1];
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int64_t> cursor = begin;
  forEachEdge(graph, [&](int32_t i, int32_t j) {
    nodes[cursor[i]++] = j;
    nodes[cursor[j]++] = i;
  });
}

NodeList clique::orderByCuthillMcKee(const clique_graph &graph) {
  const Neighbours neighbours(graph);
  auto degree = [&](int32_t node) { return neighbours.degree(node); };
  NodeList starts = listNodes(graph);
  sortNodes(starts.begin(), starts.end(), degree);

  // Breadth first; the order itself is the queue.
  NodeList order;
  order.reserve(starts.size());
  std::vector<bool> reached(starts.size(), false);
  auto reach = [&](int32_t node) {
    if (!reached[node])
      order.push_back(node);
    reached[node] = true;
  };
  LoopInterruption interruption;
  size_t next = 0;
  for (int32_t start : starts) {
    reach(start);
    for (; next < order.size(); ++next) {
      const int32_t node = order[next];
      const size_t level = order.size();
      interruption.check(1 + size_t(degree(node)));
      for (int64_t k = neighbours.begin[node]; k < neighbours.begin[node + 1];
           ++k)
        reach(neighbours.nodes[k]);
      sortNodes(order.begin() + int64_t(level), order.end(), degree);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}
