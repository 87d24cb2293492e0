//===- TileList.cpp - The dense tiles of any graph ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// O(edges + register blocks of tiles that hold an edge).
//
//===----------------------------------------------------------------------===//
#include "runtime/TileList.h"
#include "runtime/Error.h"
#include "runtime/Graph.h"
#include "runtime/Interruption.h"
#include "runtime/Memory.h"

#include <algorithm>

using namespace clique;

bool clique_tile_shape::operator<(const clique_tile_shape &other) const {
  return std::tie(rows, tileRows, columns) <
         std::tie(other.rows, other.tileRows, other.columns);
}

namespace {
class ListBuilder {
public:
  ListBuilder(const clique_graph &graph, clique_tiles &list)
      : graph(graph), list(list), indptr(graph.indptr()),
        indices(graph.indices()), tileRows(list.shape.tileRows),
        columns(list.shape.columns) {}

  void run();

private:
  void addBlock(int64_t first, int64_t last);
  void findTiles(int64_t first, int64_t last);
  void addRegisterBlock(int64_t first, int64_t last, int64_t registerBlock);
  /// Sets a row's bits in the words of the tiles it has edges in.
  void setBits(int64_t row, int64_t rowInRegisterBlock);
  /// Where the words of tile `number` of the block begin.
  int64_t addWords(int64_t number, int64_t numRows);
  void checkMemory(int64_t moreRegisterBlocks) const;

  const clique_graph &graph;
  clique_tiles &list;
  const ArrayView<int64_t> indptr;
  const ArrayView<int32_t> indices;
  const int64_t tileRows, columns;
  /// The block's tiles, ascending, by their first source over the columns; and
  /// the number among them of each tile, -1 of others.
  std::vector<int64_t> found, numbers;
  /// Of the current register block, for each tile of the block.
  std::vector<uint64_t> bits;
  LoopInterruption interruption;
};
} // namespace

static uint64_t lowBits(int64_t count) {
  return count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

void ListBuilder::checkMemory(int64_t moreRegisterBlocks) const {
  // An over-committing kernel would grant the memory and kill the process.
  const int64_t entries =
      int64_t(list.registerBlocks.size() + list.words.size()) +
      moreRegisterBlocks * (tileRows + 2);
  if (entries <= physicalMemory() / int64_t(sizeof(int64_t)))
    return;
  fail(CLIQUE_OUT_OF_MEMORY,
       "the list of the dense tiles of a graph of {} nodes and {} edges needs "
       "more than {} MiB, this machine's memory: use the sparse lowering",
       graph.numDst, graph.numEdges, physicalMemory() >> 20);
}

void ListBuilder::findTiles(int64_t first, int64_t last) {
  for (int64_t tile : found)
    numbers[tile] = -1;
  found.clear();
  for (int64_t i = first; i < last; ++i)
    for (int64_t k = indptr[i], past = 0; k < indptr[i + 1]; ++k) {
      if (indices[k] < past)
        continue;
      const int64_t tile = indices[k] / columns;
      past = (tile + 1) * columns;
      if (numbers[tile] >= 0)
        continue;
      numbers[tile] = 0;
      found.push_back(tile);
    }
  std::sort(found.begin(), found.end());
  for (size_t k = 0; k < found.size(); ++k)
    numbers[found[k]] = int64_t(k);
}

void ListBuilder::setBits(int64_t row, int64_t rowInRegisterBlock) {
  int64_t first = 0, past = 0;
  uint64_t *word = nullptr;
  for (int64_t k = indptr[row]; k < indptr[row + 1]; ++k) {
    if (indices[k] >= past) {
      const int64_t tile = indices[k] / columns;
      first = tile * columns;
      past = first + columns;
      word = &bits[numbers[tile] * tileRows + rowInRegisterBlock];
    }
    *word |= uint64_t(1) << (indices[k] - first);
  }
}

int64_t ListBuilder::addWords(int64_t number, int64_t numRows) {
  uint64_t *rows = &bits[number * tileRows];
  uint64_t any = 0, all = lowBits(columns);
  for (int64_t r = 0; r < numRows; ++r) {
    any |= rows[r];
    all &= rows[r];
  }
  if (any == 0)
    return clique_tiles::none();
  int64_t begin = list.full();
  if (all != lowBits(columns)) {
    begin = int64_t(list.words.size());
    list.words.insert(list.words.end(), rows, rows + tileRows);
    list.words.push_back(int64_t(any));
  }
  std::fill(rows, rows + tileRows, 0);
  return begin;
}

void ListBuilder::addRegisterBlock(int64_t first, int64_t last,
                                   int64_t registerBlock) {
  for (int64_t i = first; i < last; ++i)
    setBits(i, i - first);
  const int64_t numTiles = int64_t(found.size());
  const int64_t *tile =
      list.tiles.data() + list.tiles.size() - numTiles * clique_tiles::perTile;
  for (int64_t k = 0; k < numTiles; ++k, tile += clique_tiles::perTile)
    list.registerBlocks[tile[2] + registerBlock] = addWords(k, last - first);
}

void ListBuilder::addBlock(int64_t first, int64_t last) {
  interruption.check(1 + size_t(indptr[last] - indptr[first]));
  findTiles(first, last);
  const int64_t numRegisterBlocks = (last - first + tileRows - 1) / tileRows;
  const int64_t moreRegisterBlocks = int64_t(found.size()) * numRegisterBlocks;
  checkMemory(moreRegisterBlocks);
  int64_t place = int64_t(list.registerBlocks.size());
  list.registerBlocks.resize(place + moreRegisterBlocks, clique_tiles::none());
  for (int64_t tile : found) {
    list.tiles.push_back(tile * columns);
    list.tiles.push_back(std::min((tile + 1) * columns, graph.numSrc));
    list.tiles.push_back(place);
    place += numRegisterBlocks;
  }
  list.blocks.push_back(int64_t(list.tiles.size()) / clique_tiles::perTile);
  bits.resize(std::max(bits.size(), found.size() * tileRows));
  for (int64_t registerBlock = 0; registerBlock < numRegisterBlocks;
       ++registerBlock) {
    const int64_t begin = first + registerBlock * tileRows;
    addRegisterBlock(begin, std::min(begin + tileRows, last), registerBlock);
  }
}

void ListBuilder::run() {
  numbers.assign((graph.numSrc + columns - 1) / columns, -1);
  list.words.assign(list.full(), 0);
  list.words.resize(2 * list.full(), int64_t(lowBits(columns)));
  list.blocks = {0};
  const std::vector<int64_t> &split =
      graph.rowBlocks({list.shape.rows, 0, 0, /*aligned=*/true});
  for (size_t b = 0; b + 1 < split.size(); ++b)
    addBlock(split[b], split[b + 1]);
}

clique_tiles::clique_tiles(const clique_graph &graph, clique_tile_shape shape)
    : graph(graph), shape(shape), isListed(!graph.hasIntervals()) {
  if (shape.rows < 1 || shape.tileRows < 1 || shape.columns < 1 ||
      shape.columns > maxColumns)
    fail(CLIQUE_INVALID_ARGUMENT,
         "tiles of {} x {} in blocks of {} rows, expected sizes from 1 and at "
         "most {} columns",
         shape.tileRows, shape.columns, shape.rows, maxColumns);
  if (isListed) {
    ListBuilder(graph, *this).run();
    return;
  }
  blocks.assign(2, 0);
  tiles.assign(perTile, 0);
  registerBlocks.assign(1, none());
  words.assign(full(), 0);
}

/// The edges of a block's rows go through its tiles in the same order.
static void addFirstEdges(const clique_tiles &list, int64_t block,
                          const int64_t *split, std::vector<int64_t> &edges,
                          LoopInterruption &interruption) {
  const ArrayView<int64_t> indptr = list.graph.indptr();
  const ArrayView<int32_t> indices = list.graph.indices();
  const int64_t numTiles = list.blocks[block + 1] - list.blocks[block];
  for (int64_t i = split[0]; i < split[1]; ++i) {
    interruption.check(1 + size_t(numTiles + indptr[i + 1] - indptr[i]));
    const int64_t registerBlock = (i - split[0]) / list.shape.tileRows;
    const int64_t row = (i - split[0]) % list.shape.tileRows;
    int64_t k = indptr[i];
    for (int64_t t = list.blocks[block]; t < list.blocks[block + 1]; ++t) {
      const int64_t *tile = &list.tiles[t * clique_tiles::perTile];
      edges[(tile[2] + registerBlock) * list.shape.tileRows + row] = k;
      while (k < indptr[i + 1] && indices[k] < tile[1])
        ++k;
    }
  }
}

const std::vector<int64_t> &clique_tiles::firstEdges() const {
  firstEdgesOnce([&] {
    edges.assign(registerBlocks.size() * shape.tileRows, 0);
    if (!isListed)
      return;
    const std::vector<int64_t> &split =
        graph.rowBlocks({shape.rows, 0, 0, /*aligned=*/true});
    LoopInterruption interruption;
    for (size_t b = 0; b + 1 < split.size(); ++b)
      addFirstEdges(*this, int64_t(b), &split[b], edges, interruption);
  });
  return edges;
}

const clique_tiles &clique_graph::tileList(clique_tile_shape shape) const {
  std::lock_guard<clique::WorkMutex> lock(tileListsMutex);
  std::unique_ptr<clique_tiles> &list = tileLists[shape];
  if (!list)
    list = std::make_unique<clique_tiles>(*this, shape);
  return *list;
}
