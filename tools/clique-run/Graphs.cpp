//===- Graphs.cpp - Graphs from the command line --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[ARG=]GRAPH`, a graph for each argument that is one.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Graphs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace clique;

Error clique::makeRuntimeError(const Twine &context) {
  return createStringError(context + clique_last_error());
}

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
    DescribedGraph described = makeGraph(source->str());
    if (!described.graph)
      return createStringError(described.error);
    graphs.push_back({unsigned(k), source->str(), std::move(described.graph)});
  }
  return graphs;
}
