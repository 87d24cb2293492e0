//===- Graphs.cpp - Graphs from the command line --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[ARG=]GRAPH`, where GRAPH is a file or the name of a class with its sizes.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace clique;

Error clique::makeRuntimeError(const Twine &context) {
  return createStringError(context + clique_last_error());
}

//===----------------------------------------------------------------------===//
// One graph
//===----------------------------------------------------------------------===//

using GraphHandle = std::unique_ptr<clique_graph, FreeGraph>;

/// A class of graphs that is made from a few sizes.
namespace {
struct GraphClass {
  StringLiteral name;
  StringLiteral form; ///< for messages
  char separator;
  unsigned numSizes; ///< 0: any number
  clique_status (*make)(ArrayRef<int64_t> sizes, clique_graph **graph);
  /// What is wrong with the sizes, or nothing.
  StringRef (*check)(ArrayRef<int64_t> sizes) = nullptr;
};
} // namespace

static clique_status makeCliques(ArrayRef<int64_t> sizes, bool causal,
                                 clique_graph **graph) {
  SmallVector<int64_t> offsets = {0};
  for (int64_t size : sizes)
    offsets.push_back(offsets.back() + size);
  return clique_graph_cliques(int64_t(sizes.size()), offsets.data(), causal,
                              /*no_self=*/0, graph);
}

/// Edges that are listed, so that they fit into any machine.
constexpr int64_t kMostListed = int64_t(1) << 31;

static StringRef checkBlocks(ArrayRef<int64_t> sizes) {
  if (sizes[1] == 0 || sizes[2] == 0)
    return "SIZE and EVERY are at least 1";
  int64_t mostHeard = std::min(sizes[0], sizes[0] / sizes[2] + sizes[1]);
  if (sizes[0] > 0 && mostHeard > kMostListed / sizes[0])
    return "these are more than 2^31 edges; make fewer nodes or a larger EVERY";
  return "";
}

/// Blocks of SIZE nodes, of which each hears itself and every EVERY-th one
/// before and behind it.
static clique_status makeBlocks(ArrayRef<int64_t> sizes, clique_graph **graph) {
  int64_t n = sizes[0], size = sizes[1], step = size * sizes[2];
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
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return clique_graph_complete(sizes[0], 0, graph);
     }},
    {"complete_no_self", "complete_no_self:N", ',', 1,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return clique_graph_complete(sizes[0], 1, graph);
     }},
    {"bipartite", "bipartite:NxM (destinations x sources)", 'x', 2,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return clique_graph_bipartite(sizes[0], sizes[1], graph);
     }},
    {"causal", "causal:N", ',', 1,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return clique_graph_causal(sizes[0], 0, graph);
     }},
    {"window", "window:N,W (nodes, half width)", ',', 2,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return clique_graph_window(sizes[0], sizes[1], 0, graph);
     }},
    {"cliques", "cliques:A,B,C... (sizes)", ',', 0,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return makeCliques(sizes, false, graph);
     }},
    {"causal_cliques", "causal_cliques:A,B,C... (sizes)", ',', 0,
     [](ArrayRef<int64_t> sizes, clique_graph **graph) {
       return makeCliques(sizes, true, graph);
     }},
    {"blocks",
     "blocks:N,SIZE,EVERY (of blocks of SIZE nodes each hears every EVERY-th)",
     ',', 3, makeBlocks, checkBlocks}};

/// Node numbers have 32 bits.
static constexpr int64_t kMaxNodes = INT32_MAX;

static Expected<GraphHandle> makeGraph(const GraphClass &graphClass,
                                       StringRef text, StringRef whole) {
  SmallVector<int64_t> sizes;
  int64_t total = 0;
  for (StringRef item : split(text, graphClass.separator)) {
    std::optional<int64_t> size = parseInteger(item);
    if (size && *size >= 0 && *size <= kMaxNodes)
      total += *size;
    else
      size = std::nullopt;
    if (!size || total > 2 * kMaxNodes)
      return createStringError(
          "--graph=" + whole + ": '" + item + "' is no size; expected " +
          graphClass.form +
          " with whole numbers from 0, at most 2^31 - 1 nodes");
    sizes.push_back(*size);
  }
  if (graphClass.numSizes && sizes.size() != graphClass.numSizes)
    return createStringError("--graph=" + whole + ": expected " +
                             graphClass.form);
  StringRef wrong = graphClass.check ? graphClass.check(sizes) : "";
  if (!wrong.empty())
    return createStringError("--graph=" + whole + ": " + wrong);
  clique_graph *graph = nullptr;
  if (graphClass.make(sizes, &graph) != CLIQUE_OK)
    return makeRuntimeError("--graph=" + whole + ": ");
  return GraphHandle(graph);
}

static Expected<GraphHandle> readGraph(StringRef path) {
  clique_graph *graph = nullptr;
  if (clique_graph_read(path.str().c_str(), &graph) == CLIQUE_OK)
    return GraphHandle(graph);
  std::string text = clique_last_error();
  // What looks like a class but is none, and no file either.
  if (path.contains(':') && !sys::fs::exists(path)) {
    text += "; and it is none of the graphs that can be made:";
    for (const GraphClass &graphClass : kClasses)
      text += " " + graphClass.name.str();
  }
  return createStringError(text);
}

static Expected<GraphHandle> makeOrReadGraph(StringRef text) {
  auto [name, sizes] = text.split(':');
  for (const GraphClass &graphClass : kClasses)
    if (name == graphClass.name && text.contains(':'))
      return makeGraph(graphClass, sizes, text);
  return readGraph(text);
}

//===----------------------------------------------------------------------===//
// All graphs of a layer
//===----------------------------------------------------------------------===//

/// Splits `[ARG=]GRAPH` into the argument's number and the graph.
static Expected<std::pair<unsigned, StringRef>>
findArgument(const LayerSignature &signature, StringRef description) {
  SmallVector<unsigned> graphs;
  SmallVector<StringRef> names;
  for (auto [k, arg] : enumerate(signature.args))
    if (arg.kind == CLIQUE_ARG_GRAPH) {
      graphs.push_back(k);
      names.push_back(arg.name);
    }
  if (graphs.empty())
    return createStringError("--graph=" + description + ": layer '" +
                             signature.name + "' takes no graph");
  auto [name, rest] = description.split('=');
  if (description.contains('=')) {
    for (unsigned k : graphs)
      if (signature.args[k].name == name)
        return std::pair(k, rest);
    // Else the whole may be the name of a file.
    if (!sys::fs::exists(description))
      return createStringError("--graph=" + description + ": layer '" +
                               signature.name + "' has no graph argument '" +
                               name + "'; there is: " + join(names, ", "));
  }
  if (graphs.size() > 1)
    return createStringError(
        "--graph=" + description + ": layer '" + signature.name +
        "' takes several graphs; say which one: --graph=" + names.front() +
        "=" + description + " (there is: " + join(names, ", ") + ")");
  return std::pair(graphs.front(), description);
}

Expected<std::vector<GraphArgument>>
clique::makeGraphs(const LayerSignature &signature,
                   ArrayRef<std::string> descriptions) {
  // All names are checked before the first file is read.
  std::vector<std::optional<StringRef>> sources(signature.args.size());
  for (StringRef description : descriptions) {
    auto found = findArgument(signature, description);
    if (!found)
      return found.takeError();
    auto [argument, graph] = *found;
    if (sources[argument])
      return createStringError("--graph=" + description + ": argument '" +
                               signature.args[argument].name +
                               "' is given a second time");
    sources[argument] = graph;
  }
  std::vector<GraphArgument> graphs;
  for (auto [k, arg] : enumerate(signature.args))
    if (arg.kind == CLIQUE_ARG_GRAPH && !sources[k])
      return createStringError(
          "layer '" + signature.name + "': argument '" + arg.name +
          "' is a graph and was not given; use --graph=" + arg.name +
          "=FILE.mtx, or a graph such as --graph=" + arg.name + "=complete:16");
  for (auto [k, source] : enumerate(sources)) {
    if (!source)
      continue;
    Expected<GraphHandle> graph = makeOrReadGraph(*source);
    if (!graph)
      return graph.takeError();
    graphs.push_back({unsigned(k), source->str(), std::move(*graph)});
  }
  return graphs;
}
