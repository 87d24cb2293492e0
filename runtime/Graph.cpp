//===- Graph.cpp - The graph container ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage: the CSR of a given edge list, and what is derived on demand from an
// implicit graph.
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"
#include "runtime/EdgeGroups.h"
#include "runtime/Error.h"
#include "runtime/Interruption.h"
#include "runtime/Levels.h"
#include "runtime/Memory.h"
#include "runtime/RowSpan.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace clique;

//===----------------------------------------------------------------------===//
// Implicit graphs
//===----------------------------------------------------------------------===//

static int64_t countCliqueEdges(const ImplicitForm &form) {
  const bool causal = form.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
  int64_t edges = 0;
  for (size_t c = 0; c + 1 < form.offsets.size(); ++c) {
    int64_t n = form.offsets[c + 1] - form.offsets[c];
    edges += causal ? n * (n + 1) / 2 : n * n;
    edges -= form.noSelf ? n : 0;
  }
  return edges;
}

int64_t clique::countEdges(int64_t numDst, int64_t numSrc,
                           const ImplicitForm &form) {
  const int64_t n = numDst, loops = form.noSelf ? n : 0;
  switch (form.topology) {
  case CLIQUE_TOPOLOGY_COMPLETE:
  case CLIQUE_TOPOLOGY_BIPARTITE:
    return numDst * numSrc - loops;
  case CLIQUE_TOPOLOGY_CAUSAL:
    return n * (n + 1) / 2 - loops;
  case CLIQUE_TOPOLOGY_WINDOW: {
    // Both ends of the band are cut off by a triangle.
    int64_t w = std::min(form.halfWidth, std::max<int64_t>(n - 1, 0));
    return n * (2 * w + 1) - w * (w + 1) - loops;
  }
  case CLIQUE_TOPOLOGY_CLIQUES:
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    return countCliqueEdges(form);
  case CLIQUE_TOPOLOGY_SPARSE:
  case CLIQUE_TOPOLOGY_BLOCKS:
  case CLIQUE_TOPOLOGY_UNKNOWN:
    break;
  }
  return 0;
}

static void fillCliqueIntervals(const ImplicitForm &form, Intervals &result) {
  const bool causal = form.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
  for (size_t c = 0; c + 1 < form.offsets.size(); ++c)
    for (int64_t i = form.offsets[c]; i < form.offsets[c + 1]; ++i) {
      const bool isPast = causal && !form.isReversed;
      result.begin[i] = causal && form.isReversed ? i : form.offsets[c];
      result.end[i] = isPast ? i + 1 : form.offsets[c + 1];
    }
}

Intervals clique::makeIntervals(int64_t numDst, int64_t numSrc,
                                const ImplicitForm &form) {
  Intervals result;
  result.begin.assign(numDst, 0);
  result.end.assign(numDst, numSrc);
  switch (form.topology) {
  case CLIQUE_TOPOLOGY_CAUSAL:
    if (form.isReversed)
      std::iota(result.begin.begin(), result.begin.end(), 0);
    else
      std::iota(result.end.begin(), result.end.end(), 1);
    break;
  case CLIQUE_TOPOLOGY_WINDOW: {
    int64_t w = std::min(form.halfWidth, numDst);
    for (int64_t i = 0; i < numDst; ++i) {
      result.begin[i] = std::max<int64_t>(i - w, 0);
      result.end[i] = std::min(i + w + 1, numDst);
    }
    break;
  }
  case CLIQUE_TOPOLOGY_CLIQUES:
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    fillCliqueIntervals(form, result);
    break;
  default:
    break;
  }
  return result;
}

clique_graph::clique_graph(int64_t numDst, int64_t numSrc,
                           clique::ImplicitForm form)
    : numDst(numDst), numSrc(numSrc),
      numEdges(countEdges(numDst, numSrc, form)), form(std::move(form)) {}

clique_graph::~clique_graph() = default;

void clique::checkMaterialisable(const clique_graph &graph,
                                 int64_t bytesPerEdge) {
  // An over-committing kernel would grant the memory and kill the process.
  const int64_t physical = physicalMemory();
  if (graph.numEdges <= physical / bytesPerEdge)
    return;
  fail(CLIQUE_OUT_OF_MEMORY,
       "the {} graph of {} nodes has {} edges; to list them needs {} MiB, this "
       "machine has {} MiB: use the dense lowering, which does not list them",
       clique_topology_name(graph.form.topology), graph.numDst, graph.numEdges,
       graph.numEdges / (1 << 20) * bytesPerEdge, physical >> 20);
}

//===----------------------------------------------------------------------===//
// Graphs given by their edges
//===----------------------------------------------------------------------===//

clique_graph::clique_graph(int64_t numDst, int64_t numSrc, int64_t numEdges,
                           const int32_t *dst, const int32_t *src)
    : numDst(numDst), numSrc(numSrc), numEdges(numEdges) {
  sortEdges(dst, src);
}

clique_graph::clique_graph(int64_t numDst, int64_t numSrc,
                           const int64_t *indptr, const int32_t *indices,
                           std::shared_ptr<const void> owner)
    : numDst(numDst), numSrc(numSrc), numEdges(numDst ? indptr[numDst] : 0) {
  LoopInterruption interruption;
  bool sorted = true;
  for (int64_t i = 0; i < numDst && sorted; ++i) {
    interruption.check(1 + size_t(indptr[i + 1] - indptr[i]));
    sorted = std::is_sorted(indices + indptr[i], indices + indptr[i + 1]);
  }
  // The owner may be NULL, as callers name it.
  if (sorted && owner.use_count() && numDst) {
    givenRows = {indptr, size_t(numDst) + 1};
    givenSources = {indices, size_t(numEdges)};
    arraysOwner = std::move(owner);
    return;
  }
  if (sorted) {
    rowPointers.assign(1, 0);
    if (numDst)
      rowPointers.assign(indptr, indptr + numDst + 1);
    sources.assign(indices, indices + numEdges);
    givenRows = rowPointers;
    givenSources = sources;
    return;
  }
  std::vector<int32_t> dst(numEdges);
  for (int64_t i = 0; i < numDst; ++i)
    std::fill(dst.begin() + indptr[i], dst.begin() + indptr[i + 1], int32_t(i));
  sortEdges(dst.data(), indices);
}

static bool isInCsrOrder(int64_t numEdges, const int32_t *dst,
                         const int32_t *src) {
  LoopInterruption interruption;
  for (int64_t k = 1; k < numEdges; ++k) {
    interruption.check();
    if (dst[k - 1] > dst[k] || (dst[k - 1] == dst[k] && src[k - 1] > src[k]))
      return false;
  }
  return true;
}

/// How many elements of `keys` are smaller than each key.
static std::vector<int64_t> countBelow(const int32_t *keys, int64_t count,
                                       int64_t numKeys) {
  std::vector<int64_t> below(numKeys + 1, 0);
  LoopInterruption interruption;
  for (int64_t k = 0; k < count; ++k) {
    interruption.check();
    ++below[int64_t(keys[k]) + 1];
  }
  std::partial_sum(below.begin(), below.end(), below.begin());
  return below;
}

/// Sorts each row by source; parallel edges by their numbers.
static void sortRows(const std::vector<int64_t> &rows,
                     std::vector<int32_t> &sources, int64_t *numbers) {
  LoopInterruption interruption;
  std::vector<std::pair<int32_t, int64_t>> row;
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    const int64_t first = rows[i], last = rows[i + 1];
    interruption.check(1 + size_t(last - first));
    if (std::is_sorted(sources.begin() + first, sources.begin() + last))
      continue;
    row.clear();
    for (int64_t k = first; k < last; ++k)
      row.emplace_back(sources[k], numbers[k]);
    std::sort(row.begin(), row.end());
    for (int64_t k = first; k < last; ++k)
      std::tie(sources[k], numbers[k]) = row[k - first];
  }
}

std::vector<int64_t> clique::makeListing(int64_t numEdges) {
  std::vector<int64_t> result(kListedNumbers + numEdges, 0);
  result[0] = 1;
  result[kNumberingFactors] = kListedNumbers;
  return result;
}

/// A counting sort by destination, then each row by itself: most rows fit a
/// cache, where the edges of a whole graph do not.
void clique_graph::sortEdges(const int32_t *dst, const int32_t *src) {
  rowPointers = countBelow(dst, numEdges, numDst);
  givenRows = rowPointers;
  if (isInCsrOrder(numEdges, dst, src)) {
    sources.assign(src, src + numEdges);
    givenSources = sources;
    return;
  }
  permuted = true;
  sources.resize(numEdges);
  callerEdges = makeListing(numEdges);
  int64_t *numbers = callerEdges.data() + kListedNumbers;
  std::vector<int64_t> cursor = rowPointers;
  LoopInterruption interruption;
  for (int64_t k = 0; k < numEdges; ++k) {
    interruption.check();
    const int64_t position = cursor[dst[k]]++;
    sources[position] = src[k];
    numbers[position] = k;
  }
  sortRows(rowPointers, sources, numbers);
  givenSources = sources;
}

//===----------------------------------------------------------------------===//
// Derived on demand
//===----------------------------------------------------------------------===//

ArrayView<int64_t> clique_graph::indptr() const {
  if (!isImplicit())
    return givenRows;
  indptrOnce([&] {
    const Intervals &rows = intervals();
    std::vector<int64_t> result(numDst + 1, 0);
    for (int64_t i = 0; i < numDst; ++i)
      result[i + 1] = result[i] + rows.end[i] - rows.begin[i] - form.noSelf;
    rowPointers = std::move(result);
  });
  return rowPointers;
}

std::vector<int32_t> clique::listSources(const clique_graph &graph,
                                         int64_t first, int64_t count) {
  const Intervals &rows = graph.intervals();
  const ArrayView<int64_t> starts = graph.indptr();
  std::vector<int32_t> result(starts[first + count] - starts[first]);
  LoopInterruption interruption;
  int64_t position = 0;
  for (int64_t i = first; i < first + count; ++i) {
    interruption.check(1 + size_t(rows.end[i] - rows.begin[i]));
    for (int64_t j = rows.begin[i]; j < rows.end[i]; ++j)
      if (j != i || !graph.form.noSelf)
        result[position++] = int32_t(j);
  }
  return result;
}

ArrayView<int32_t> clique_graph::indices() const {
  if (!isImplicit())
    return givenSources;
  indicesOnce([&] {
    checkMaterialisable(*this, sizeof(int32_t));
    sources = listSources(*this, 0, numDst);
  });
  return sources;
}

ArrayView<int64_t> clique_graph::rowSources() const {
  return sharesSources() ? ArrayView(intervals().begin) : indptr();
}

ArrayView<int32_t> clique_graph::sharedSources() const {
  if (!sharesSources())
    return indices();
  allNodesOnce([&] {
    std::vector<int32_t> result(numSrc);
    std::iota(result.begin(), result.end(), 0);
    allNodes = std::move(result);
  });
  return allNodes;
}

bool clique_graph::edgesInOrder() const {
  return isImplicit() ? form.order == EdgeOrder::Csr : !permuted;
}

ArrayView<int64_t> clique_graph::edgeIds() const {
  edgeIdsOnce([&] {
    if (permuted && !original)
      return;
    checkMaterialisable(*this, sizeof(int64_t));
    callerEdges = permuted ? transposeEdgeIds(*original, indptr())
                           : permuteImplicitEdges(*this);
  });
  return {callerEdges.data() + kListedNumbers, size_t(numEdges)};
}

const std::vector<int64_t> &clique_graph::edgeNumbering() const {
  const bool isReverse = form.order == EdgeOrder::Transposed && !form.noSelf;
  if (!edgesInOrder() && !isReverse) {
    edgeIds();
    return callerEdges;
  }
  edgeNumberingOnce([&] {
    numbering = isReverse ? numberTransposedEdges(*this)
                          : std::vector<int64_t>{0, 0, 1, 0, kListedNumbers, 0};
  });
  return numbering;
}

EdgeList clique_graph::edgeList() const {
  const ArrayView<int64_t> rows = indptr();
  const ArrayView<int32_t> columns = indices();
  const bool inOrder = edgesInOrder();
  const ArrayView<int64_t> ids = inOrder ? ArrayView<int64_t>() : edgeIds();
  EdgeList list;
  list.dst.resize(numEdges);
  list.src.resize(numEdges);
  LoopInterruption interruption;
  for (int64_t i = 0; i < numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k) {
      int64_t edge = inOrder ? k : ids[k];
      list.dst[edge] = int32_t(i);
      list.src[edge] = columns[k];
    }
  }
  return list;
}

bool clique_graph::hasIntervals() const {
  return isImplicit() || isInterval(info());
}

const Intervals &clique_graph::intervals() const {
  if (!isImplicit())
    info();
  intervalsOnce([&] {
    if (isImplicit()) {
      rowIntervals = makeIntervals(numDst, numSrc, form);
    } else if (rowIntervals.begin.empty()) {
      rowIntervals.begin.assign(numDst, 0);
      rowIntervals.end.assign(numDst, 0);
    }
  });
  return rowIntervals;
}

int64_t clique_graph::blockSize() const {
  blockSizeOnce([&] { sizeOfBlocks = findBlockSize(*this); });
  return sizeOfBlocks;
}

int64_t clique_graph::rowSpan() const {
  rowSpanOnce([&] { spanOfRows = findRowSpan(*this); });
  return spanOfRows;
}

bool clique_graph::hasParallelEdges() const {
  if (isImplicit())
    return false;
  parallelOnce([&] {
    LoopInterruption interruption;
    for (int64_t i = 0; i < numDst && !parallel; ++i) {
      const int32_t *begin = givenSources.data() + givenRows[i];
      const int32_t *end = givenSources.data() + givenRows[i + 1];
      interruption.check(1 + size_t(end - begin));
      parallel = std::adjacent_find(begin, end) != end;
    }
  });
  return parallel;
}

const clique_graph_info &clique_graph::info() const {
  infoOnce([&] {
    graphInfo =
        isImplicit() ? inspectForm(*this) : inspectEdges(*this, rowIntervals);
  });
  return graphInfo;
}
