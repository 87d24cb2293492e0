//===- Reorder.cpp - Graphs with renumbered nodes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of an order, and the graph in it.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Interruption.h"
#include "runtime/NodeOrder.h"
#include "runtime/Topology.h"

#include <algorithm>
#include <iterator>
#include <string>

using namespace clique;

/// What another order must promise of the given one's time: an estimate may be
/// off by a fifth and more, and renumbering takes as long as some calls.
constexpr double kWorthwhile = 0.75;

/// Shorter rows gain little from tiles: what the inspector asks of blocks, too.
constexpr int64_t kLeastDegree = 8;

static constexpr const char *kNames[] = {"given", "degree", "rcm", "auto"};

const char *clique_node_order_name(clique_node_order order) {
  const bool isKnown = order >= 0 && size_t(order) < std::size(kNames);
  return isKnown ? kNames[order] : "unknown";
}

/// Why the nodes cannot be renumbered with gain; "" if they can.
static std::string findObstacle(const clique_graph &graph) {
  if (graph.numDst != graph.numSrc)
    return fmt::format("has {} destinations and {} sources, which are not the "
                       "same nodes",
                       graph.numDst, graph.numSrc);
  if (graph.numEdges && graph.info().topology != CLIQUE_TOPOLOGY_SPARSE)
    return fmt::format("is '{}': sources lie together already",
                       describeTopology(graph.info()));
  return "";
}

static NodeList makeOrder(const clique_graph &graph, clique_node_order order) {
  switch (order) {
  case CLIQUE_ORDER_DEGREE:
    return orderByUse(graph);
  case CLIQUE_ORDER_RCM:
    return orderByCuthillMcKee(graph);
  default:
    return listNodes(graph);
  }
}

GraphPtr clique::renumber(const clique_graph &graph, const int32_t *newOfOld) {
  EdgeList edges = graph.edgeList();
  for (std::vector<int32_t> *ends : {&edges.dst, &edges.src})
    for (int32_t &node : *ends)
      node = newOfOld[node];
  return std::make_unique<clique_graph>(graph.numDst, graph.numSrc,
                                        graph.numEdges, edges.dst.data(),
                                        edges.src.data());
}

/// Whether the sources of each row stand side by side in this order, but for
/// the row's own node. A few rows tell for most graphs that are of no class.
static bool hasRowsOfNeighbours(const clique_graph &graph,
                                const NodeList &newOfOld) {
  const ArrayView<int64_t> rows = graph.indptr();
  const ArrayView<int32_t> sources = graph.indices();
  LoopInterruption interruption;
  for (int64_t i = 0; i < graph.numDst; ++i) {
    interruption.check(1 + size_t(rows[i + 1] - rows[i]));
    int32_t first = newOfOld[i], last = newOfOld[i];
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k) {
      first = std::min(first, newOfOld[sources[k]]);
      last = std::max(last, newOfOld[sources[k]]);
    }
    if (last - first > rows[i + 1] - rows[i])
      return false;
  }
  return true;
}

/// Whether the graph is of a class of intervals in this order, such as cliques
/// whose nodes were mixed, with rows that are long enough for tiles.
static bool becomesRegular(const clique_graph &graph, const NodeList &order) {
  if (graph.numEdges < kLeastDegree * graph.numDst)
    return false;
  const NodeList newOfOld = invertOrder(order);
  return hasRowsOfNeighbours(graph, newOfOld) &&
         isInterval(renumber(graph, newOfOld.data())->info());
}

/// The nodes in the order that was asked for, or in the best one; with
/// estimates if those are wanted.
static NodeList chooseOrder(const clique_graph &graph, clique_node_order wanted,
                            int64_t bytesPerNode, bool estimates,
                            clique_order_info &info) {
  const bool isFree = wanted == CLIQUE_ORDER_AUTO;
  NodeList taken = listNodes(graph);
  if (estimates)
    info.gather[CLIQUE_ORDER_GIVEN] =
        estimateGather(graph, taken, bytesPerNode);
  double least = kWorthwhile * info.gather[CLIQUE_ORDER_GIVEN];
  for (clique_node_order order : {CLIQUE_ORDER_DEGREE, CLIQUE_ORDER_RCM}) {
    if (!isFree && order != wanted)
      continue;
    NodeList nodes = makeOrder(graph, order);
    if (estimates)
      info.gather[order] = estimateGather(graph, nodes, bytesPerNode);
    const bool isRegular =
        isFree && order == CLIQUE_ORDER_RCM && becomesRegular(graph, nodes);
    if (isFree && !isRegular && info.gather[order] >= least)
      continue;
    least = info.gather[order];
    info.order = order;
    taken = std::move(nodes);
  }
  return taken;
}

static constexpr const char *kWhere = "clique_graph_reorder";

static void checkRequest(const clique_graph *graph, clique_node_order order,
                         int64_t bytesPerNode, const int32_t *newOfOld) {
  requireNonNull(graph, kWhere, "graph");
  if (graph->numDst)
    requireNonNull(newOfOld, kWhere, "new_of_old");
  if (order < CLIQUE_ORDER_GIVEN || order > CLIQUE_ORDER_AUTO)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: order {}, expected a clique_node_order, {} to {}", kWhere,
         int(order), int(CLIQUE_ORDER_GIVEN), int(CLIQUE_ORDER_AUTO));
  if (bytesPerNode < 1)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {} bytes per node, expected 1 or more: those of the features "
         "that an edge reads of its source",
         kWhere, bytesPerNode);
}

clique_status clique_graph_reorder(const clique_graph *graph,
                                   clique_node_order order,
                                   int64_t bytes_per_node, int32_t *new_of_old,
                                   clique_order_info *info,
                                   clique_graph **reordered) {
  return guarded([&] {
    requireNonNull(reordered, kWhere, "reordered");
    *reordered = nullptr;
    checkRequest(graph, order, bytes_per_node, new_of_old);
    const std::string obstacle = findObstacle(*graph);
    const bool isAsked =
        order == CLIQUE_ORDER_DEGREE || order == CLIQUE_ORDER_RCM;
    if (isAsked && !obstacle.empty())
      fail(CLIQUE_INVALID_ARGUMENT,
           "{}: the graph of {} edges {}; the order '{}' is for sparse graphs "
           "of one set of nodes: take 'given', or 'auto', which leaves it as "
           "it is",
           kWhere, graph->numEdges, obstacle, clique_node_order_name(order));

    clique_order_info found = {CLIQUE_ORDER_GIVEN, {0, 0, 0}};
    const bool canMove = obstacle.empty() && graph->numEdges;
    const NodeList nodes =
        canMove ? chooseOrder(*graph, order, bytes_per_node,
                              info || order == CLIQUE_ORDER_AUTO, found)
                : listNodes(*graph);
    const NodeList inverse = invertOrder(nodes);
    std::copy(inverse.begin(), inverse.end(), new_of_old);
    if (found.order != CLIQUE_ORDER_GIVEN)
      *reordered = renumber(*graph, new_of_old).release();
    if (info)
      *info = found;
  });
}
