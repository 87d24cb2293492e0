//===- GraphOps.cpp - Graphs from graphs, degrees and readouts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/FunctionOps.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

/// What remains known of a type when its edges are turned round.
static bool isOwnReverse(llvm::StringRef type) {
  return type == "!mp.graph" || type.contains("<complete") ||
         type.contains("<window") || type.contains("<cliques") ||
         type.contains("<bipartite") || type.contains("<sparse");
}

GraphValue clique::smith::deriveGraph(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  Random &random = session.random;
  GraphValue made = graph;
  made.name = session.fresh("d");
  if (random.chance(0.2)) {
    made.type = "!mp.graph";
    scope.text += formatv("  {0} = mp.cast {1} : {2} to {3}\n", made.name,
                          graph.name, graph.type, made.type);
    session.record("mp.cast", {});
    return made;
  }
  if (random.chance(0.5)) {
    if (!isOwnReverse(graph.type))
      return graph;
    std::swap(made.dst, made.src);
    std::swap(made.numDst, made.numSrc);
    std::swap(made.maxInDegree, made.maxOutDegree);
    scope.text += formatv("  {0} = mp.reverse {1} : {2} -> {3}\n", made.name,
                          graph.name, graph.type, made.type);
    session.record("mp.reverse", {});
    return made;
  }
  // Else the new edges would need a type that says less.
  if (!graph.isSquare() || graph.numDst != graph.numSrc ||
      (graph.type != "!mp.graph" && graph.type != "!mp.graph<sparse>"))
    return graph;
  made.isAcyclic = false;
  ++made.maxInDegree;
  ++made.maxOutDegree;
  made.edges = scope.numExtents++;
  scope.closed.insert(made.edges);
  scope.text += formatv("  {0} = mp.self_loops {1} : {2} -> {2}\n", made.name,
                        graph.name, graph.type);
  session.record("mp.self_loops", {});
  return made;
}

/// How many sources or edges there are, for each node.
static void addCount(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  const bool isEdges = session.random.chance(0.5);
  Value counts = {session.fresh("d"), {{}, Element::f32}, 10};
  std::string names[5];
  for (std::string &name : names)
    name = session.fresh("n");
  scope.text += formatv(
      "  {0} = mp.{1} {2} : {3}\n  {4} = arith.index_cast {0} : index to i64\n",
      names[0], isEdges ? "num_edges" : "num_src", graph.name, graph.type,
      names[1]);
  scope.text +=
      formatv("  {0} = arith.sitofp {1} : i64 to f32\n"
              "  {2} = math.log1p {0} : f32\n"
              "  {3} = mp.num_dst {4} : {5}\n",
              names[2], names[1], names[3], names[4], graph.name, graph.type);
  scope.text += formatv("  {0} = tensor.splat {1}[{2}] : {3}\n", counts.name,
                        names[3], names[4], nodeType(counts.type));
  session.record(isEdges ? "mp.num_edges" : "mp.num_src", counts.type);
  scope.define(counts, graph.dst, false);
}

void clique::smith::addDegree(Scope &scope, const GraphValue &graph) {
  if (scope.session.random.chance(0.3))
    return addCount(scope, graph);
  Session &session = scope.session;
  const Element element = session.random.pick({Element::f32, Element::f64});
  Value degree = {session.fresh("d"),
                  {{}, element},
                  double(std::max<int64_t>(1, graph.maxInDegree))};
  scope.text += formatv("  {0} = mp.degree {1} : {2} -> {3}\n", degree.name,
                        graph.name, graph.type, nodeType(degree.type));
  session.record("mp.degree", degree.type);
  scope.define(degree, graph.dst, false);
}

void clique::smith::addReadout(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  Random &random = session.random;
  Value nodes = scope.pickFeature(graph.dst, false);
  if (!nodes.type.isFloat())
    return;
  std::vector<int64_t> offsets = {0};
  const int64_t parts = random.between(1, 5);
  for (int64_t k = 1; k < parts; ++k)
    offsets.push_back(random.between(offsets.back(), graph.numDst));
  offsets.push_back(graph.numDst);
  std::string list;
  for (int64_t offset : offsets)
    list += (list.empty() ? "" : ", ") + std::to_string(offset);
  std::string fixed = session.fresh("o"), open = session.fresh("o");
  scope.text +=
      formatv("  {0} = arith.constant dense<[{1}]> : tensor<{2}xi64>\n"
              "  {3} = tensor.cast {0} : tensor<{2}xi64> to tensor<?xi64>\n",
              fixed, list, offsets.size(), open);
  const bool mayBeSum = nodes.type.element != Element::f16;
  const char *kind = random.pick(
      {"mean", "max", "min", "std", "logsumexp", mayBeSum ? "sum" : "mean"});
  Value result = {session.fresh("r"), nodes.type, nodes.size};
  if (kind == std::string("logsumexp"))
    result.size += std::log(double(graph.numDst) + 1);
  if (kind == std::string("sum"))
    result.size *= double(std::max<int64_t>(1, graph.numDst));
  scope.text +=
      formatv("  {0} = mp.readout {1} {2} {3} : (tensor<?xi64>, {4}) "
              "-> {4}\n",
              result.name, open, kind, nodes.name, nodeType(nodes.type));
  session.record(std::string("mp.readout ") + kind, nodes.type);
  scope.define(result, scope.numExtents++, false);
  if (random.chance(0.3)) {
    // Back to the nodes.
    std::string count = session.fresh("n");
    Value spread = {session.fresh("f"), nodes.type, result.size};
    scope.text += formatv("  {0} = mp.num_dst {1} : {2}\n"
                          "  {3} = mp.spread {4} {5} to {0} : (tensor<?xi64>, "
                          "{6}) -> {6}\n",
                          count, graph.name, graph.type, spread.name, open,
                          result.name, nodeType(nodes.type));
    session.record("mp.spread", nodes.type);
    scope.define(spread, graph.dst, false);
  }
  if (!random.chance(0.15))
    return;
  // As many rows as there are nodes, by chance only.
  Value sum = {session.fresh("f"), nodes.type, 2 * nodes.size};
  scope.text += formatv("  {0} = arith.addf {1}, {2} : {3}\n", sum.name,
                        result.name, nodes.name, nodeType(nodes.type));
  session.record("function: unequal rows", nodes.type);
  scope.define(sum, scope.numExtents++, false);
  scope.mayBeRefused = true;
}
