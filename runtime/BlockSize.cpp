//===- BlockSize.cpp - Graphs of whole blocks -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph consists of whole N x N blocks if N divides every number at which
// something changes: rows that have other sources than the row before, and the
// ends of the runs of sources in a row. The end of the graph is no change.
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <algorithm>
#include <numeric>

using namespace clique;

namespace {
class BorderDivisor {
public:
  explicit BorderDivisor(int64_t numSrc) : numSrc(numSrc) {}

  void addRow(int64_t row) { size = std::gcd(size, row); }
  void addRun(int64_t begin, int64_t end) {
    size = std::gcd(size, begin);
    if (end != numSrc)
      size = std::gcd(size, end);
  }
  int64_t get() const { return size; }

private:
  const int64_t numSrc;
  int64_t size = 0;
};
} // namespace

static int64_t findOfIntervals(const clique_graph &graph) {
  if (graph.form.noSelf)
    return graph.numEdges > 0 ? 1 : 0;
  const Intervals &rows = graph.intervals();
  BorderDivisor size(graph.numSrc);
  for (int64_t i = 0; i < graph.numDst && size.get() != 1; ++i) {
    if (i > 0 && rows.begin[i] == rows.begin[i - 1] &&
        rows.end[i] == rows.end[i - 1])
      continue;
    size.addRow(i);
    if (rows.begin[i] < rows.end[i])
      size.addRun(rows.begin[i], rows.end[i]);
  }
  return size.get();
}

int64_t clique::findBlockSize(const clique_graph &graph) {
  if (graph.isImplicit())
    return findOfIntervals(graph);
  const ArrayView<int64_t> indptr = graph.indptr();
  const int32_t *indices = graph.indices().data();
  LoopInterruption interruption;
  BorderDivisor size(graph.numSrc);
  for (int64_t i = 0; i < graph.numDst && size.get() != 1; ++i) {
    const int32_t *row = indices + indptr[i], *end = indices + indptr[i + 1];
    interruption.check(1 + size_t(end - row));
    if (i > 0 && std::equal(row, end, indices + indptr[i - 1], row))
      continue;
    size.addRow(i);
    while (row < end && size.get() != 1) {
      const int32_t *run = row++;
      while (row < end && int64_t(*row) == int64_t(row[-1]) + 1)
        ++row;
      size.addRun(*run, int64_t(row[-1]) + 1);
    }
  }
  return size.get();
}
