//===- RowSpan.cpp - How far apart the sources of a row lie ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/RowSpan.h"

#include <algorithm>

using namespace clique;

int64_t clique::findRowSpan(const clique_graph &graph) {
  constexpr int64_t rows = 1024;
  const int64_t step = std::max<int64_t>(1, graph.numDst / rows);
  const ArrayView<int64_t> indptr = graph.indptr();
  const ArrayView<int32_t> sources = graph.indices();
  double sum = 0;
  int64_t counted = 0;
  for (int64_t row = 0; row < graph.numDst; row += step) {
    const int64_t begin = indptr[row], count = indptr[row + 1] - begin;
    if (count == 0)
      continue;
    // Of a few sources none are in the middle.
    const int64_t quarter = count < 4 ? 0 : count / 4;
    const int64_t distance = int64_t(sources[begin + count - 1 - quarter]) -
                             sources[begin + quarter];
    sum += double((quarter > 0 ? 2 : 1) * distance + 1);
    ++counted;
  }
  return counted == 0 ? 1
                      : std::clamp<int64_t>(int64_t(sum / double(counted)), 1,
                                            std::max<int64_t>(1, graph.numSrc));
}
