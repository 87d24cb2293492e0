//===- GraphDescription.cpp - Graphs from the command line ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/graphs/GraphDescription.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <vector>

using namespace clique;

using Sizes = std::vector<int64_t>;

namespace {
/// A class of graphs that is made from a few sizes.
struct GraphClass {
  std::string_view name;
  std::string_view form; ///< for messages
  char separator;
  size_t numSizes; ///< 0: any number
  clique_status (*make)(const Sizes &sizes, clique_graph **graph);
  /// What is wrong with the sizes, or nothing.
  std::string_view (*check)(const Sizes &sizes) = nullptr;
};
} // namespace

static clique_status makeCliques(const Sizes &sizes, bool causal,
                                 clique_graph **graph) {
  Sizes offsets = {0};
  for (int64_t size : sizes)
    offsets.push_back(offsets.back() + size);
  return clique_graph_cliques(int64_t(sizes.size()), offsets.data(), causal,
                              /*no_self=*/0, graph);
}

/// Edges that are listed, so that they fit into any machine.
constexpr int64_t kMostListed = int64_t(1) << 31;

static std::string_view checkBlocks(const Sizes &sizes) {
  if (sizes[1] == 0 || sizes[2] == 0)
    return "SIZE and EVERY are at least 1";
  const int64_t mostHeard = std::min(sizes[0], sizes[0] / sizes[2] + sizes[1]);
  if (sizes[0] > 0 && mostHeard > kMostListed / sizes[0])
    return "these are more than 2^31 edges; make fewer nodes or a larger EVERY";
  return "";
}

/// Blocks of SIZE nodes, of which each receives from itself and every EVERY-th
/// one before and behind it.
static clique_status makeBlocks(const Sizes &sizes, clique_graph **graph) {
  const int64_t n = sizes[0], size = sizes[1], step = size * sizes[2];
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t first = i / size * size % step; first < n; first += step)
      for (int64_t j = first; j < std::min(first + size, n); ++j)
        indices.push_back(int32_t(j));
    indptr.push_back(int64_t(indices.size()));
  }
  return clique_graph_from_csr(n, n, indptr.data(), indices.data(), graph);
}

static constexpr GraphClass kClasses[] = {
    {"complete", "complete:N", ',', 1,
     [](const Sizes &sizes, clique_graph **graph) {
       return clique_graph_complete(sizes[0], 0, graph);
     }},
    {"complete_no_self", "complete_no_self:N", ',', 1,
     [](const Sizes &sizes, clique_graph **graph) {
       return clique_graph_complete(sizes[0], 1, graph);
     }},
    {"bipartite", "bipartite:NxM (destinations x sources)", 'x', 2,
     [](const Sizes &sizes, clique_graph **graph) {
       return clique_graph_bipartite(sizes[0], sizes[1], graph);
     }},
    {"causal", "causal:N", ',', 1,
     [](const Sizes &sizes, clique_graph **graph) {
       return clique_graph_causal(sizes[0], 0, graph);
     }},
    {"window", "window:N,W (nodes, half width)", ',', 2,
     [](const Sizes &sizes, clique_graph **graph) {
       return clique_graph_window(sizes[0], sizes[1], 0, graph);
     }},
    {"cliques", "cliques:A,B,C... (sizes)", ',', 0,
     [](const Sizes &sizes, clique_graph **graph) {
       return makeCliques(sizes, false, graph);
     }},
    {"causal_cliques", "causal_cliques:A,B,C... (sizes)", ',', 0,
     [](const Sizes &sizes, clique_graph **graph) {
       return makeCliques(sizes, true, graph);
     }},
    {"blocks",
     "blocks:N,SIZE,EVERY (of blocks of SIZE nodes each receives from every "
     "EVERY-th)",
     ',', 3, makeBlocks, checkBlocks}};

/// Node numbers have 32 bits.
static constexpr int64_t kMaxNodes = INT32_MAX;

static std::optional<int64_t> parseSize(std::string_view text) {
  int64_t size = -1;
  const char *begin = text.data(), *end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, size);
  if (error != std::errc() || rest != end || size < 0 || size > kMaxNodes)
    return std::nullopt;
  return size;
}

static DescribedGraph refuse(const std::string &whole,
                             const std::string &reason) {
  return {nullptr, fmt::format("{}: {}", whole, reason)};
}

static DescribedGraph makeOfClass(const GraphClass &graphClass,
                                  std::string_view text,
                                  const std::string &whole) {
  Sizes sizes;
  int64_t total = 0;
  for (size_t from = 0; from <= text.size();) {
    const size_t to =
        std::min(text.find(graphClass.separator, from), text.size());
    const std::string_view item = text.substr(from, to - from);
    const std::optional<int64_t> size = parseSize(item);
    total += size.value_or(0);
    if (!size || total > 2 * kMaxNodes)
      return refuse(
          whole, fmt::format("'{}' is no size; expected {} with whole numbers "
                             "from 0, at most 2^31 - 1 nodes",
                             item, graphClass.form));
    sizes.push_back(*size);
    from = to + 1;
  }
  if (graphClass.numSizes && sizes.size() != graphClass.numSizes)
    return refuse(whole, fmt::format("expected {}", graphClass.form));
  const std::string_view wrong =
      graphClass.check ? graphClass.check(sizes) : "";
  if (!wrong.empty())
    return refuse(whole, std::string(wrong));
  clique_graph *graph = nullptr;
  if (graphClass.make(sizes, &graph) != CLIQUE_OK)
    return refuse(whole, clique_last_error());
  return {GraphHandle(graph), ""};
}

static DescribedGraph readGraph(const std::string &path) {
  clique_graph *graph = nullptr;
  if (clique_graph_read(path.c_str(), &graph) == CLIQUE_OK)
    return {GraphHandle(graph), ""};
  std::string text = clique_last_error();
  // What looks like a class but is none, and no file either.
  std::error_code ignored;
  if (path.find(':') != std::string::npos &&
      !std::filesystem::exists(path, ignored)) {
    text += "; and it is none of the graphs that can be made:";
    for (const GraphClass &graphClass : kClasses)
      text += fmt::format(" {}", graphClass.name);
  }
  return {nullptr, text};
}

DescribedGraph clique::makeGraph(const std::string &description,
                                 const std::string &option) {
  const std::string_view text = description;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos)
    for (const GraphClass &graphClass : kClasses)
      if (text.substr(0, colon) == graphClass.name)
        return makeOfClass(graphClass, text.substr(colon + 1),
                           option + description);
  return readGraph(description);
}
