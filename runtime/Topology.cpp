//===- Topology.cpp - The lattice of topologies ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the classes, and which graph a layer compiled for one of them takes.
//
//===----------------------------------------------------------------------===//
#include "runtime/Topology.h"
#include "runtime/Graph.h"

#include <fmt/format.h>

using namespace clique;

const char *clique_topology_name(clique_topology topology) {
  switch (topology) {
  case CLIQUE_TOPOLOGY_SPARSE:
    return "sparse";
  case CLIQUE_TOPOLOGY_COMPLETE:
    return "complete";
  case CLIQUE_TOPOLOGY_BIPARTITE:
    return "bipartite";
  case CLIQUE_TOPOLOGY_CAUSAL:
    return "causal";
  case CLIQUE_TOPOLOGY_WINDOW:
    return "window";
  case CLIQUE_TOPOLOGY_CLIQUES:
    return "cliques";
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    return "causal_cliques";
  case CLIQUE_TOPOLOGY_BLOCKS:
    return "blocks";
  case CLIQUE_TOPOLOGY_UNKNOWN:
    return "unknown";
  }
  return "invalid";
}

static std::string nameWithParam(clique_topology topology, int64_t param) {
  std::string text = clique_topology_name(topology);
  if (topology == CLIQUE_TOPOLOGY_WINDOW || topology == CLIQUE_TOPOLOGY_BLOCKS)
    text += fmt::format(" {}", param);
  return text;
}

std::string clique::describeTopology(clique_topology topology, int64_t param,
                                     bool noSelf) {
  std::string text = nameWithParam(topology, param);
  if (noSelf)
    text += " without self-loops";
  return text;
}

std::string clique::describeTopology(const clique_graph_info &info) {
  std::string text = nameWithParam(info.topology, info.param);
  if (hasCliques(info))
    text += fmt::format(" of {} graph{}", info.num_components,
                        info.num_components == 1 ? "" : "s");
  if (info.no_self)
    text += " without self-loops";
  return text;
}

namespace {
/// The smallest class of the lattice that holds a graph.
enum class Smallest {
  Sparse,
  Bipartite,
  CausalCliques,
  Window,
  Cliques,
  Complete,
  Causal,
  Singletons,
  OneNode
};
} // namespace

static Smallest smallestClass(const clique_graph_info &info) {
  const int64_t n = info.num_dst;
  if (n != info.num_src)
    return info.topology == CLIQUE_TOPOLOGY_BIPARTITE ? Smallest::Bipartite
                                                      : Smallest::Sparse;
  if (!isInterval(info))
    return Smallest::Sparse;
  if (n <= 1)
    return Smallest::OneNode;
  if (info.no_self && info.num_edges == 0)
    return Smallest::Singletons;
  switch (info.topology) {
  case CLIQUE_TOPOLOGY_COMPLETE:
  case CLIQUE_TOPOLOGY_BIPARTITE:
    return Smallest::Complete;
  case CLIQUE_TOPOLOGY_CAUSAL:
    return Smallest::Causal;
  case CLIQUE_TOPOLOGY_WINDOW:
    if (info.param == 0)
      return Smallest::Singletons;
    return info.param >= n - 1 ? Smallest::Complete : Smallest::Window;
  case CLIQUE_TOPOLOGY_CLIQUES:
    if (info.num_components == n)
      return Smallest::Singletons;
    return info.num_components == 1 ? Smallest::Complete : Smallest::Cliques;
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    if (info.num_components == n)
      return Smallest::Singletons;
    return info.num_components == 1 ? Smallest::Causal
                                    : Smallest::CausalCliques;
  default:
    return Smallest::Sparse;
  }
}

static bool classContains(clique_topology topology, int64_t param,
                          const clique_graph_info &graph, Smallest smallest) {
  switch (topology) {
  case CLIQUE_TOPOLOGY_COMPLETE:
    return smallest == Smallest::Complete;
  case CLIQUE_TOPOLOGY_BIPARTITE:
    return smallest == Smallest::Complete || smallest == Smallest::Bipartite;
  case CLIQUE_TOPOLOGY_CAUSAL:
    return smallest == Smallest::Causal;
  case CLIQUE_TOPOLOGY_WINDOW:
    return (smallest == Smallest::Window && graph.param == param) ||
           (smallest == Smallest::Complete && param >= graph.num_dst - 1) ||
           (smallest == Smallest::Singletons && param == 0);
  case CLIQUE_TOPOLOGY_CLIQUES:
    return smallest == Smallest::Complete || smallest == Smallest::Cliques ||
           smallest == Smallest::Singletons;
  case CLIQUE_TOPOLOGY_CAUSAL_CLIQUES:
    return smallest == Smallest::Causal ||
           smallest == Smallest::CausalCliques ||
           smallest == Smallest::Singletons;
  default:
    return false;
  }
}

bool clique::belongsTo(const clique_graph &graph, clique_topology topology,
                       int64_t param, bool noSelf) {
  if (topology == CLIQUE_TOPOLOGY_UNKNOWN || topology == CLIQUE_TOPOLOGY_SPARSE)
    return true;
  if (topology == CLIQUE_TOPOLOGY_BLOCKS)
    return param > 0 && !graph.hasParallelEdges() &&
           graph.blockSize() % param == 0;
  const clique_graph_info &info = graph.info();
  // No sources and no destinations.
  if (info.num_dst == 0 && info.num_src == 0)
    return true;
  if (noSelf != (info.no_self != 0))
    return false;
  const Smallest smallest = smallestClass(info);
  if (smallest == Smallest::OneNode)
    return true;
  return classContains(topology, param, info, smallest);
}
