//===- Graphs.cpp - Graphs from the command line --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "benchmarks/device/driver/Graphs.h"
#include "benchmarks/device/driver/Options.h"

#include <charconv>
#include <fmt/format.h>
#include <vector>

using namespace clique::device;

/// "37x101" or "5,1,0": whole numbers from 0.
static std::vector<int64_t> parseSizes(const std::string &text,
                                       const std::string &whole) {
  std::vector<int64_t> sizes;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int64_t size = -1;
    auto [rest, error] = std::from_chars(at, end, size);
    const bool isSize = error == std::errc() && size >= 0;
    if (!isSize || (rest != end && *rest != ',' && *rest != 'x'))
      throw UsageError(fmt::format(
          "--graph={}: expected whole numbers after the colon", whole));
    sizes.push_back(size);
    if (rest == end)
      return sizes;
    at = rest + 1;
  }
}

static clique_status makeCliques(const std::vector<int64_t> &sizes,
                                 int32_t causal, clique_graph **graph) {
  std::vector<int64_t> offsets = {0};
  for (int64_t size : sizes)
    offsets.push_back(offsets.back() + size);
  return clique_graph_cliques(int64_t(sizes.size()), offsets.data(), causal,
                              /*no_self=*/0, graph);
}

/// False if there is no class of this name with so many sizes.
static bool makeOfClass(const std::string &name,
                        const std::vector<int64_t> &sizes,
                        clique_graph **graph) {
  const bool one = sizes.size() == 1, two = sizes.size() == 2;
  if (name == "cliques" || name == "causal_cliques")
    check(makeCliques(sizes, name == "causal_cliques", graph));
  else if (name == "complete" && one)
    check(clique_graph_complete(sizes[0], /*no_self=*/0, graph));
  else if (name == "complete_no_self" && one)
    check(clique_graph_complete(sizes[0], /*no_self=*/1, graph));
  else if (name == "causal" && one)
    check(clique_graph_causal(sizes[0], /*no_self=*/0, graph));
  else if (name == "bipartite" && two)
    check(clique_graph_bipartite(sizes[0], sizes[1], graph));
  else if (name == "window" && two)
    check(clique_graph_window(sizes[0], sizes[1], /*no_self=*/0, graph));
  else
    return false;
  return true;
}

GraphHandle clique::device::makeGraph(const std::string &description) {
  clique_graph *graph = nullptr;
  const size_t colon = description.find(':');
  if (colon == std::string::npos) {
    check(clique_graph_read(description.c_str(), &graph));
    return GraphHandle(graph);
  }
  const std::vector<int64_t> sizes =
      parseSizes(description.substr(colon + 1), description);
  if (!makeOfClass(description.substr(0, colon), sizes, &graph))
    throw UsageError(fmt::format(
        "--graph={}: there is no such graph; see --help", description));
  return GraphHandle(graph);
}
