//===- Picture.h - Where the edges of a graph are ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjacency matrix from afar.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_PICTURE_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_PICTURE_H

#include "tools/clique-graph/Adjacency.h"
#include "llvm/Support/raw_ostream.h"

namespace clique {

/// The share of the pairs (destination, source) that are edges, by square
/// cells.
struct Pattern {
  int64_t height = 0, width = 0; ///< cells
  int64_t cell = 1;              ///< nodes of a cell's side
  std::vector<float> shares;     ///< by row
  float densest = 0;             ///< the largest of them

  float getShare(int64_t row, int64_t column) const {
    return shares[row * width + column];
  }
};

/// Of at most `most` cells a side.
Pattern drawPattern(const Adjacency &rows, int64_t most);

/// Rows are destinations, columns sources; the darker a cell, the more of its
/// pairs are edges: the densest is black. A single edge is seen.
void writeSvg(const Pattern &pattern, llvm::raw_ostream &out);
/// The same in grey; cells are squares of pixels.
void writePng(const Pattern &pattern, llvm::raw_ostream &out);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_PICTURE_H
