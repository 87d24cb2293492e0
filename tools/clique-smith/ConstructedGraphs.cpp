//===- ConstructedGraphs.cpp - Graphs that a spec makes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/ConstructedGraphs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace clique::smith;
using llvm::formatv;

namespace {
class GraphConstructor {
public:
  GraphConstructor(Scope &scope, std::vector<std::string> &inputs)
      : scope(scope), session(scope.session), random(session.random),
        inputs(inputs) {}
  GraphValue makeOfClass();
  GraphValue makeCliques();
  GraphValue makeOfList();

private:
  std::string addSize(int64_t size);
  std::string addLine(const std::string &text);
  /// A list as a tensor, of known length or not.
  std::string addList(llvm::ArrayRef<int64_t> numbers, const char *element,
                      std::string &type);
  GraphValue makeFixed(int64_t numDst, int64_t numSrc, bool isSquare);

  Scope &scope;
  Session &session;
  Random &random;
  std::vector<std::string> &inputs;
};
} // namespace

std::string GraphConstructor::addSize(int64_t size) {
  std::string name = session.fresh("n");
  scope.arguments.push_back({{name, {}, 0}, kGraph, false, "index"});
  inputs.push_back(name.substr(1) + "=" + std::to_string(size));
  return name;
}

std::string GraphConstructor::addLine(const std::string &text) {
  std::string name = session.fresh("o");
  scope.text += "  " + name + " = " + text + "\n";
  return name;
}

GraphValue GraphConstructor::makeOfClass() {
  struct Constructor {
    const char *name, *type;
    bool mayLackSelf;
  };
  static constexpr Constructor kConstructors[] = {
      {"complete", "complete", true},
      {"causal", "causal", true},
      {"window", "window, 2", true},
      {"bipartite", "bipartite", false}};
  const Constructor &made = kConstructors[random.below(4)];
  const int64_t n = random.between(0, 40), m = random.between(0, 40);
  GraphValue graph = {session.fresh("d"), "", 0, 0, 0, n, n, n, n};
  graph.dst = graph.src = scope.numExtents++;
  std::string sizes = addSize(n);
  if (made.name == std::string("bipartite")) {
    graph.src = scope.numExtents++;
    graph.numSrc = m;
    graph.maxInDegree = m;
    sizes += ", " + addSize(m);
  }
  graph.edges = scope.numExtents++;
  scope.closed.insert(graph.edges);
  if (made.name == std::string("window"))
    sizes += ", 2";
  const bool noSelf = made.mayLackSelf && random.chance(0.3);
  graph.type =
      formatv("!mp.graph<{0}{1}>", made.type, noSelf ? ", no_self" : "");
  scope.text += formatv("  {0} = mp.{1} {2}{3}\n", graph.name, made.name, sizes,
                        noSelf ? " no_self" : "");
  session.record(std::string("mp.") + made.name, {});
  return graph;
}

GraphValue GraphConstructor::makeFixed(int64_t numDst, int64_t numSrc,
                                       bool isSquare) {
  GraphValue graph = {session.fresh("d"), "", 0, 0, 0, numDst, numSrc, 0, 0};
  graph.dst = scope.numExtents++;
  graph.src = isSquare ? graph.dst : scope.numExtents++;
  graph.edges = scope.numExtents++;
  scope.closed.insert(graph.edges);
  scope.fixedRows[graph.dst] = numDst;
  scope.fixedRows[graph.src] = numSrc;
  return graph;
}

std::string GraphConstructor::addList(llvm::ArrayRef<int64_t> numbers,
                                      const char *element, std::string &type) {
  std::string list;
  for (int64_t number : numbers)
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  std::string fixed = formatv("tensor<{0}x{1}>", numbers.size(), element);
  std::string name =
      addLine(formatv("arith.constant dense<{0}> : {1}",
                      list.empty() ? list : "[" + list + "]", fixed));
  type = fixed;
  if (random.chance(0.3))
    return name;
  type = formatv("tensor<?x{0}>", element);
  return addLine(formatv("tensor.cast {0} : {1} to {2}", name, fixed, type));
}

GraphValue GraphConstructor::makeCliques() {
  std::vector<int64_t> offsets = {0};
  int64_t largest = 1;
  for (int64_t k = random.between(1, 5); k > 0; --k) {
    const int64_t size = random.pick<int64_t>({0, 1, 2, random.between(3, 20)});
    offsets.push_back(offsets.back() + size);
    largest = std::max(largest, size);
  }
  if (offsets.back() == 0)
    offsets.push_back(1);
  const bool isCausal = random.chance(0.4), noSelf = random.chance(0.3);
  GraphValue graph = makeFixed(offsets.back(), offsets.back(), true);
  graph.maxInDegree = graph.maxOutDegree = largest;
  graph.type = formatv("!mp.graph<{0}cliques{1}>", isCausal ? "causal_" : "",
                       noSelf ? ", no_self" : "");
  std::string type, list = addList(offsets, "i64", type);
  scope.text += formatv("  {0} = mp.cliques {1}{2}{3} : {4} -> {5}\n",
                        graph.name, list, isCausal ? " causal" : "",
                        noSelf ? " no_self" : "", type, graph.type);
  session.record("mp.cliques", {});
  return graph;
}

/// mp.csr, mp.coo or mp.edge_list of the same random edges.
GraphValue GraphConstructor::makeOfList() {
  GraphPlan plan = makeGraphPlan(random, "sparse");
  if (plan.numDst == 0 || plan.numSrc == 0 || plan.dst.size() > 400)
    return makeCliques();
  GraphValue graph =
      makeFixed(plan.numDst, plan.numSrc,
                plan.numDst == plan.numSrc && random.chance(0.85));
  graph.maxInDegree = plan.getMaxInDegree();
  graph.maxOutDegree = plan.getMaxOutDegree();
  graph.type = random.chance(0.5) ? "!mp.graph" : "!mp.graph<sparse>";
  std::vector<int64_t> dst(plan.dst.begin(), plan.dst.end());
  std::vector<int64_t> src(plan.src.begin(), plan.src.end());
  static constexpr const char *kOps[] = {"edge_list", "coo", "csr"};
  const std::string op = kOps[random.below(3)];
  session.record("mp." + op, {});
  if (op == "edge_list") {
    std::string pairs;
    for (auto [i, j] : llvm::zip_equal(dst, src))
      pairs += formatv("{0}[{1}, {2}]", pairs.empty() ? "" : ", ", i, j);
    scope.text += formatv(
        "  {0} = mp.edge_list dense<{1}> : tensor<{2}x2xi32>, {3}, {4} : {5}\n",
        graph.name, pairs.empty() ? pairs : "[" + pairs + "]", dst.size(),
        plan.numDst, plan.numSrc, graph.type);
    return graph;
  }
  std::string sources =
      addLine(formatv("arith.constant {0} : index", plan.numSrc));
  std::string first, second, firstType, secondType;
  if (op == "coo") {
    first = addList(dst, "i32", firstType);
    second = addList(src, "i32", secondType);
    first += ", " + second;
    second = addLine(formatv("arith.constant {0} : index", plan.numDst));
  } else {
    std::vector<int64_t> order(dst.size()), indices,
        offsets(plan.numDst + 1, 0);
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return std::pair(dst[a], a) < std::pair(dst[b], b);
    });
    for (int64_t edge : order)
      indices.push_back(src[edge]);
    for (int64_t i : dst)
      ++offsets[i + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    first = addList(offsets, "i64", firstType);
    second = addList(indices, "i32", secondType);
  }
  scope.text +=
      formatv("  {0} = mp.{1} {2}, {3}, {4} : {5}, {6} -> {7}\n", graph.name,
              op, first, second, sources, firstType, secondType, graph.type);
  return graph;
}

GraphValue clique::smith::makeConstructed(Scope &scope,
                                          std::vector<std::string> &inputs) {
  GraphConstructor constructor(scope, inputs);
  switch (scope.session.random.weighted({3, 2, 4})) {
  case 0:
    return constructor.makeOfClass();
  case 1:
    return constructor.makeCliques();
  default:
    return constructor.makeOfList();
  }
}
