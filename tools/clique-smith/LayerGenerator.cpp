//===- LayerGenerator.cpp - Messages, aggregations and updates ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/LayerGenerator.h"
#include "tools/clique-smith/MonoidGenerator.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace clique::smith;
using llvm::formatv;

std::string LayerGenerator::graphText(const GraphValue &graph) const {
  return graph.name + " : " + graph.type;
}

Feature LayerGenerator::makeFeature() {
  return {makeShape(random, session.mostElements),
          makeFloat(random, session.usual)};
}

void LayerGenerator::define(llvm::ArrayRef<Value> results, Extent extent,
                            bool isEdges) {
  for (const Value &result : results)
    scope.define(result, extent, isEdges);
}

std::string LayerGenerator::bind(llvm::ArrayRef<Value> from,
                                 std::vector<Value> &arguments,
                                 std::string (*write)(const Feature &)) {
  std::string text;
  for (const Value &value : from) {
    arguments.push_back({session.fresh("a"), value.type, value.size});
    text += formatv("{0}{1} = {2} : {3}", text.empty() ? "(" : ", ",
                    arguments.back().name, value.name, write(value.type));
  }
  return text + ")";
}

std::vector<Value>
LayerGenerator::pickOperands(Extent extent, bool isEdges,
                             llvm::ArrayRef<double> weights) {
  std::vector<Value> operands;
  if (scope.closed.count(extent) && scope.pools[{extent, isEdges}].empty())
    return {};
  for (unsigned k = random.weighted(weights); k > 0; --k)
    operands.push_back(scope.pickFeature(extent, isEdges));
  return operands;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LayerGenerator::Group LayerGenerator::makeGroup() {
  static constexpr const char *kKinds[] = {
      "sum", "mean", "max", "min", "std", "softmax", "custom", "logsumexp", ""};
  Group group;
  group.kind = kKinds[random.weighted({4, 2, 1.5, 1, 1, 5, 3, 0.7, 0.7})];
  const unsigned count = random.weighted({8, 1.5}) + 1;
  for (unsigned k = 0; k < count; ++k) {
    Feature type = makeFeature();
    if ((group.kind == "custom" || group.kind.empty()) && random.chance(0.1))
      type.element = random.pick({Element::i32, Element::i64});
    if (group.kind == "softmax" && k > 0)
      type.element = group.values[0].type.element;
    group.values.push_back({"", type, 1});
  }
  if (group.kind != "softmax")
    return group;
  // The score has leading dimensions of all values.
  Feature score = group.values[0].type;
  score.shape.resize(random.below(int64_t(score.shape.size()) + 1));
  if (count == 2)
    for (unsigned dim = 0; dim < score.shape.size(); ++dim) {
      Shape &other = group.values[1].type.shape;
      if (dim < other.size())
        other[dim] = score.shape[dim];
      else
        other.push_back(score.shape[dim]);
    }
  group.score = Value{"", score, 1};
  group.isMasked = random.chance(0.1);
  return group;
}

/// A score that is -inf for some edges, by their positions.
static Value maskScore(RegionGenerator &region, const Value &score) {
  Value condition = region.make({{}, Element::i1});
  Value wide = condition;
  if (!score.type.shape.empty())
    wide = region.emit("mp.broadcast",
                       formatv("{0} : {1} to {2}", condition.name,
                               tensorType(condition.type),
                               tensorType(score.type.with(Element::i1))),
                       score.type.with(Element::i1), 1);
  Value low =
      region.emit("arith.constant",
                  formatv("dense<{0}> : {1}", getLowest(score.type.element),
                          tensorType(score.type)),
                  score.type, 1);
  return region.emit("arith.select",
                     formatv("{0}, {1}, {2} : {3}, {4}", wide.name, score.name,
                             low.name, tensorType(wide.type),
                             tensorType(score.type)),
                     score.type, score.size);
}

void LayerGenerator::addMessage(const GraphValue &graph,
                                llvm::MutableArrayRef<Group> groups) {
  std::vector<Value> dst = pickOperands(graph.dst, false, {3, 6, 1.5});
  std::vector<Value> src = pickOperands(graph.src, false, {1, 7, 2});
  std::vector<Value> edges = pickOperands(graph.edges, true, {7, 2.5, 0.5});
  addMessage(graph, groups, dst, src, edges,
             int(random.weighted({1, 3, 3, 2, 2, 1, 0.5, 0.3})));
}

void LayerGenerator::addMessage(const GraphValue &graph,
                                llvm::MutableArrayRef<Group> groups,
                                llvm::ArrayRef<Value> dst,
                                llvm::ArrayRef<Value> src,
                                llvm::ArrayRef<Value> edges, int budget) {
  for (const Value &value : llvm::concat<const Value>(dst, src, edges))
    scope.linked.insert(value.name);
  std::vector<Value> arguments;
  std::string operands;
  if (!dst.empty())
    operands += " dst" + bind(dst, arguments, nodeType);
  if (!src.empty())
    operands += " src" + bind(src, arguments, nodeType);
  if (!edges.empty())
    operands += " edge" + bind(edges, arguments, edgesType);

  RegionGenerator region(session, scope.getWeightSource(), arguments,
                         {std::max(graph.numDst, graph.numSrc), budget});
  std::vector<Value> yielded, results;
  auto add = [&](Value &value, const Value &made) {
    yielded.push_back(made);
    value.name = session.fresh("m");
    value.size = made.size;
    results.push_back(value);
  };
  for (Group &group : groups) {
    for (Value &value : group.values)
      add(value, region.makeSmall(value.type, 16));
    if (!group.score)
      continue;
    add(*group.score, region.makeSmall(group.score->type, 6));
  }
  // Last: nothing else picks what is infinite.
  for (auto [result, value] : llvm::zip_equal(results, yielded))
    for (const Group &group : groups)
      if (group.isMasked && group.score->name == result.name)
        value = maskScore(region, value);
  scope.text += formatv(
      "  {0} = mp.message {1}{2} -> {3} {{\n{4}    mp.yield {5} : {6}\n  }\n",
      joinNames(results), graphText(graph), operands,
      joinTypes(results, edgesType), region.getText(), joinNames(yielded),
      joinTypes(yielded, tensorType));
  for (const Value &result : results)
    session.record("mp.message", result.type);
  // A masked score is for its softmax only.
  for (const Group &group : groups) {
    define(group.values, graph.edges, true);
    if (group.score && !group.isMasked)
      scope.define(*group.score, graph.edges, true);
  }
}

//===----------------------------------------------------------------------===//
// Aggregations
//===----------------------------------------------------------------------===//

void LayerGenerator::aggregateCustom(const GraphValue &graph,
                                     llvm::ArrayRef<Value> values) {
  Monoid monoid =
      makeMonoid(session, scope.getWeightSource(), values, graph.maxInDegree);
  std::vector<Value> results;
  results.reserve(monoid.results.size());
  for (const Feature &type : monoid.results)
    results.push_back({session.fresh("r"), type, monoid.size});
  scope.text +=
      formatv("  {0} = mp.aggregate {1} custom {2} : ({3}) -> ({4})\n{5}",
              joinNames(results), graphText(graph), joinNames(values),
              joinTypes(values, edgesType), joinTypes(results, nodeType),
              monoid.regions);
  define(results, graph.dst, false);
}

void LayerGenerator::aggregateBuiltIn(const GraphValue &graph,
                                      const std::string &kind,
                                      const Group &group) {
  std::vector<Value> results, operands;
  std::string name = kind;
  if (kind == "softmax") {
    name += "(" + group.score->name + ")";
    operands.push_back(*group.score);
  }
  operands.insert(operands.end(), group.values.begin(), group.values.end());
  for (const Value &value : group.values) {
    results.push_back({session.fresh("r"), value.type, value.size});
    if (kind == "sum")
      results.back().size *= double(std::max<int64_t>(1, graph.maxInDegree));
    session.record("mp.aggregate " + kind, value.type);
  }
  if (kind == "softmax" && random.chance(0.15)) {
    // Its log-sum-exp.
    const Feature &type = group.score->type;
    results.push_back({session.fresh("r"), type, group.score->size + 8});
    session.record("mp.aggregate softmax logsumexp", type);
    if (random.chance(0.3)) {
      // By a softmax without values as well.
      const Value alone = {session.fresh("r"), type, results.back().size};
      scope.text +=
          formatv("  {0} = mp.aggregate {1} {2} : ({3}) -> ({4})\n", alone.name,
                  graphText(graph), name, joinTypes({*group.score}, edgesType),
                  joinTypes({alone}, nodeType));
      define({alone}, graph.dst, false);
    }
  }
  scope.text += formatv("  {0} = mp.aggregate {1} {2} {3} : ({4}) -> ({5})\n",
                        joinNames(results), graphText(graph), name,
                        joinNames(group.values), joinTypes(operands, edgesType),
                        joinTypes(results, nodeType));
  // What has the values' type is last: a loop carries it on.
  std::rotate(results.begin(), results.begin() + int(group.values.size()),
              results.end());
  define(results, graph.dst, false);
}

void LayerGenerator::aggregate(const GraphValue &graph, Group &group) {
  if (group.kind.empty())
    return;
  for (const Value &value : group.values)
    scope.markUsed(value);
  if (group.score)
    scope.markUsed(*group.score);
  if (group.kind == "custom") {
    for (const Value &value : group.values)
      session.record("mp.aggregate custom", value.type);
    return aggregateCustom(graph, group.values);
  }
  for (const Value &value : group.values)
    // What a half cannot hold is no sum of it.
    if (group.kind == "sum" && value.type.element == Element::f16 &&
        value.size * double(graph.maxInDegree) > 1000)
      group.kind = "mean";
  aggregateBuiltIn(graph, group.kind, group);
  // Several aggregators of one message.
  static constexpr const char *kOthers[] = {"sum", "mean", "max",
                                            "min", "std",  "logsumexp"};
  while (random.chance(0.2)) {
    const std::string other = kOthers[random.below(std::size(kOthers))];
    if (other != group.kind && other != "sum")
      aggregateBuiltIn(graph, other, group);
  }
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void LayerGenerator::addLayer(const GraphValue &graph) {
  std::vector<Group> groups;
  for (unsigned k = random.weighted({8, 2, 0.5}) + 1; k > 0; --k)
    groups.push_back(makeGroup());
  if (groups.size() > 1 && random.chance(0.5)) {
    // Messages of their own; the later ones may read the values of the first.
    for (Group &group : groups)
      addMessage(graph, group);
  } else {
    addMessage(graph, groups);
  }
  for (Group &group : groups)
    aggregate(graph, group);
  // Edge features of the caller, or of an earlier message.
  if (!scope.closed.count(graph.edges) && random.chance(0.15)) {
    Group given;
    given.kind = random.pick({"sum", "mean", "max", "std", "custom"});
    given.values.push_back(scope.pickFeature(graph.edges, true));
    const Element element = given.values[0].type.element;
    if (element == Element::i32 || element == Element::i64)
      given.kind = "custom";
    if (element != Element::i8 && element != Element::i1)
      aggregate(graph, given);
  }
  if (random.chance(0.35))
    addUpdate(graph.dst);
}

void LayerGenerator::addLinks(const GraphValue &graph) {
  std::vector<Value> dst, src, edges;
  for (const Argument &argument : scope.arguments) {
    if (argument.extent < 0 || scope.linked.count(argument.value.name))
      continue;
    if (argument.isEdges && argument.extent == graph.edges)
      edges.push_back(argument.value);
    else if (argument.extent == graph.dst)
      dst.push_back(argument.value);
    else if (argument.extent == graph.src)
      src.push_back(argument.value);
  }
  if (dst.empty() && src.empty() && edges.empty())
    return;
  Group group;
  group.kind = "mean";
  // Nothing but what counts the rows.
  group.values.push_back(
      {"", {makeShape(random, 4), makeFloat(random, session.usual)}, 1});
  addMessage(graph, group, dst, src, edges, /*budget=*/1);
  aggregate(graph, group);
}

void LayerGenerator::addUpdate(Extent extent) {
  std::vector<Value> nodes = pickOperands(extent, false, {0, 4, 4, 1});
  std::vector<Value> arguments, results, yielded;
  std::string operands = bind(nodes, arguments, nodeType);
  RegionGenerator region(session, scope.getWeightSource(), arguments,
                         {0, int(random.weighted({1, 3, 3, 2, 1, 0.5}))});
  for (unsigned k = random.weighted({7, 2}) + 1; k > 0; --k) {
    yielded.push_back(region.makeSmall(makeFeature(), 16));
    results.push_back(
        {session.fresh("u"), yielded.back().type, yielded.back().size});
    session.record("mp.update", yielded.back().type);
  }
  scope.text += formatv(
      "  {0} = mp.update {1} -> {2} {{\n{3}    mp.yield {4} : {5}\n  }\n",
      joinNames(results), operands,
      results.size() == 1 ? joinTypes(results, nodeType)
                          : "(" + joinTypes(results, nodeType) + ")",
      region.getText(), joinNames(yielded), joinTypes(yielded, tensorType));
  define(results, extent, false);
}
