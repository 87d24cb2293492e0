//===- TileShape.cpp - The extents of blocks and tiles --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TileShape.h"

using namespace mlir;
using namespace clique;

TileShape::TileShape(Attribute schedule) {
  if (auto nodes = dyn_cast<mp::NodeBlocksAttr>(schedule)) {
    rows = nodes.getRows();
    threads = nodes.getThreads();
  } else if (auto blocks = dyn_cast<mp::RowBlocksAttr>(schedule)) {
    take(blocks);
  } else if (auto typed = dyn_cast<mp::TypedBlocksAttr>(schedule)) {
    take(typed.getDivided());
    rows = typed.getRows();
    tileRows = typed.getStep();
    groups = typed.getGroups();
  } else if (auto blocks = dyn_cast<mp::EdgeBlocksAttr>(schedule)) {
    rows = blocks.getRows();
    tileRows = blocks.getStep();
    edges = blocks.getEdges();
    chunkEdges = blocks.getChunk();
    partEdges = blocks.getPart();
    prefetchEdges = blocks.getPrefetch();
  } else {
    auto tiles = cast<mp::TilesAttr>(schedule);
    rows = tiles.getRows();
    tileRows = tiles.getTileRows();
    columns = tiles.getColumns();
    borderColumns = tiles.getBorder();
    threads = tiles.getThreads();
    prefetchBlocks = tiles.getPrefetch();
    prefetchTiles = tiles.getPrefetchTiles();
    inOrder = tiles.getInOrder();
  }
}

void TileShape::take(mp::RowBlocksAttr blocks) {
  rows = blocks.getRows();
  edges = blocks.getEdges();
  longestRow = blocks.getLongest();
  chunkEdges = blocks.getChunk();
  partEdges = blocks.getPart();
  prefetchEdges = blocks.getPrefetch();
  threads = blocks.getThreads();
}
