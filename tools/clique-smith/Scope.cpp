//===- Scope.cpp - One function that is being written ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Scope.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

static std::string writeType(const Feature &type, Extent extent, bool isEdges) {
  return extent == kStatic ? tensorType(type)
         : isEdges         ? edgesType(type)
                           : nodeType(type);
}

GraphValue Scope::addGraph(const GraphPlan &plan) {
  GraphValue graph;
  unsigned count = 0;
  for (const Argument &argument : arguments)
    count += argument.extent == kGraph;
  graph.name = count ? "%g" + std::to_string(count) : "%g";
  graph.type = plan.type;
  graph.numDst = plan.numDst;
  graph.numSrc = plan.numSrc;
  graph.maxInDegree = plan.getMaxInDegree();
  graph.maxOutDegree = plan.getMaxOutDegree();
  graph.isAcyclic = plan.isAcyclic;
  graph.numEdges = int64_t(plan.dst.size());
  graph.dst = numExtents++;
  // A type without two sets of nodes says that there is one.
  const bool isSquare =
      llvm::StringRef(plan.type).contains_insensitive("complete") ||
      (plan.isSquare() && !llvm::StringRef(plan.type).contains("bipartite") &&
       session.random.chance(0.85));
  graph.src = isSquare || (plan.type != "!mp.graph" &&
                           !llvm::StringRef(plan.type).contains("bipartite") &&
                           !llvm::StringRef(plan.type).contains("sparse"))
                  ? graph.dst
                  : numExtents++;
  graph.edges = numExtents++;
  arguments.push_back({{graph.name, {}, 0}, kGraph, false, graph.type});
  return graph;
}

/// How large the integers are that a caller gives.
static double boundArgument(const Feature &type) {
  return type.isFloat()                ? 1
         : type.element == Element::i1 ? 1
         : type.element == Element::i8 ? 127
                                       : 20;
}

Value Scope::addFixedRows(const Feature &type, Extent extent) {
  const int64_t rows = fixedRows.at(extent);
  Feature whole = type;
  whole.shape.insert(whole.shape.begin(), rows);
  Value given = addArgument(whole, kStatic, false);
  Value value = {session.fresh("h"), type, given.size};
  text += formatv("  {0} = tensor.cast {1} : {2} to {3}\n", value.name,
                  given.name, tensorType(whole), nodeType(type));
  session.record("function: tensor.cast", type);
  pools[{extent, false}].push_back(value);
  return value;
}

Value Scope::addArgument(const Feature &type, Extent extent, bool isEdges) {
  if (fixedRows.count(extent) && !isEdges)
    return addFixedRows(type, extent);
  Value value = {session.fresh(extent == kStatic ? "w"
                               : isEdges         ? "e"
                                                 : "h"),
                 type, boundArgument(type)};
  arguments.push_back(
      {value, extent, isEdges, writeType(type, extent, isEdges)});
  if (extent == kStatic)
    weights.push_back(value);
  else
    pools[{extent, isEdges}].push_back(value);
  return value;
}

Value Scope::getWeight(const Feature &type) {
  std::vector<Value> known;
  for (const Value &weight : weights)
    if (weight.type == type)
      known.push_back(weight);
  if (!known.empty() && session.random.chance(0.4))
    return session.random.pick<Value>(known);
  Value weight = addArgument(type, kStatic, false);
  if (!type.isFloat() || !session.random.chance(0.06))
    return weight;
  // Weights may be computed, too.
  Value made = {session.fresh("t"), type, 1};
  text += formatv("  {0} = {1} {2} : {3}\n", made.name,
                  session.random.pick({"math.tanh", "arith.negf", "math.sin"}),
                  weight.name, tensorType(type));
  session.record("function-level", type);
  weights.push_back(made);
  return made;
}

Value Scope::getFeature(const Feature &type, Extent extent, bool isEdges) {
  std::vector<Value> known;
  for (const Value &value : pools[{extent, isEdges}])
    if (value.type == type)
      known.push_back(value);
  if (known.empty() || session.random.chance(0.2))
    return addArgument(type, extent, isEdges);
  Value value = session.random.pick<Value>(known);
  markUsed(value);
  return value;
}

Value Scope::pickFeature(Extent extent, bool isEdges) {
  std::vector<Value> &pool = pools[{extent, isEdges}];
  Random &random = session.random;
  if (!pool.empty() && (closed.count(extent) || random.chance(0.75))) {
    Value value = random.pick<Value>(pool);
    markUsed(value);
    return value;
  }
  Feature type = {makeShape(random, session.mostElements),
                  makeFloat(random, session.usual)};
  if (random.chance(0.12))
    type = {
        random.chance(0.6) ? Shape() : makeShape(random, 16),
        random.pick({Element::i32, Element::i64, Element::i8, Element::i1})};
  return addArgument(type, extent, isEdges);
}

void Scope::define(const Value &value, Extent extent, bool isEdges) {
  if (extent == kStatic)
    weights.push_back(value);
  else
    pools[{extent, isEdges}].push_back(value);
  defined.push_back(
      {value, extent, isEdges, writeType(value.type, extent, isEdges)});
}

void Scope::release(Mark mark) {
  pools = std::move(mark.pools);
  weights = std::move(mark.weights);
  defined.resize(mark.numDefined);
}

std::string Scope::finish(llvm::StringRef head,
                          std::vector<Argument> &results) {
  for (const Argument &value : defined)
    // An edge feature is stored only if it is returned: seldom.
    if (!used[value.value.name] && results.size() < 4 &&
        (!value.isEdges || session.random.chance(0.25)))
      results.push_back(value);
  if (results.empty())
    results.push_back(defined.back());
  // The same value twice.
  if (session.random.chance(0.02))
    results.push_back(results.front());

  std::string args, types, names;
  for (const Argument &argument : arguments)
    args +=
        (args.empty() ? "" : ", ") + argument.value.name + ": " + argument.type;
  for (const Argument &result : results) {
    types += (types.empty() ? "" : ", ") + result.type;
    names += (names.empty() ? "" : ", ") + result.value.name;
  }
  return formatv("{0}({1})\n    -> ({2}) {{\n{3}  return {4} : {2}\n}\n", head,
                 args, types, text, names);
}
