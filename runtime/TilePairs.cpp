//===- TilePairs.cpp - How much of its tiles a graph fills ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dense tiles would compute, for the cost model: of as many rows as the
// kernel's have, and of the columns of the compiler's (columns and border of
// #mp.tiles).
//
//===----------------------------------------------------------------------===//
#include "runtime/Graph.h"

#include <algorithm>
#include <cmath>

using namespace clique;

constexpr int64_t kTileColumns = 64, kBorderColumns = 32;
/// Where all rows receive from the same sources.
constexpr int64_t kEvenColumns = kBorderColumns / 2;

//===----------------------------------------------------------------------===//
// Interval graphs
//===----------------------------------------------------------------------===//

/// Adds a register block of destinations [first, last).
static void addRegisterBlock(const Intervals &rows, bool noSelf, int64_t first,
                             int64_t last, int64_t tileRows, TilePairs &pairs) {
  int64_t span = rows.end[last - 1] - rows.begin[first];
  // Sources of all rows.
  int64_t common = rows.end[first] - rows.begin[last - 1];
  const bool isEven = common == span && !noSelf;
  const int64_t part = isEven ? kEvenColumns : kBorderColumns;
  if (rows.begin[first] != rows.begin[last - 1]) {
    // Tiles do not begin where the register block does: half a part more on the
    // left.
    common -= kBorderColumns;
    span += kBorderColumns / 2;
  }
  const int64_t full =
      std::max<int64_t>(common, 0) / kTileColumns * kTileColumns;
  const int64_t parts = (span - full + part - 1) / part;
  pairs.full += tileRows * full;
  (isEven ? pairs.even : pairs.border) += tileRows * parts * part;
  ++pairs.registerBlocks;
}

static TilePairs countIntervals(const clique_graph &graph, int64_t tileRows) {
  const Intervals &rows = graph.intervals();
  const int64_t numRows = int64_t(rows.begin.size());
  const bool cliques = hasCliques(graph.info());
  const bool noSelf = graph.info().no_self != 0;
  TilePairs pairs;
  int64_t first = 0;
  for (int64_t i = 1; i <= numRows; ++i) {
    const bool ends = i == numRows || i - first == tileRows ||
                      (cliques && rows.begin[i] == i);
    if (!ends)
      continue;
    addRegisterBlock(rows, noSelf, first, i, tileRows, pairs);
    first = i;
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Listed tiles
//===----------------------------------------------------------------------===//

namespace {
/// Counts the tiles of register blocks of a graph given by its edges.
class RegisterBlockCounter {
public:
  RegisterBlockCounter(const clique_graph &graph, int64_t tileRows)
      : graph(graph), tileRows(tileRows),
        parts((graph.numSrc + kBorderColumns - 1) / kBorderColumns) {}

  void addRegisterBlock(int64_t first, int64_t last);
  const TilePairs &getPairs() const { return pairs; }

private:
  static constexpr int64_t partsPerTile = kTileColumns / kBorderColumns;
  void addTile(int64_t tile);

  const clique_graph &graph;
  const int64_t tileRows;
  TilePairs pairs;
  /// Edges of the register block, by border part; the tiles among them that
  /// have any.
  std::vector<int64_t> parts, found;
};
} // namespace

void RegisterBlockCounter::addTile(int64_t tile) {
  const int64_t first = tile * partsPerTile;
  const int64_t last =
      std::min<int64_t>(first + partsPerTile, int64_t(parts.size()));
  int64_t edges = 0, begin = last, end = first;
  for (int64_t part = first; part < last; ++part) {
    if (parts[part] == 0)
      continue;
    edges += parts[part];
    begin = std::min(begin, part);
    end = part + 1;
    parts[part] = 0;
  }
  if (edges >= tileRows * kTileColumns)
    pairs.full += tileRows * kTileColumns;
  else
    pairs.border += tileRows * kBorderColumns * (end - begin);
}

void RegisterBlockCounter::addRegisterBlock(int64_t first, int64_t last) {
  const ArrayView<int32_t> indices = graph.indices();
  found.clear();
  for (int64_t k = graph.indptr()[first]; k < graph.indptr()[last]; ++k) {
    const int64_t part = indices[k] / kBorderColumns;
    if (parts[part]++ == 0)
      found.push_back(part / partsPerTile);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (int64_t tile : found)
    addTile(tile);
  ++pairs.registerBlocks;
}

/// Of a large graph register blocks all over it stand for the others: to find
/// out that rows are faster must cost next to nothing.
static TilePairs countListed(const clique_graph &graph, int64_t tileRows) {
  constexpr int64_t mostRegisterBlocks = 1024;
  const int64_t numRegisterBlocks = (graph.numDst + tileRows - 1) / tileRows;
  const int64_t taken = std::min(numRegisterBlocks, mostRegisterBlocks);
  RegisterBlockCounter counter(graph, tileRows);
  for (int64_t k = 0; k < taken; ++k) {
    const int64_t first = k * numRegisterBlocks / taken * tileRows;
    counter.addRegisterBlock(first, std::min(first + tileRows, graph.numDst));
  }
  TilePairs pairs = counter.getPairs();
  const double scale =
      taken > 0 ? double(numRegisterBlocks) / double(taken) : 1;
  pairs.full = std::llround(double(pairs.full) * scale);
  pairs.border = std::llround(double(pairs.border) * scale);
  pairs.even = std::llround(double(pairs.even) * scale);
  pairs.registerBlocks = numRegisterBlocks;
  return pairs;
}

TilePairs clique_graph::tilePairs(int64_t tileRows) const {
  std::lock_guard<WorkMutex> lock(tilePairsMutex);
  if (auto found = tiles.find(tileRows); found != tiles.end())
    return found->second;
  const TilePairs pairs = hasIntervals() ? countIntervals(*this, tileRows)
                                         : countListed(*this, tileRows);
  tiles.emplace(tileRows, pairs);
  return pairs;
}
