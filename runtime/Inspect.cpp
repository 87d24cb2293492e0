//===- Inspect.cpp - What class a graph belongs to ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector: one pass over the rows finds out whether each row is a whole
// interval of sources (all with their self-loop, or all without); the intervals
// then name the class. A graph with a gap is of whole blocks, or sparse, as is
// one with parallel edges.
// O(edges) for a regular graph, mostly O(1) rows for a sparse one.
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <algorithm>
#include <optional>

using namespace clique;

/// Smaller blocks are no class of their own: they fill no tiles.
constexpr int64_t kLeastBlock = 8;

namespace {
struct Class {
  clique_topology topology = CLIQUE_TOPOLOGY_SPARSE;
  int64_t param = 0;
  int64_t numComponents = 1;
};
} // namespace

/// Whether row i holds each source of its span once (but for i, if `noSelf`),
/// and if so which span.
static bool findInterval(const int32_t *row, int64_t degree, int64_t i,
                         bool noSelf, int64_t &begin, int64_t &end) {
  if (degree == 0) {
    begin = noSelf ? i : 0;
    end = noSelf ? i + 1 : 0;
    return true;
  }
  begin = row[0];
  end = int64_t(row[degree - 1]) + 1;
  if (noSelf) {
    begin = std::min(begin, i);
    end = std::max(end, i + 1);
  }
  if (end - begin != degree + noSelf)
    return false;
  // As many sources as the span has places: whole if no source repeats.
  for (int64_t k = 1; k < degree; ++k)
    if (row[k] == row[k - 1])
      return false;
  return !noSelf || !std::binary_search(row, row + degree, int32_t(i));
}

static std::optional<Intervals> findIntervals(const clique_graph &graph,
                                              bool noSelf) {
  const ArrayView<int64_t> rows = graph.indptr();
  const int32_t *columns = graph.indices().data();
  LoopInterruption interruption;
  Intervals result;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    int64_t begin, end;
    if (!findInterval(columns + rows[i], rows[i + 1] - rows[i], i, noSelf,
                      begin, end))
      return std::nullopt;
    result.begin.push_back(begin);
    result.end.push_back(end);
  }
  return result;
}

/// The disjoint blocks of rows in which every row receives from the whole
/// block; 0 if the graph is something else.
static int64_t countCliques(const Intervals &rows) {
  const int64_t n = int64_t(rows.begin.size());
  int64_t count = 0;
  for (int64_t first = 0; first < n; ++count) {
    const int64_t end = rows.end[first];
    if (end <= first)
      return 0;
    for (int64_t i = first; i < end; ++i)
      if (rows.begin[i] != first || rows.end[i] != end)
        return 0;
    first = end;
  }
  return count;
}

/// The same for blocks in which row i receives from the block up to i.
static int64_t countCausalCliques(const Intervals &rows) {
  const int64_t n = int64_t(rows.begin.size());
  int64_t count = 0, first = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (rows.begin[i] == i) {
      first = i;
      ++count;
    }
    if (rows.begin[i] != first || rows.end[i] != i + 1)
      return 0;
  }
  return count;
}

/// The half width of a full band, or -1.
static int64_t findHalfWidth(const Intervals &rows) {
  const int64_t n = int64_t(rows.begin.size());
  const int64_t w = rows.end[0] - 1;
  for (int64_t i = 0; i < n; ++i)
    if (rows.begin[i] != std::max<int64_t>(i - w, 0) ||
        rows.end[i] != std::min(i + w + 1, n))
      return -1;
  return w;
}

static bool allRowsAre(const Intervals &rows, int64_t end) {
  return std::all_of(rows.begin.begin(), rows.begin.end(),
                     [](int64_t begin) { return begin == 0; }) &&
         std::all_of(rows.end.begin(), rows.end.end(),
                     [end](int64_t e) { return e == end; });
}

/// Names the class of a square graph's intervals, the smallest one first.
static Class classifySquare(const Intervals &rows) {
  const int64_t n = int64_t(rows.begin.size());
  if (allRowsAre(rows, n))
    return {CLIQUE_TOPOLOGY_COMPLETE, 0, 1};
  if (int64_t count = countCliques(rows))
    return {CLIQUE_TOPOLOGY_CLIQUES, 0, count};
  if (int64_t count = countCausalCliques(rows))
    return {count == 1 ? CLIQUE_TOPOLOGY_CAUSAL
                       : CLIQUE_TOPOLOGY_CAUSAL_CLIQUES,
            0, count};
  int64_t halfWidth = findHalfWidth(rows);
  if (halfWidth >= 0)
    return {CLIQUE_TOPOLOGY_WINDOW, halfWidth, 1};
  return {};
}

static Class classify(const clique_graph &graph, bool noSelf,
                      Intervals &intervals) {
  std::optional<Intervals> rows = findIntervals(graph, noSelf);
  if (!rows)
    return {};
  Class found;
  if (graph.numDst == graph.numSrc)
    found = classifySquare(*rows);
  else if (allRowsAre(*rows, graph.numSrc))
    found.topology = CLIQUE_TOPOLOGY_BIPARTITE;
  if (found.topology != CLIQUE_TOPOLOGY_SPARSE)
    intervals = std::move(*rows);
  return found;
}

clique_graph_info clique::inspectEdges(const clique_graph &graph,
                                       Intervals &intervals) {
  bool noSelf = false;
  Class found = classify(graph, false, intervals);
  if (found.topology == CLIQUE_TOPOLOGY_SPARSE &&
      graph.numDst == graph.numSrc) {
    found = classify(graph, true, intervals);
    noSelf = found.topology != CLIQUE_TOPOLOGY_SPARSE;
  }
  if (found.topology == CLIQUE_TOPOLOGY_SPARSE &&
      graph.blockSize() >= kLeastBlock && !graph.hasParallelEdges())
    found = {CLIQUE_TOPOLOGY_BLOCKS, graph.blockSize(), 1};
  clique_graph_info info = {graph.numDst,
                            graph.numSrc,
                            graph.numEdges,
                            found.topology,
                            found.param,
                            noSelf,
                            found.numComponents,
                            0,
                            0};
  const ArrayView<int64_t> rows = graph.indptr();
  for (int64_t i = 0; i < graph.numDst; ++i) {
    int64_t degree = rows[i + 1] - rows[i];
    info.max_degree = std::max(info.max_degree, degree);
    info.num_isolated += degree == 0;
  }
  return info;
}

//===----------------------------------------------------------------------===//
// Implicit graphs
//===----------------------------------------------------------------------===//

static void describeCliques(const ImplicitForm &form, clique_graph_info &info) {
  info.num_components = 0;
  for (size_t c = 0; c + 1 < form.offsets.size(); ++c) {
    const int64_t n = form.offsets[c + 1] - form.offsets[c];
    if (n == 0)
      continue;
    ++info.num_components;
    info.max_degree = std::max(info.max_degree, n - form.noSelf);
    const bool firstIsAlone =
        n == 1 || form.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
    info.num_isolated += form.noSelf && firstIsAlone;
  }
}

clique_graph_info clique::inspectForm(const clique_graph &graph) {
  const ImplicitForm &form = graph.form;
  const int64_t n = graph.numDst;
  clique_graph_info info = {n,
                            graph.numSrc,
                            graph.numEdges,
                            form.topology,
                            form.halfWidth,
                            form.noSelf,
                            1,
                            0,
                            0};
  if (n == 0) {
    info.num_components = form.offsets.empty() ? 1 : 0;
    return info;
  }
  switch (form.topology) {
  case CLIQUE_TOPOLOGY_BIPARTITE:
    info.max_degree = graph.numSrc;
    info.num_isolated = graph.numSrc == 0 ? n : 0;
    break;
  case CLIQUE_TOPOLOGY_CAUSAL:
    info.max_degree = n - form.noSelf;
    info.num_isolated = form.noSelf;
    break;
  case CLIQUE_TOPOLOGY_CLIQUES:
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    describeCliques(form, info);
    break;
  default: {
    // Complete is the widest band.
    const int64_t w = form.topology == CLIQUE_TOPOLOGY_WINDOW
                          ? std::min(form.halfWidth, n)
                          : n;
    info.max_degree = std::min(n, 2 * w + 1) - form.noSelf;
    info.num_isolated = info.max_degree == 0 ? n : 0;
  }
  }
  if (form.isReversed) {
    info.topology = CLIQUE_TOPOLOGY_SPARSE;
    info.num_components = 1;
  }
  return info;
}
