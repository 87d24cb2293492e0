//===- TilePairs.cpp - How much of its tiles a graph fills ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dense tiles would compute on an interval graph, for the cost model. The
// sizes are those of the compiler's tiles (tile-rows, tile-columns and
// border-columns of convert-mp-kernels).
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"

#include <algorithm>

using namespace clique;

constexpr int64_t kTileRows = 12, kTileColumns = 64, kBorderColumns = 32;

/// Adds a strip of destinations [first, last).
static void addStrip(const Intervals &rows, int64_t first, int64_t last,
                     TilePairs &pairs) {
  int64_t span = rows.end[last - 1] - rows.begin[first];
  // Sources that all rows hear.
  int64_t common = rows.end[first] - rows.begin[last - 1];
  if (rows.begin[first] != rows.begin[last - 1]) {
    // Tiles do not begin where the strip does: half a part more on the left.
    common -= kBorderColumns;
    span += kBorderColumns / 2;
  }
  const int64_t full =
      std::max<int64_t>(common, 0) / kTileColumns * kTileColumns;
  const int64_t parts = (span - full + kBorderColumns - 1) / kBorderColumns;
  pairs.full += kTileRows * full;
  pairs.border += kTileRows * parts * kBorderColumns;
  ++pairs.strips;
}

const TilePairs &clique_graph::tilePairs() const {
  std::call_once(tilePairsOnce, [&] {
    const Intervals &rows = intervals();
    const int64_t numRows = int64_t(rows.begin.size());
    const bool cliques = hasCliques(info());
    TilePairs pairs;
    int64_t first = 0;
    for (int64_t i = 1; i <= numRows; ++i) {
      const bool ends = i == numRows || i - first == kTileRows ||
                        (cliques && rows.begin[i] == i);
      if (!ends)
        continue;
      addStrip(rows, first, i, pairs);
      first = i;
    }
    tiles = pairs;
  });
  return tiles;
}
