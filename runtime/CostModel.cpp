//===- CostModel.cpp - Dense tiles or sparse rows -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among the versions of a kernel that were compiled, and the user's
// override of it.
//
//===----------------------------------------------------------------------===//
#include "runtime/CostModel.h"
#include "runtime/Error.h"
#include "runtime/Topology.h"

#include <atomic>

using namespace clique;

// The times of the two versions, but for what they share (updates), are taken
// to be
//
//   rows    edges * (kEdge + kFlop * flops)
//   tiles   (full + kBorder * border + kRegisterBlock * register blocks)
//             * (kEdge + kProduct * products + kOther * (flops - products))
//
// over the pairs that tiles compute, edges or not (TilePairs). Nanoseconds of
// one core with AVX-512; only their ratios matter. Measured with seven layers
// of examples/ on cliques of 8 to 384 nodes, windows, complete and causal
// graphs: the version chosen took at most 1.07 times as long as the other one,
// but for one graph of 0.03 ms (docs/benchmarks.md).

constexpr double kEdge = 1;        ///< of an edge or pair, beside its flops
constexpr double kFlop = 0.024;    ///< per flop of a row's edge
constexpr double kProduct = 0.006; ///< per flop of a product of matrices
constexpr double kOther = 0.022;   ///< per other flop of a tile's pair
/// A pair in a part of a tile that has a mask, in pairs without one.
constexpr double kBorder = 1.8;
/// Staging and states of a register block of destinations, in pairs.
constexpr double kRegisterBlock = 250;

static double estimateRows(const clique_graph &graph, const EdgeWork &work) {
  return double(graph.numEdges) * (kEdge + kFlop * double(work.flops));
}

static double estimateTiles(const clique_graph &graph, const EdgeWork &work) {
  const TilePairs &pairs = graph.tilePairs();
  return (double(pairs.full) + kBorder * double(pairs.border) +
          kRegisterBlock * double(pairs.registerBlocks)) *
         (kEdge + kProduct * double(work.products) +
          kOther * double(work.flops - work.products));
}

static std::atomic<clique_lowering> loweringOverride{CLIQUE_LOWERING_AUTO};

void clique_set_lowering(clique_lowering lowering) {
  loweringOverride = lowering;
}

/// A user who names a version gets it, or an error.
static void requireSparse(const char *kernel) {
  fail(CLIQUE_INVALID_ARGUMENT,
       "{}: the sparse lowering was asked for, but only dense tiles were "
       "compiled, as the type of the graph suggests: compile the layer with "
       "--lowering=sparse, or leave the choice to the cost model",
       kernel);
}

static void requireDense(const clique_graph &graph, const char *kernel,
                         const char *why) {
  if (graph.hasParallelEdges())
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {}, but the graph of {} nodes and {} edges has parallel edges, "
         "which dense tiles cannot tell apart: use the sparse lowering, or "
         "make one edge of them",
         kernel, why, graph.numDst, graph.numEdges);
}

Choice clique::chooseLowering(const clique_graph &graph, const char *kernel,
                              int64_t versions, const EdgeWork &work) {
  const clique_lowering wanted = loweringOverride;
  // A readout has rows only, whatever the layers around it are asked for.
  if (wanted == CLIQUE_LOWERING_DENSE && versions == kSparseVersion)
    return {false, "its graph has no dense tiles by its type",
            ", though dense tiles were asked for"};
  if (wanted == CLIQUE_LOWERING_DENSE)
    requireDense(graph, kernel, "the dense lowering was asked for");
  if (versions == kDenseVersion && wanted == CLIQUE_LOWERING_SPARSE)
    requireSparse(kernel);
  if (versions == kDenseVersion)
    requireDense(graph, kernel, "only a dense version was compiled");
  if (versions == kDenseVersion || versions == kSparseVersion)
    return {versions == kDenseVersion, "the only version compiled"};
  if (wanted != CLIQUE_LOWERING_AUTO)
    return {wanted == CLIQUE_LOWERING_DENSE, "as asked for"};
  // Tiles gain by products of matrices alone; all else fills vectors better in
  // rows, whatever the density.
  if (work.products == 0)
    return {false, "no products of both ends"};
  const double rows = estimateRows(graph, work);
  const double tiles = estimateTiles(graph, work);
  if (rows == 0)
    return {false, "no edges"};
  const bool dense = tiles < rows;
  if (dense && graph.hasParallelEdges())
    return {false, "parallel edges"};
  const double meanRow = double(graph.numEdges) / double(graph.numDst);
  return {dense, nullptr, "", meanRow, dense ? rows / tiles : tiles / rows};
}

std::string Choice::describeReason() const {
  if (rule)
    return rule;
  return fmt::format("mean row {:.1f}, {:.1f} times as fast as {}", meanRow,
                     gain, dense ? "rows" : "tiles");
}
