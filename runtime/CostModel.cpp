//===- CostModel.cpp - Dense tiles or sparse rows -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among the versions of a kernel that were compiled, and the user's
// override of it.
//
//===----------------------------------------------------------------------===//
#include "runtime/CostModel.h"
#include "runtime/Caches.h"
#include "runtime/Error.h"
#include "runtime/Invocation.h"
#include "runtime/MeasuredChoice.h"
#include "runtime/Topology.h"

#include <algorithm>
#include <atomic>

using namespace clique;

// What versions share (updates) counts for neither of them. How the times were
// measured is in compiler/Analysis/Rates.h, how well they do in
// docs/benchmarks.md.

constexpr double kPicosecondsPerMillisecond = 1e9;

/// What a cache line of a source takes more if the first cache of the core does
/// not hold it but the second does, as a part of what it takes more if that
/// does not either; fitted with the rates.
constexpr double kSecondCacheShare = 0.20;

/// What of the first cache sources have: the states of rows, and what is
/// fetched for the next ones, take the rest.
constexpr double kFirstCachePart = 0.75;

/// What a line beyond a cache takes where lines come in order, in times of one
/// that does not.
constexpr double kOrderedShare = 0.5;

/// What a cache line of a source takes more when it comes from memory for its
/// first use, in times of a far line, and the lines of a source of which that
/// is not so, as hardware streams them: from attention with 8 heads of 16 and
/// 48 on 65,280 nodes in cliques of 8 to 24 (37 and 300 ns a node) and sums of
/// 64 features on them (none).
constexpr double kFirstUse = 13, kStreamedLines = 12, kSourceLineBytes = 64;

/// Bytes of sources that come before a row asks for one of them again: where
/// rows receive from intervals, or from sources that lie close to each other,
/// neighbours have most of theirs in common.
static double getReusedBytes(const clique_graph &graph,
                             const KernelCost &cost) {
  double sources = double(graph.numSrc);
  if (graph.hasIntervals())
    sources = std::min(sources, double(graph.numEdges) /
                                    double(std::max<int64_t>(1, graph.numDst)));
  else
    sources = std::min(sources, double(graph.rowSpan()));
  return sources * double(cost.sourceBytes);
}

/// Whether rows ask for sources in the same order each time: those of
/// intervals, and where each receives from most of the sources.
static bool asksInOrder(const clique_graph &graph) {
  constexpr double mostSources = 2.0 / 3;
  return graph.hasIntervals() ||
         double(graph.numEdges) >
             mostSources * double(graph.numDst) * double(graph.numSrc);
}

/// The part of so many bytes of sources that a cache does not hold when they
/// are asked for again. In the same order each time, of more than the cache
/// holds, what comes next is what was evicted last; but hardware streams what
/// comes in order (GAT and attention on complete graphs of 1,024 and 4,096
/// nodes take half of what such lines take elsewhere, AMD Zen 5).
static double getShareBeyond(const clique_graph &graph, double bytes,
                             int64_t cache) {
  if (asksInOrder(graph))
    return bytes > double(cache) ? kOrderedShare : 0;
  return std::max(0.0, 1 - double(cache) / std::max(bytes, 1.0));
}

/// What an edge of a row takes more on this graph than with all sources in the
/// first cache.
static double getFarTime(const clique_graph &graph, const KernelCost &cost) {
  const double bytes = getReusedBytes(graph, cost);
  const double beyondFirst = getShareBeyond(
      graph, bytes, int64_t(kFirstCachePart * double(cacheSizes().first)));
  const double beyondSecond = getShareBeyond(graph, bytes, cacheSizes().second);
  return (beyondSecond + kSecondCacheShare * (beyondFirst - beyondSecond)) *
         double(cost.farEdge);
}

/// What rows take more for the first use of each source where neighbours share
/// theirs, so that no further one is far, but all features together outgrow
/// the caches. The sources of a clique are all asked for by its first row:
/// memory gives lines of a few one after the other, while blocks of tiles fetch
/// them ahead.
static double getFirstUseTime(const clique_graph &graph,
                              const KernelCost &cost) {
  const double lines = double(cost.sourceBytes) / kSourceLineBytes;
  const double beyond =
      getShareBeyond(graph, getReusedBytes(graph, cost), cacheSizes().second);
  // Destinations and results have about as much.
  const double bytes = 2 * double(graph.numSrc) * double(cost.sourceBytes);
  const double far =
      std::max(0.0, 1 - double(cacheSizes().last) / 2 / std::max(bytes, 1.0));
  return double(graph.numSrc) * (1 - beyond) * far * kFirstUse *
         std::max(0.0, 1 - kStreamedLines / std::max(lines, 1.0)) *
         double(cost.farEdge);
}

static double estimateRows(const clique_graph &graph, const KernelCost &cost) {
  const double edge = double(cost.edge) + getFarTime(graph, cost);
  return (double(graph.numEdges) * edge + getFirstUseTime(graph, cost) +
          double(graph.numDst) * double(cost.row)) /
         kPicosecondsPerMillisecond;
}

/// `tiled`: the graph in the order in which tiles take its nodes.
static double estimateTiles(const clique_graph &graph,
                            const clique_graph &tiled, const KernelCost &cost) {
  const TilePairs pairs = tiled.tilePairs(cost.tileRows);
  // In another order than that in which nodes lie, each is looked for, once as
  // a source and once as a destination.
  const double looks =
      &tiled == &graph ? 0 : double(graph.numSrc + graph.numDst);
  return (looks * getFarTime(graph, cost) +
          double(pairs.full) * double(cost.pair) +
          double(pairs.border) * double(cost.maskedPair) +
          double(pairs.even) * double(cost.maskedPair - cost.evenSaving) +
          double(graph.numEdges) * double(cost.tileEdge) +
          double(pairs.registerBlocks) * double(cost.registerBlock)) /
         kPicosecondsPerMillisecond;
}

/// What tiles take at least, without a look at the edges: as if each edge were
/// all that its tile has.
static double boundTiles(const clique_graph &graph, const KernelCost &cost) {
  return double(graph.numEdges) * double(cost.pair + cost.tileEdge) /
         kPicosecondsPerMillisecond;
}

static std::atomic<clique_lowering> loweringOverride{CLIQUE_LOWERING_AUTO};

clique_status clique_set_lowering(clique_lowering lowering) {
  return guarded([&] {
    if (lowering < CLIQUE_LOWERING_AUTO || lowering > CLIQUE_LOWERING_MEASURED)
      fail(CLIQUE_INVALID_ARGUMENT,
           "clique_set_lowering: lowering {}, expected a clique_lowering, {} "
           "to {}",
           int(lowering), int(CLIQUE_LOWERING_AUTO),
           int(CLIQUE_LOWERING_MEASURED));
    loweringOverride = lowering;
  });
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

/// Where the model sees one version so many times ahead, the clock is not
/// asked: it is never as wrong, and tiles of sparse graphs take minutes.
constexpr double kSureRatio = 4;

/// The choice of the user who asked for the clock: `expected` where that has
/// nothing to add. Calls on a GPU end before their kernels do, and a part of a
/// graph is seen once.
static Choice measure(const clique_graph &graph, const char *kernel,
                      const KernelCost &cost, const Choice &expected) {
  Invocation *invocation = Invocation::current();
  const double least = std::min(expected.rows, expected.tiles);
  if (!invocation || invocation->device() || graph.whole ||
      std::max(expected.rows, expected.tiles) > kSureRatio * least)
    return expected;
  std::shared_ptr<MeasuredChoice> measured =
      graph.measuredChoices().get(kernel, cost, threadsInUse(), expected.dense);
  Choice choice = expected;
  bool isTrial = false;
  choice.dense = measured->choose(isTrial);
  choice.by = isTrial ? Choice::By::Trial : Choice::By::Clock;
  if (isTrial) {
    invocation->clock.start(measured, choice.dense);
    return choice;
  }
  choice.rows = measured->getLeast(false);
  choice.tiles = measured->getLeast(true);
  return choice;
}

static Choice chooseVersion(const clique_graph &graph, const char *kernel,
                            int64_t versions, const KernelCost &cost,
                            bool inOrder) {
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
  if (wanted == CLIQUE_LOWERING_DENSE || wanted == CLIQUE_LOWERING_SPARSE)
    return {wanted == CLIQUE_LOWERING_DENSE, "as asked for"};
  if (graph.numEdges == 0)
    return {false, "no edges"};
  Choice choice;
  choice.rows = estimateRows(graph, cost);
  // A part of a graph is asked about once: its tiles are counted only where
  // they may be faster.
  if (graph.whole && boundTiles(graph, cost) >= choice.rows)
    return {false, "tiles take longer, however the edges lie"};
  choice.tiles = estimateTiles(graph, inOrder ? graph.inOrder() : graph, cost);
  choice.dense = choice.tiles < choice.rows;
  const bool isMeasured = wanted == CLIQUE_LOWERING_MEASURED;
  if ((choice.dense || isMeasured) && graph.hasParallelEdges())
    return {false, "parallel edges"};
  return isMeasured ? measure(graph, kernel, cost, choice) : choice;
}

Choice clique::chooseLowering(const clique_graph &graph, const char *kernel,
                              int64_t versions, const KernelCost &cost) {
  if (Invocation *invocation = Invocation::current())
    invocation->clock.stop();
  const bool mayBeInOrder = versions & kInOrder;
  Choice choice =
      chooseVersion(graph, kernel, versions & ~kInOrder, cost, mayBeInOrder);
  choice.inOrder = choice.dense && mayBeInOrder && &graph.inOrder() != &graph;
  return choice;
}

/// Three digits or so.
static std::string describeTime(double milliseconds) {
  if (milliseconds < 0.1)
    return fmt::format("{:.1f} us", 1e3 * milliseconds);
  return fmt::format("{:.{}f} ms", milliseconds, milliseconds < 100 ? 2 : 0);
}

std::string Choice::describeReason() const {
  const char *order = inOrder ? ", its nodes clique by clique" : "";
  if (rule)
    return std::string(rule) + order;
  if (by == By::Trial)
    return std::string("to be measured") + order;
  return fmt::format("{} {}, {} of {}{}", describeTime(dense ? tiles : rows),
                     by == By::Clock ? "measured" : "expected of one core",
                     describeTime(dense ? rows : tiles),
                     dense ? "rows" : "tiles", order);
}
