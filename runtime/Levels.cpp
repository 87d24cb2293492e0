//===- Levels.cpp - Acyclic graphs level by level, parts of graphs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Levels.h"
#include "runtime/EdgeGroups.h"
#include "runtime/Error.h"
#include "runtime/Interruption.h"
#include "runtime/NodeOrder.h"

#include <algorithm>
#include <numeric>
#include <string>

using namespace clique;

namespace {
/// A depth-first search along the edges from their destinations to their
/// sources, which have their levels first.
class LevelSearch {
public:
  LevelSearch(const char *where, const clique_graph &graph)
      : where(where), rows(graph.indptr()), sources(graph.indices()),
        levels(graph.numDst, 0), states(graph.numDst, State::Unseen),
        cursors(rows.begin(), rows.begin() + graph.numDst) {}

  std::vector<int32_t> run() {
    for (size_t node = 0; node < levels.size(); ++node)
      if (states[node] == State::Unseen)
        visit(int32_t(node));
    return std::move(levels);
  }

private:
  enum class State : uint8_t { Unseen, OnPath, Done };

  void enter(int32_t node) {
    states[node] = State::OnPath;
    path.push_back(node);
  }
  void visit(int32_t root);
  [[noreturn]] void failAtCycle(int32_t node) const;

  const char *where;
  ArrayView<int64_t> rows;
  ArrayView<int32_t> sources;
  std::vector<int32_t> levels;
  std::vector<State> states;
  std::vector<int64_t> cursors;
  /// Each node receives from the next one.
  std::vector<int32_t> path;
  LoopInterruption interruption;
};
} // namespace

void LevelSearch::visit(int32_t root) {
  enter(root);
  while (!path.empty()) {
    interruption.check();
    const int32_t node = path.back();
    if (cursors[node] == rows[node + 1]) {
      states[node] = State::Done;
      path.pop_back();
      continue;
    }
    const int32_t source = sources[cursors[node]];
    switch (states[source]) {
    case State::Unseen:
      enter(source); // and the same edge again
      break;
    case State::OnPath:
      failAtCycle(source);
    case State::Done:
      levels[node] = std::max(levels[node], levels[source] + 1);
      ++cursors[node];
      break;
    }
  }
}

/// The edges go from the end of the path to its beginning.
void LevelSearch::failAtCycle(int32_t node) const {
  const auto first = std::find(path.begin(), path.end(), node);
  const int64_t length = path.end() - first;
  constexpr int64_t kShown = 8;
  std::string text = std::to_string(node);
  for (int64_t k = length - 1; k > 0; --k) {
    if (length - k == kShown && k > 1) {
      text += fmt::format(" -> ... ({} nodes)", length);
      break;
    }
    text += fmt::format(" -> {}", first[k]);
  }
  fail(CLIQUE_INVALID_ARGUMENT,
       "{}: the graph has a cycle through node {}: {} -> {}; levels are those "
       "of an acyclic graph",
       where, node, text, node);
}

/// The nodes by level, those of one level by number.
static Levels sortByLevel(const std::vector<int32_t> &levels) {
  Levels result;
  const int32_t count =
      levels.empty() ? 0 : 1 + *std::max_element(levels.begin(), levels.end());
  result.offsets.assign(count + 1, 0);
  for (int32_t level : levels)
    ++result.offsets[level + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(),
                   result.offsets.begin());
  result.nodes.resize(levels.size());
  std::vector<int64_t> cursor = result.offsets;
  for (size_t node = 0; node < levels.size(); ++node)
    result.nodes[cursor[levels[node]]++] = int32_t(node);
  result.places = invertOrder(result.nodes);
  return result;
}

GraphPtr clique::makeLevels(const char *where, const clique_graph &graph) {
  if (graph.numDst != graph.numSrc)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: the graph has {} destinations and {} sources; levels need the "
         "same number of both",
         where, graph.numDst, graph.numSrc);
  auto levels =
      std::make_unique<Levels>(sortByLevel(LevelSearch(where, graph).run()));
  GraphPtr result = renumber(graph, levels->places.data());
  result->levels = std::move(levels);
  return result;
}

const clique_graph &clique_graph::byLevel(const char *where) const {
  levelsOnce([&] { levelGraph = makeLevels(where, *this); });
  return *levelGraph;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

GraphPtr clique::makeRows(const char *where, const clique_graph &graph,
                          int64_t first, int64_t count) {
  if (first < 0 || count < 0 || first > graph.numDst - count)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {} rows from {} on, but the graph has {} destinations; expected "
         "a part of them",
         where, count, first, graph.numDst);
  const clique_topology topology = graph.form.topology;
  const bool isBipartite =
      topology == CLIQUE_TOPOLOGY_BIPARTITE ||
      (topology == CLIQUE_TOPOLOGY_COMPLETE && !graph.form.noSelf);
  GraphPtr part = isBipartite
                      ? makeBipartite(where, count, graph.numSrc)
                      : std::make_unique<clique_graph>(graph, first, count);
  part->whole = &graph;
  part->firstEdge = graph.indptr()[first];
  return part;
}

clique_graph::clique_graph(const clique_graph &whole, int64_t first,
                           int64_t count)
    : numDst(count), numSrc(whole.numSrc),
      numEdges(whole.indptr()[first + count] - whole.indptr()[first]) {
  const ArrayView<int64_t> rows = whole.indptr();
  rowPointers.resize(count + 1);
  for (int64_t i = 0; i <= count; ++i)
    rowPointers[i] = rows[first + i] - rows[first];
  givenRows = rowPointers;
  if (whole.isImplicit()) {
    checkMaterialisable(*this, sizeof(int32_t));
    sources = listSources(whole, first, count);
    givenSources = sources;
  } else {
    givenSources = {whole.indices().data() + rows[first], size_t(numEdges)};
  }
}

ArrayView<int64_t> clique_graph::edgesInWhole() const {
  if (whole->edgesInOrder()) {
    edgesInWholeOnce([&] {
      checkMaterialisable(*this, sizeof(int64_t));
      wholeEdges.resize(numEdges);
      std::iota(wholeEdges.begin(), wholeEdges.end(), firstEdge);
    });
    return wholeEdges;
  }
  return {whole->edgeIds().data() + firstEdge, size_t(numEdges)};
}
