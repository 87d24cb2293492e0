//===- Decisions.cpp - What kernels did, and why --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Decisions.h"
#include "runtime/Graph.h"
#include "runtime/Topology.h"

#include <cstdint>
#include <fmt/format.h>
#include <unordered_map>
#include <vector>

using namespace clique;

constexpr size_t kNone = SIZE_MAX;

namespace {
struct Decision {
  std::string kernel;
  /// Its name in the code of the layer, which stands for it during a call.
  const char *literal;
  clique_graph_info graph;
  bool isPart; ///< of a larger graph
  Choice choice;
  size_t older; ///< the kernel's one before it, or kNone
};

struct Decisions {
  /// Those from `count` on are of earlier invocations: their memory is used
  /// again.
  std::vector<Decision> list;
  size_t count = 0;
  /// The last one of each kernel; of a kernel without one, any number.
  std::unordered_map<const char *, size_t> newest;
  std::string text;
};
} // namespace

static Decisions &decisions() {
  thread_local Decisions ofThread;
  return ofThread;
}

void clique::clearDecisions() {
  Decisions &all = decisions();
  all.count = 0;
  // Kernels of layers that were compiled and dropped.
  constexpr size_t most = 4096;
  if (all.newest.size() > most)
    all.newest.clear();
}

/// The steps of a loop do the same on the same graph, on parts of one, or for
/// a reason that has nothing to do with the graph: once is enough.
static bool isRepeated(const Decision &known, const clique_graph_info &graph,
                       bool isPart, const Choice &choice) {
  if (known.choice.dense != choice.dense || known.isPart != isPart)
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
  size_t &newest = all.newest.try_emplace(kernel, kNone).first->second;
  if (newest >= all.count || all.list[newest].literal != kernel)
    newest = kNone;
  for (size_t k = newest; k != kNone; k = all.list[k].older)
    if (isRepeated(all.list[k], graph.info(), isPart, choice))
      return;
  if (all.count == all.list.size())
    all.list.emplace_back();
  Decision &next = all.list[all.count];
  next.kernel = kernel;
  next.literal = kernel;
  next.graph = graph.info();
  next.isPart = isPart;
  next.choice = choice;
  next.older = newest;
  newest = all.count++;
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
