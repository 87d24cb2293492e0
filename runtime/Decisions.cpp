//===- Decisions.cpp - What kernels did, and why --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Decisions.h"
#include "runtime/Graph.h"
#include "runtime/Topology.h"

#include <fmt/format.h>
#include <vector>

using namespace clique;

namespace {
struct Decision {
  std::string kernel;
  /// Its name in the code of the layer, which stands for it during a call.
  const char *literal;
  clique_graph_info graph;
  bool isPart; ///< of a larger graph
  Choice choice;
};

struct Decisions {
  /// Those from `count` on are of earlier invocations: their memory is used
  /// again.
  std::vector<Decision> list;
  size_t count = 0;
  std::string text;
};
} // namespace

static Decisions &decisions() {
  thread_local Decisions ofThread;
  return ofThread;
}

void clique::clearDecisions() { decisions().count = 0; }

/// The steps of a loop do the same on the same graph, on parts of one, or for
/// a reason that has nothing to do with the graph: once is enough.
static bool isRepeated(const Decision &known, const char *kernel,
                       const clique_graph_info &graph, bool isPart,
                       const Choice &choice) {
  if (known.literal != kernel || known.choice.dense != choice.dense ||
      known.isPart != isPart)
    return false;
  const bool isByRule = choice.rule && choice.rule == known.choice.rule;
  return isPart || isByRule ||
         (known.graph.num_dst == graph.num_dst &&
          known.graph.num_src == graph.num_src &&
          known.graph.num_edges == graph.num_edges &&
          known.graph.topology == graph.topology);
}

void clique::recordDecision(const char *kernel, const clique_graph &graph,
                            const Choice &choice) {
  const bool isPart = graph.whole != nullptr;
  Decisions &all = decisions();
  for (size_t k = 0; k < all.count; ++k)
    if (isRepeated(all.list[k], kernel, graph.info(), isPart, choice))
      return;
  if (all.count == all.list.size())
    all.list.emplace_back();
  Decision &next = all.list[all.count];
  next.kernel = kernel;
  next.literal = kernel;
  next.graph = graph.info();
  next.isPart = isPart;
  next.choice = choice;
  ++all.count;
}

const char *clique_last_decisions(void) {
  Decisions &all = decisions();
  try {
    all.text.clear();
    for (size_t k = 0; k < all.count; ++k) {
      const Decision &next = all.list[k];
      all.text += fmt::format(
          "{}: {}, {}{}: {}\n", next.kernel,
          next.isPart ? "parts of a graph" : describeTopology(next.graph),
          next.choice.dense ? "dense tiles" : "sparse rows",
          next.choice.exception, next.choice.describeReason());
    }
  } catch (...) {
    return "";
  }
  return all.text.c_str();
}
