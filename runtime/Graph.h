//===- Graph.h - The graph container ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph by destination (CSR), given either by its edges or, for the regular
// classes, by a description of constant size. What is derived (row pointers,
// edges of an implicit graph, topology, work split) is computed once on demand
// and kept with the graph; any number of threads may ask.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_GRAPH_H
#define CLIQUE_RUNTIME_GRAPH_H

#include "runtime/ArrayView.h"
#include "runtime/DeviceArrays.h"
#include "runtime/MeasuredChoice.h"
#include "runtime/Once.h"
#include "runtime/TileList.h"
#include "runtime/TypedEdges.h"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace clique {

/// Destination i receives from the sources [begin[i], end[i]), without i itself
/// if the graph is `noSelf`. All of them empty for a graph that has no such
/// form.
struct Intervals {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
};

/// In what order the caller lists the edges of an implicit graph.
enum class EdgeOrder {
  Csr,        // by destination, then source
  Transposed, // by source, then destination: a reversed graph
  LoopsLast   // the CSR order without self-loops, then the loops by node
};

/// A graph of a regular class, without its edges.
struct ImplicitForm {
  clique_topology topology = CLIQUE_TOPOLOGY_UNKNOWN; // UNKNOWN: edges given
  int64_t halfWidth = 0;                              // WINDOW
  bool noSelf = false;
  std::vector<int64_t> offsets; // CLIQUES, CAUSAL_CLIQUES
  /// CAUSAL, CAUSAL_CLIQUES: node i receives from i and those after it. No
  /// class of its own to callers, but rows are intervals.
  bool isReversed = false;
  EdgeOrder order = EdgeOrder::Csr;
};

/// What dense tiles compute.
struct TilePairs {
  int64_t full = 0;   ///< pairs of tiles in which every pair is an edge
  int64_t border = 0; ///< pairs of the parts of tiles in which some are none
  int64_t even = 0;   ///< the same where all rows have the same columns
  int64_t registerBlocks =
      0; ///< register blocks of destinations, each the height of a tile
};

/// Rows of very many edges, in chunks.
struct HubChunks {
  std::vector<int64_t> chunks; ///< row and first edge of each
  std::vector<int64_t> hubs;   ///< first chunk of each such row, and the end
};

/// How rows are divided into blocks: see clique_rt_row_blocks.
struct RowSplit {
  int64_t rows, edges, longest;
  bool aligned;

  bool operator<(const RowSplit &other) const {
    return std::tie(rows, edges, longest, aligned) <
           std::tie(other.rows, other.edges, other.longest, other.aligned);
  }
};

struct Levels;
struct EdgeGroups;

/// An edge list in the caller's order: edge k goes from src[k] to dst[k].
struct EdgeList {
  std::vector<int32_t> dst;
  std::vector<int32_t> src;
};

} // namespace clique

struct clique_graph {
  /// An implicit graph.
  clique_graph(int64_t numDst, int64_t numSrc, clique::ImplicitForm form);
  /// The graph of an edge list whose indices are known to be in range.
  clique_graph(int64_t numDst, int64_t numSrc, int64_t numEdges,
               const int32_t *dst, const int32_t *src);
  /// The graph of a valid CSR. With an owner of its arrays, of which it takes a
  /// share, it has no copy of them if rows are sorted.
  clique_graph(int64_t numDst, int64_t numSrc, const int64_t *indptr,
               const int32_t *indices,
               std::shared_ptr<const void> owner = nullptr);
  /// The destinations [first, first + count) of a graph that lives as long. Of
  /// an implicit graph the edges of no others are listed.
  clique_graph(const clique_graph &whole, int64_t first, int64_t count);
  ~clique_graph();
  clique_graph(const clique_graph &) = delete;
  clique_graph &operator=(const clique_graph &) = delete;

  const int64_t numDst;
  const int64_t numSrc;
  const int64_t numEdges;
  const clique::ImplicitForm form;
  /// Of a graph whose nodes are numbered by level.
  std::unique_ptr<const clique::Levels> levels;
  /// Of a graph whose destinations are groups of another one's edges.
  std::unique_ptr<const clique::EdgeGroups> groups;
  /// Of a graph in an order of its nodes (inOrder): the node at each position.
  std::vector<int32_t> nodeOrder;
  /// Of a part: the graph it is of, and where its edges begin there.
  const clique_graph *whole = nullptr;
  int64_t firstEdge = 0;

  bool isImplicit() const { return form.topology != CLIQUE_TOPOLOGY_UNKNOWN; }

  /// num_dst + 1 row pointers; O(nodes) also for an implicit graph.
  clique::ArrayView<int64_t> indptr() const;
  /// The sources, ascending within a row. Materialises an implicit graph.
  clique::ArrayView<int32_t> indices() const;
  /// Where each row's sources stand in sharedSources().
  clique::ArrayView<int64_t> rowSources() const;
  /// The sources of all rows, which may share entries: O(nodes) for an implicit
  /// graph, as far as it has no gaps at self-loops, else indices().
  clique::ArrayView<int32_t> sharedSources() const;
  /// Whether the caller's edge order is the CSR order.
  bool edgesInOrder() const;
  /// The caller's number of the edge at each CSR position, where edges are not
  /// in order.
  clique::ArrayView<int64_t> edgeIds() const;
  /// What clique_rt_edge_ids says: O(1) for edges in order, O(nodes) for the
  /// reverse of an implicit graph with self-loops.
  const std::vector<int64_t> &edgeNumbering() const;
  /// Of a part: the number in the whole graph of each of its edges.
  clique::ArrayView<int64_t> edgesInWhole() const;
  /// The edges in the caller's order.
  clique::EdgeList edgeList() const;

  const clique_graph_info &info() const;
  /// Whether each destination receives from an interval of sources.
  bool hasIntervals() const;
  const clique::Intervals &intervals() const;
  /// About what tiles of so many rows compute: exact up to some size, else
  /// estimated from a part of the graph.
  clique::TilePairs tilePairs(int64_t tileRows) const;
  /// What kernels took on it, for CLIQUE_LOWERING_MEASURED.
  clique::MeasuredChoices &measuredChoices() const { return measured; }
  /// The graph consists of whole blocks of N x N pairs for each divisor N of
  /// this number; 0: for any N. O(edges), O(1) rows for most graphs.
  int64_t blockSize() const;
  /// What findRowSpan says.
  int64_t rowSpan() const;
  /// Two edges of the same ends. O(edges) for a graph given by its edges.
  bool hasParallelEdges() const;
  /// The tiles of a graph that has no parallel edges.
  const clique_tiles &tileList(clique_tile_shape shape) const;
  /// The edges by types that come with each call: kept for the last ones.
  std::shared_ptr<const clique_typed_edges>
  typedEdges(clique_typed_shape shape, const int32_t *types) const;
  /// What layers derive from this graph: made once, lives as long as it does.
  const clique_graph &reversed() const;
  const clique_graph &withSelfLoops(const char *where) const;
  const clique_graph &byLevel(const char *where) const;
  /// The cliques of a graph whose nodes are mixed, one after the other, as
  /// nodeOrder says there; of any other graph that graph itself.
  const clique_graph &inOrder() const;
  /// Its edges in groups by keys that come with each call: kept for the last
  /// ones, of each number of keys.
  std::shared_ptr<const clique_graph> grouped(const char *where, int64_t count,
                                              const int32_t *keys,
                                              int64_t numKeys) const;
  /// See clique_rt_row_blocks.
  const std::vector<int64_t> &rowBlocks(const clique::RowSplit &split) const;
  /// Copies of the arrays above on devices.
  clique::DeviceArrays &onDevices() const { return deviceArrays; }
  /// See clique_rt_hub_chunks.
  const clique::HubChunks &hubChunks(int64_t edges) const;

private:
  bool sharesSources() const { return isImplicit() && !form.noSelf; }
  void sortEdges(const int32_t *dst, const int32_t *src);

  mutable clique::Once indptrOnce, indicesOnce, allNodesOnce, edgeIdsOnce,
      edgeNumberingOnce, intervalsOnce, infoOnce, reverseOnce, selfLoopsOnce,
      levelsOnce, inOrderOnce, parallelOnce, blockSizeOnce, edgesInWholeOnce,
      rowSpanOnce;
  /// Of a graph given by its edges: its own arrays below, or the caller's.
  clique::ArrayView<int64_t> givenRows;
  clique::ArrayView<int32_t> givenSources;
  std::shared_ptr<const void> arraysOwner;
  mutable std::vector<int64_t> rowPointers;
  mutable std::vector<int32_t> sources, allNodes;
  mutable std::vector<int64_t> callerEdges, numbering, wholeEdges;
  mutable clique::Intervals rowIntervals;
  mutable clique_graph_info graphInfo = {};
  /// Of a graph given by its edges: whether their order is another than the
  /// caller's, which `callerEdges` then says.
  bool permuted = false;
  /// Of the reverse that a graph keeps: that graph, from which `callerEdges` is
  /// computed when it is asked for.
  const clique_graph *original = nullptr;
  mutable bool parallel = false;
  mutable int64_t sizeOfBlocks = 0, spanOfRows = 1;

  mutable std::unique_ptr<clique_graph> reverseGraph, selfLoopGraph, levelGraph,
      orderedGraph;
  mutable clique::WorkMutex splitsMutex;
  mutable std::map<clique::RowSplit, std::unique_ptr<std::vector<int64_t>>>
      splits;
  mutable clique::DeviceArrays deviceArrays;
  mutable std::map<int64_t, std::unique_ptr<clique::HubChunks>> hubs;
  mutable clique::WorkMutex tileListsMutex, tilePairsMutex;
  /// By the rows of a tile.
  mutable std::map<int64_t, clique::TilePairs> tiles;
  mutable std::map<clique_tile_shape, std::unique_ptr<clique_tiles>> tileLists;
  mutable clique::MeasuredChoices measured;
  mutable clique::WorkMutex groupedMutex;
  /// By the number of keys, the last one first.
  mutable std::vector<std::pair<int64_t, std::shared_ptr<const clique_graph>>>
      groupedGraphs;
  mutable clique::WorkMutex typedEdgesMutex;
  /// The last one first.
  mutable std::map<clique_typed_shape,
                   std::vector<std::shared_ptr<const clique_typed_edges>>>
      typedEdgeLists;
};

namespace clique {

/// Refuses more nodes than 32-bit ids can name.
void checkNodeCount(int64_t count, const char *where, const char *what);

/// Whether a class is one of intervals of sources.
inline bool isInterval(const clique_graph_info &info) {
  return info.topology != CLIQUE_TOPOLOGY_SPARSE &&
         info.topology != CLIQUE_TOPOLOGY_BLOCKS;
}
/// Whether rows are cut into cliques.
inline bool hasCliques(const clique_graph_info &info) {
  return info.topology == CLIQUE_TOPOLOGY_CLIQUES ||
         info.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
}

/// The edges of an implicit graph, in closed form.
int64_t countEdges(int64_t numDst, int64_t numSrc, const ImplicitForm &form);
/// The intervals of an implicit graph's rows.
Intervals makeIntervals(int64_t numDst, int64_t numSrc,
                        const ImplicitForm &form);
/// The sources of some rows of an implicit graph.
std::vector<int32_t> listSources(const clique_graph &graph, int64_t first,
                                 int64_t count);
/// clique_graph::edgeNumbering() begins with as many factors.
constexpr size_t kNumberingFactors = 4;
/// Where numbers that are listed begin: behind the one entry of all rows.
constexpr size_t kListedNumbers = kNumberingFactors + 1;
/// One that lists the numbers of so many edges, which are 0 as yet.
std::vector<int64_t> makeListing(int64_t numEdges);
/// That of an implicit graph whose order is not CSR.
std::vector<int64_t> permuteImplicitEdges(const clique_graph &graph);
/// The same, not listed, of the reverse of a graph with self-loops.
std::vector<int64_t> numberTransposedEdges(const clique_graph &graph);
/// That of the reverse of a graph, whose row pointers are `starts`.
std::vector<int64_t> transposeEdgeIds(const clique_graph &graph,
                                      ArrayView<int64_t> starts);
/// Refuses to list edges that cannot fit into this machine.
void checkMaterialisable(const clique_graph &graph, int64_t bytesPerEdge);

/// See clique_graph::blockSize.
int64_t findBlockSize(const clique_graph &graph);
/// Classification of a graph given by its edges: O(edges).
clique_graph_info inspectEdges(const clique_graph &graph, Intervals &intervals);
/// Description of an implicit graph: O(1), or O(cliques).
clique_graph_info inspectForm(const clique_graph &graph);

/// Checked constructors, shared by the C API and compiled code. `where` opens
/// the messages.
using GraphPtr = std::unique_ptr<clique_graph>;
GraphPtr makeComplete(const char *where, int64_t n, bool noSelf);
GraphPtr makeBipartite(const char *where, int64_t numDst, int64_t numSrc);
GraphPtr makeCausal(const char *where, int64_t n, bool noSelf);
GraphPtr makeWindow(const char *where, int64_t n, int64_t halfWidth,
                    bool noSelf);
GraphPtr makeCliques(const char *where, int64_t count, const int64_t *offsets,
                     bool causal, bool noSelf);
GraphPtr makeCsr(const char *where, int64_t numDst, int64_t numSrc,
                 const int64_t *indptr, const int32_t *indices,
                 std::shared_ptr<const void> owner = nullptr);
GraphPtr makeCoo(const char *where, int64_t numDst, int64_t numSrc,
                 int64_t numEdges, const int32_t *dst, const int32_t *src);
GraphPtr makeReverse(const clique_graph &graph);
GraphPtr makeSelfLoops(const char *where, const clique_graph &graph);

/// Refuses offsets that do not start at 0 or that decrease.
void checkOffsets(const char *where, int64_t count, const int64_t *offsets);

} // namespace clique

#endif // CLIQUE_RUNTIME_GRAPH_H
