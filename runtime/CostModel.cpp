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

/// Mean row length from which dense tiles are taken on an interval graph: a
/// shorter row leaves most of a tile empty. On batches of equal cliques the two
/// versions of attention.mlir and gat.mlir took the same time between 16
/// and 32.
constexpr double kDenseRowLength = 24;

static std::atomic<clique_lowering> loweringOverride{CLIQUE_LOWERING_AUTO};

void clique_set_lowering(clique_lowering lowering) {
  loweringOverride = lowering;
}

[[noreturn]] static void refuseDense(const clique_graph &graph,
                                     const char *kernel, const char *why) {
  fail(CLIQUE_INVALID_ARGUMENT,
       "{}: {}, but the graph of {} nodes and {} edges is sparse: dense tiles "
       "need a complete, bipartite, causal, window or cliques graph",
       kernel, why, graph.numDst, graph.numEdges);
}

Choice clique::chooseLowering(const clique_graph &graph, const char *kernel,
                              int64_t versions) {
  const bool isInterval = graph.info().topology != CLIQUE_TOPOLOGY_SPARSE;
  const clique_lowering wanted = loweringOverride;
  // A kernel that was compiled as sparse only, as a readout is, runs so.
  if (wanted == CLIQUE_LOWERING_DENSE && !isInterval &&
      versions != kSparseVersion)
    refuseDense(graph, kernel, "the dense lowering was asked for");
  if (versions == kDenseVersion && !isInterval)
    refuseDense(graph, kernel, "only a dense version was compiled");
  if (versions == kDenseVersion || versions == kSparseVersion)
    return {versions == kDenseVersion, "the only version compiled"};
  if (wanted != CLIQUE_LOWERING_AUTO)
    return {wanted == CLIQUE_LOWERING_DENSE, "as asked for"};
  if (!isInterval)
    return {false, "rows are no intervals"};
  const double meanRow =
      graph.numDst ? double(graph.numEdges) / double(graph.numDst) : 0;
  const bool dense = meanRow >= kDenseRowLength;
  return {dense, fmt::format("mean row {:.1f} {} {:.0f}", meanRow,
                             dense ? ">=" : "<", kDenseRowLength)};
}
