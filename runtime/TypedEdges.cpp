//===- TypedEdges.cpp - The edges of blocks of rows, by type --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/TypedEdges.h"
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <algorithm>
#include <tuple>

using namespace clique;

bool clique_typed_shape::operator<(const clique_typed_shape &other) const {
  return std::tie(rows, edges, groups, numTypes, withIds) <
         std::tie(other.rows, other.edges, other.groups, other.numTypes,
                  other.withIds);
}

/// Edges of a group, at most: they are summed one after the other.
constexpr int64_t kGroupEdges = 256;

namespace {
/// An edge of a block, as it is sorted.
struct Entry {
  int32_t type, row;
  int64_t position;

  bool operator<(const Entry &other) const {
    return std::tie(type, row, position) <
           std::tie(other.type, other.row, other.position);
  }
  bool isOfGroup(const Entry &other) const {
    return type == other.type && row == other.row;
  }
};
} // namespace

clique_typed_edges::clique_typed_edges(const clique_graph &graph,
                                       clique_typed_shape shape,
                                       const int32_t *edgeTypes)
    : graph(graph), types(edgeTypes, edgeTypes + graph.numEdges) {
  const ArrayView<int64_t> indptr = graph.indptr();
  const ArrayView<int32_t> indices = graph.indices();
  const bool inOrder = graph.edgesInOrder();
  const ArrayView<int64_t> ids =
      inOrder ? ArrayView<int64_t>() : graph.edgeIds();
  const auto last = static_cast<int32_t>(shape.numTypes - 1);
  sources.reserve(graph.numEdges);
  edgeIds.reserve(shape.withIds ? graph.numEdges : 0);

  const std::vector<int64_t> &rows =
      graph.rowBlocks({shape.rows, shape.edges, 0, /*aligned=*/false});
  std::vector<Entry> block;
  int64_t numGroups = 0;
  LoopInterruption interruption;
  for (size_t b = 0; b + 1 < rows.size(); ++b) {
    interruption.check(1 + size_t(indptr[rows[b + 1]] - indptr[rows[b]]));
    block.clear();
    const bool isHub = indptr[rows[b + 1]] - indptr[rows[b]] > shape.edges;
    for (int64_t i = rows[b]; i < rows[b + 1] && !isHub; ++i)
      for (int64_t k = indptr[i]; k < indptr[i + 1]; ++k) {
        const int32_t type = types[inOrder ? k : ids[k]];
        block.push_back(
            {std::clamp<int32_t>(type, 0, last), static_cast<int32_t>(i), k});
      }
    std::sort(block.begin(), block.end());

    int64_t inChunk = 0, inGroup = 0;
    for (size_t k = 0; k < block.size(); ++k) {
      const Entry &edge = block[k];
      if (k == 0 || inGroup == kGroupEdges || !edge.isOfGroup(block[k - 1])) {
        const bool isNewType = k == 0 || edge.type != block[k - 1].type;
        if (isNewType || inChunk == shape.groups) {
          chunks.insert(chunks.end(), {numGroups, edge.type});
          inChunk = 0;
        }
        groups.insert(groups.end(), {int64_t(sources.size()), edge.row});
        ++numGroups;
        ++inChunk;
        inGroup = 0;
      }
      ++inGroup;
      sources.push_back(indices[edge.position]);
      if (shape.withIds)
        edgeIds.push_back(inOrder ? edge.position : ids[edge.position]);
    }
    blocks.push_back(int64_t(chunks.size()) / 2);
  }
  chunks.insert(chunks.end(), {numGroups, 0});
  groups.insert(groups.end(), {int64_t(sources.size()), 0});
}

bool clique_typed_edges::isFor(const int32_t *edgeTypes) const {
  return std::equal(types.begin(), types.end(), edgeTypes);
}

std::shared_ptr<const clique_typed_edges>
clique_graph::typedEdges(clique_typed_shape shape, const int32_t *types) const {
  std::lock_guard<clique::WorkMutex> lock(typedEdgesMutex);
  // Of the last arrays of types: of what stays each has a list of edges.
  constexpr size_t most = 4;
  auto &lists = typedEdgeLists[shape];
  auto found = std::find_if(lists.begin(), lists.end(), [&](const auto &list) {
    return list->isFor(types);
  });
  if (found == lists.end()) {
    auto made = std::make_shared<const clique_typed_edges>(*this, shape, types);
    if (lists.size() == most)
      lists.pop_back();
    found = lists.insert(lists.end(), std::move(made));
  }
  std::rotate(lists.begin(), found, found + 1);
  return lists.front();
}
