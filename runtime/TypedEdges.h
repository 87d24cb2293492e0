//===- TypedEdges.h - The edges of blocks of rows, by type ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a layer with weights per edge type takes its edges: within
// a block of destinations by type, then by destination. The edges of one type
// into one destination are a group: they share their weights and their sum, so
// that sum_j W_r x_j = W_r sum_j x_j takes one product a group; of very many
// edges some groups are made, whose sums have small errors. Successive groups
// of a type are a chunk, one product of matrices.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TYPEDEDGES_H
#define CLIQUE_RUNTIME_TYPEDEDGES_H

#include "runtime/DeviceArrays.h"

#include <cstdint>
#include <vector>

struct clique_graph;

/// What the order depends on, beside the graph and the types.
struct clique_typed_shape {
  int64_t rows;     ///< destinations per block, at most
  int64_t edges;    ///< edges per block; a row of more has no groups
  int64_t groups;   ///< groups per chunk, at most
  int64_t numTypes; ///< a type beyond counts as the nearest one
  bool withIds;     ///< whether edges' numbers are asked for

  bool operator<(const clique_typed_shape &other) const;
};

struct clique_typed_edges {
  /// `types`: one for each edge, in the caller's order.
  clique_typed_edges(const clique_graph &graph, clique_typed_shape shape,
                     const int32_t *types);

  const clique_graph &graph;
  /// The first chunk of each block of graph.rowBlocks(rows, edges, false), and
  /// the end.
  std::vector<int64_t> blocks = {0};
  /// First group and type of each chunk, and of one past the last.
  std::vector<int64_t> chunks;
  /// First edge and row of each group, and of one past the last.
  std::vector<int64_t> groups;
  /// The sources of the edges in this order.
  std::vector<int32_t> sources;
  /// The caller's numbers of the edges in this order; else empty.
  std::vector<int64_t> edgeIds;

  /// Whether it was made for these types.
  bool isFor(const int32_t *types) const;
  /// Copies of the arrays above on devices: they go with the list, which ends
  /// before its graph does.
  clique::DeviceArrays &onDevices() const { return deviceArrays; }

private:
  std::vector<int32_t> types;
  mutable clique::DeviceArrays deviceArrays;
};

#endif // CLIQUE_RUNTIME_TYPEDEDGES_H
