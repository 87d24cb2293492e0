//===- EdgeOrder.cpp - Reversal, self-loops and the caller's edge order ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs derived from a graph list their edges in the order of the original, so
// that edge features stay where they are. A regular graph that remains regular
// stays implicit and only remembers how its edges are listed.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <algorithm>

using namespace clique;

/// The form of an implicit graph's reverse. All classes but the causal ones,
/// with an edge that is no loop, are symmetric.
static ImplicitForm reverseForm(const clique_graph &graph) {
  ImplicitForm form = graph.form;
  const bool isCausal = form.topology == CLIQUE_TOPOLOGY_CAUSAL ||
                        form.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
  if (isCausal && graph.numEdges > (form.noSelf ? 0 : graph.numDst))
    form.isReversed = !form.isReversed;
  form.order =
      form.order == EdgeOrder::Csr ? EdgeOrder::Transposed : EdgeOrder::Csr;
  return form;
}

/// The transposed graph lists its edges row by row of the graph it came from;
/// walking that graph fills each of our rows by ascending source.
static std::vector<int64_t> transposedOrder(const clique_graph &graph) {
  const ArrayView<int64_t> starts = graph.indptr();
  std::vector<int64_t> cursor(starts.begin(), starts.end());
  std::vector<int64_t> result = makeListing(graph.numEdges);
  int64_t *numbers = result.data() + kListedNumbers;
  const Intervals rows =
      makeIntervals(graph.numSrc, graph.numDst, reverseForm(graph));
  LoopInterruption interruption;
  int64_t edge = 0;
  for (int64_t i = 0; i < graph.numSrc; ++i) {
    interruption.check(1 + size_t(rows.end[i] - rows.begin[i]));
    for (int64_t j = rows.begin[i]; j < rows.end[i]; ++j)
      if (j != i || !graph.form.noSelf)
        numbers[cursor[j]++] = edge++;
  }
  return result;
}

std::vector<int64_t> clique::numberTransposedEdges(const clique_graph &graph) {
  const Intervals rows =
      makeIntervals(graph.numSrc, graph.numDst, reverseForm(graph));
  std::vector<int64_t> result = {1, 1, 0, 1};
  result.reserve(result.size() + graph.numDst + graph.numSrc);
  // The sources of a row are an interval: their entries stand as its edges do.
  const Intervals &sources = graph.intervals();
  const ArrayView<int64_t> starts = graph.indptr();
  const int64_t numbers = int64_t(kNumberingFactors) + graph.numDst;
  for (int64_t i = 0; i < graph.numDst; ++i)
    result.push_back(numbers + sources.begin[i] - starts[i]);
  int64_t firstEdge = 0;
  for (int64_t j = 0; j < graph.numSrc; ++j) {
    result.push_back(firstEdge - rows.begin[j]);
    firstEdge += rows.end[j] - rows.begin[j];
  }
  return result;
}

static std::vector<int64_t> loopsLastOrder(const clique_graph &graph) {
  std::vector<int64_t> result = makeListing(graph.numEdges);
  int64_t *numbers = result.data() + kListedNumbers;
  const Intervals &rows = graph.intervals();
  const int64_t firstLoop = graph.numEdges - graph.numDst;
  LoopInterruption interruption;
  int64_t position = 0, edge = 0;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows.end[i] - rows.begin[i]));
    for (int64_t j = rows.begin[i]; j < rows.end[i]; ++j)
      numbers[position++] = j == i ? firstLoop + i : edge++;
  }
  return result;
}

std::vector<int64_t> clique::permuteImplicitEdges(const clique_graph &graph) {
  return graph.form.order == EdgeOrder::Transposed ? transposedOrder(graph)
                                                   : loopsLastOrder(graph);
}

std::vector<int64_t> clique::transposeEdgeIds(const clique_graph &graph,
                                              ArrayView<int64_t> starts) {
  const ArrayView<int64_t> rows = graph.indptr();
  const ArrayView<int32_t> columns = graph.indices();
  const bool inOrder = graph.edgesInOrder();
  const ArrayView<int64_t> ids =
      inOrder ? ArrayView<int64_t>() : graph.edgeIds();
  std::vector<int64_t> cursor(starts.begin(), starts.end());
  std::vector<int64_t> result = makeListing(graph.numEdges);
  int64_t *numbers = result.data() + kListedNumbers;
  LoopInterruption interruption;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k)
      numbers[cursor[columns[k]]++] = inOrder ? k : ids[k];
  }
  return result;
}

GraphPtr clique::makeReverse(const clique_graph &graph) {
  if (graph.isImplicit() && graph.form.order != EdgeOrder::LoopsLast)
    return std::make_unique<clique_graph>(graph.numSrc, graph.numDst,
                                          reverseForm(graph));
  EdgeList edges = graph.edgeList();
  return std::make_unique<clique_graph>(graph.numSrc, graph.numDst,
                                        graph.numEdges, edges.src.data(),
                                        edges.dst.data());
}

GraphPtr clique::makeSelfLoops(const char *where, const clique_graph &graph) {
  if (graph.numDst != graph.numSrc)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: a graph of {} destinations and {} sources has no self-loops; "
         "their numbers must be equal",
         where, graph.numDst, graph.numSrc);
  // Every regular graph either has all self-loops or none.
  if (graph.isImplicit() &&
      (!graph.form.noSelf || graph.form.order == EdgeOrder::Csr)) {
    ImplicitForm form = graph.form;
    if (form.noSelf)
      form.order = EdgeOrder::LoopsLast;
    form.noSelf = false;
    return std::make_unique<clique_graph>(graph.numDst, graph.numSrc,
                                          std::move(form));
  }
  EdgeList edges = graph.edgeList();
  const ArrayView<int64_t> rows = graph.indptr();
  const ArrayView<int32_t> columns = graph.indices();
  for (int64_t i = 0; i < graph.numDst; ++i)
    if (!std::binary_search(columns.begin() + rows[i],
                            columns.begin() + rows[i + 1], int32_t(i))) {
      edges.dst.push_back(int32_t(i));
      edges.src.push_back(int32_t(i));
    }
  return std::make_unique<clique_graph>(graph.numDst, graph.numSrc,
                                        int64_t(edges.dst.size()),
                                        edges.dst.data(), edges.src.data());
}

const clique_graph &clique_graph::reversed() const {
  reverseOnce([&] {
    reverseGraph = makeReverse(*this);
    // Few layers ask for the numbers of its edges.
    reverseGraph->original = this;
    std::vector<int64_t>().swap(reverseGraph->callerEdges);
  });
  return *reverseGraph;
}

const clique_graph &clique_graph::withSelfLoops(const char *where) const {
  selfLoopsOnce([&] { selfLoopGraph = makeSelfLoops(where, *this); });
  return *selfLoopGraph;
}
