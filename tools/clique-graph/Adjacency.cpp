//===- Adjacency.cpp - The rows of a graph --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Adjacency.h"
#include "tools/clique-run/Graphs.h"
#include "tools/support/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clique;

static bool isRegular(const clique_graph_info &info) {
  return info.num_edges > 0 && info.topology != CLIQUE_TOPOLOGY_SPARSE &&
         info.topology != CLIQUE_TOPOLOGY_BLOCKS;
}

/// A class of graphs says what each row is, but all are counted.
static Error checkMemory(const clique_graph_info &info) {
  // Of a destination there are the pointer and the interval of its row, of
  // each node a degree, and what its component takes.
  const uint64_t bytes =
      48 * uint64_t(info.num_dst) + 32 * uint64_t(info.num_src);
  const uint64_t memory = getMostMemory();
  if (bytes <= memory)
    return Error::success();
  return createStringError("the graph of " + Twine(info.num_dst) +
                           " destinations and " + Twine(info.num_src) +
                           " sources: to count what is in it takes " +
                           Twine(bytes >> 20) + " MiB, and there are " +
                           Twine(memory >> 20) + "; inspect a smaller one");
}

Expected<Adjacency> Adjacency::create(const clique_graph &graph) {
  Adjacency result;
  if (clique_graph_inspect(&graph, &result.info) != CLIQUE_OK)
    return makeRuntimeError();
  if (Error error = checkMemory(result.info))
    return std::move(error);
  const bool needsList = !isRegular(result.info);
  if (clique_graph_csr(&graph, &result.rowPointers,
                       needsList ? &result.indices : nullptr,
                       nullptr) != CLIQUE_OK)
    return makeRuntimeError();
  if (!needsList)
    result.findIntervals();
  return result;
}

void Adjacency::findIntervals() {
  const int64_t n = info.num_dst, w = info.param;
  intervals.reserve(n);
  // Of cliques: where the one of row i ends.
  int64_t first = 0, end = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t size = getInDegree(i) + info.no_self;
    switch (info.topology) {
    case CLIQUE_TOPOLOGY_CLIQUES:
      if (i == end) {
        first = i;
        end = i + size;
      }
      intervals.emplace_back(first, end);
      break;
    case CLIQUE_TOPOLOGY_CAUSAL:
    case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
      intervals.emplace_back(i + 1 - size, i + 1);
      break;
    case CLIQUE_TOPOLOGY_WINDOW:
      intervals.emplace_back(std::max<int64_t>(i - w, 0),
                             i < n - w ? i + w + 1 : n);
      break;
    default:
      intervals.emplace_back(0, info.num_src);
    }
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Adjacency::visitBlocks(int64_t size, BlockVisitor visit) const {
  if (hasIntervals())
    visitBlocksOfIntervals(size, visit);
  else
    visitBlocksOfLists(size, visit);
}

void Adjacency::visitBlocksOfLists(int64_t size, BlockVisitor visit) const {
  std::vector<int64_t> counts(size_t(divideCeil(getNumSrc(), size)), 0);
  std::vector<int64_t> touched;
  for (int64_t row = 0; row * size < getNumDst(); ++row) {
    const int64_t end = std::min((row + 1) * size, getNumDst());
    for (int64_t i = row * size; i < end; ++i) {
      int32_t last = -1;
      for (int32_t j : getSources(i)) {
        if (j == std::exchange(last, j))
          continue;
        int64_t &count = counts[j / size];
        if (count++ == 0)
          touched.push_back(j / size);
      }
    }
    for (int64_t column : touched)
      visit({row, column, column + 1, std::exchange(counts[column], 0)});
    touched.clear();
  }
}

std::vector<int64_t> Adjacency::findBreaks(int64_t begin, int64_t end,
                                           int64_t size) const {
  // The last block may be narrower than the others.
  const int64_t numColumns = divideCeil(getNumSrc(), size);
  std::vector<int64_t> breaks = {numColumns - 1, numColumns};
  auto addBlockOf = [&](int64_t source) {
    breaks.push_back(source / size);
    breaks.push_back(source / size + 1);
  };
  for (int64_t i = begin; i < end; ++i) {
    if (getInDegree(i) == 0)
      continue;
    addBlockOf(intervals[i].first);
    addBlockOf(intervals[i].second - 1);
    if (info.no_self)
      addBlockOf(i);
  }
  llvm::sort(breaks);
  breaks.erase(llvm::unique(breaks), breaks.end());
  return breaks;
}

int64_t Adjacency::countPairs(int64_t begin, int64_t end,
                              Interval sources) const {
  int64_t pairs = 0;
  for (int64_t i = begin; i < end; ++i) {
    auto [first, last] = intervals[i];
    pairs += std::max<int64_t>(
        std::min(last, sources.second) - std::max(first, sources.first), 0);
    if (info.no_self && i >= sources.first && i < sources.second)
      --pairs;
  }
  return pairs;
}

void Adjacency::visitBlocksOfIntervals(int64_t size, BlockVisitor visit) const {
  for (int64_t row = 0; row * size < getNumDst(); ++row) {
    const int64_t begin = row * size;
    const int64_t end = std::min(begin + size, getNumDst());
    const std::vector<int64_t> breaks = findBreaks(begin, end, size);
    for (size_t k = 0; k + 1 < breaks.size(); ++k) {
      const Interval sources(breaks[k] * size,
                             std::min((breaks[k] + 1) * size, getNumSrc()));
      if (int64_t pairs = countPairs(begin, end, sources))
        visit({row, breaks[k], breaks[k + 1], pairs});
    }
  }
}
