//===- LoopGenerator.cpp - Layers in loops --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer some times over, and a layer level by level of an acyclic graph.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/LayerGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

Value LayerGenerator::combine(const Value &own, const Value &received) {
  std::vector<Value> arguments;
  std::string operands = bind({own, received}, arguments, nodeType);
  RegionGenerator region(session, scope.getWeightSource(), arguments, {0, 2});
  Value next = region.makeSmall(own.type, 4);
  Value result = {session.fresh("u"), own.type, 4};
  scope.text += formatv(
      "  {0} = mp.update {1} -> {2} {{\n{3}    mp.yield {4} : {5}\n  }\n",
      result.name, operands, nodeType(result.type), region.getText(), next.name,
      tensorType(result.type));
  return result;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value LayerGenerator::addStep(const GraphValue &graph, const Value &before) {
  Group group;
  group.kind = random.pick({"mean", "max", "softmax", "std"});
  group.values.push_back({"", before.type, 1});
  if (group.kind == "softmax")
    group.score = Value{"", {{}, before.type.element}, 1};
  std::vector<Value> dst;
  if (random.chance(0.5))
    dst.push_back(before);
  addMessage(graph, group, dst, before, {}, int(random.below(3)));
  aggregate(graph, group);
  Value received = {scope.getLast().name, before.type, 16};
  return random.chance(0.4) ? received : combine(before, received);
}

/// The rows [first, first + count) of a feature of nodes, as a slice says it.
static std::string describeRows(const std::string &first,
                                const std::string &count, const Feature &type) {
  std::string zeros, sizes, steps;
  for (int64_t size : type.shape) {
    zeros += ", 0";
    sizes += ", " + std::to_string(size);
    steps += ", 1";
  }
  return formatv("[{0}{1}] [{2}{3}] [1{4}]", first, zeros, count, sizes, steps);
}

Value LayerGenerator::addFixedRow(const Value &outer, const Value &own) {
  const std::string position = session.fresh("c"), row = session.fresh("r");
  const Value result = {session.fresh("u"), own.type, own.size + outer.size};
  scope.mayBeRefused = true;
  scope.text +=
      formatv("  {0} = arith.constant {1} : index\n"
              "  {2} = tensor.extract_slice {3}{4} : {5} to {6}\n",
              position, random.pick({0, 0, 0, 1, 2, 5, 1000000000}), row,
              outer.name, describeRows(position, "1", outer.type),
              nodeType(outer.type), tensorType(outer.type));
  session.record("function: tensor.extract_slice of a row", outer.type);
  scope.text += formatv("  {0} = mp.update (%own = {1} : {2}) -> {2} {{\n"
                        "    %sum = arith.addf %own, {3} : {4}\n"
                        "    mp.yield %sum : {4}\n  }\n",
                        result.name, own.name, nodeType(own.type), row,
                        tensorType(own.type));
  return result;
}

void LayerGenerator::addLoop(const GraphValue &graph) {
  if (!graph.isSquare())
    return;
  Value first = scope.pickFeature(graph.dst, false);
  if (!first.type.isFloat())
    return;
  scope.markUsed(first);
  Value carried = {session.fresh("x"), first.type, 16};
  std::string zero = session.fresh("c"), one = session.fresh("c"),
              most = session.fresh("c"), count = session.fresh("k");
  Scope::Mark mark = scope.mark();
  std::string before = std::move(scope.text);
  scope.text.clear();
  Value last = addStep(graph, carried);
  if (random.chance(0.3))
    last = addFixedRow(first, last);
  std::string body = std::move(scope.text);
  scope.release(std::move(mark));
  Value result = {session.fresh("z"), first.type, 16};
  scope.text = before;
  scope.text += formatv("  {0} = arith.constant 0 : index\n"
                        "  {1} = arith.constant 1 : index\n"
                        "  {2} = arith.constant {3} : index\n",
                        zero, one, most, random.below(4));
  // Whether there is a step the compiler does not know: a graph may have no
  // edges.
  if (random.chance(0.5)) {
    const std::string edges = session.fresh("c"), known = most;
    most = session.fresh("c");
    scope.text += formatv("  {0} = mp.num_edges {1} : {2}\n"
                          "  {3} = arith.minsi {0}, {4} : index\n",
                          edges, graph.name, graph.type, most, known);
    session.record("mp.num_edges", {});
  }
  scope.text +=
      formatv("  {0} = scf.for {1} = {2} to {3} step {4} iter_args({5} = {6}) "
              "-> ({7}) {{\n{8}",
              result.name, count, zero, most, one, carried.name, first.name,
              nodeType(first.type), body)
          .str() +
      formatv("  scf.yield {0} : {1}\n  }\n", last.name, nodeType(first.type))
          .str();
  session.record("scf.for", first.type);
  scope.define(result, graph.dst, false);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

Value LayerGenerator::addLevel(const GraphValue &dag, const std::string &first,
                               const std::string &count, const Value &all,
                               const std::optional<Value> &edges) {
  const std::string part = describeRows(first, count, all.type);
  GraphValue level = dag;
  level.name = session.fresh("d");
  level.dst = scope.numExtents++;
  level.edges = scope.numExtents++;
  const std::string numbers = session.fresh("n");
  const Value own = {session.fresh("x"), all.type, 16};
  scope.text += formatv("  {0}, {1} = mp.rows {2}, {3}, {4} : {5}\n",
                        level.name, numbers, dag.name, first, count, dag.type);
  scope.text += formatv("  {0} = tensor.extract_slice {1}{2} : {3} to {3}\n",
                        own.name, all.name, part, nodeType(all.type));
  session.record("mp.rows", {});
  std::vector<Value> given;
  if (edges) {
    given.push_back({session.fresh("e"), edges->type, edges->size});
    scope.text +=
        formatv("  {0} = mp.lookup {1}[{2}] : {3}, tensor<?xi64> -> {3}\n",
                given[0].name, edges->name, numbers, edgesType(edges->type));
    session.record("function: mp.lookup edges", edges->type);
  }
  Group group;
  group.kind = random.pick({"mean", "max", "softmax", "min"});
  group.values.push_back({"", all.type, 1});
  if (group.kind == "softmax")
    group.score = Value{"", {{}, all.type.element}, 1};
  std::vector<Value> dst;
  if (random.chance(0.5))
    dst.push_back(own);
  addMessage(level, group, dst, all, given, int(random.below(3)));
  aggregate(level, group);
  const Value next = combine(own, {scope.getLast().name, all.type, 16});
  const Value result = {session.fresh("z"), all.type, 16};
  scope.text +=
      formatv("  {0} = tensor.insert_slice {1} into {2}{3} : {4} into {4}\n",
              result.name, next.name, all.name, part, nodeType(all.type));
  return result;
}

void LayerGenerator::addLevels(const GraphValue &graph) {
  if (!graph.isSquare() || !graph.isAcyclic)
    return;
  const Value given = scope.pickFeature(graph.dst, false);
  if (!given.type.isFloat())
    return;
  scope.markUsed(given);
  std::optional<Value> edges;
  if (!scope.closed.count(graph.edges) && random.chance(0.4))
    edges = scope.pickFeature(graph.edges, true);
  if (edges)
    scope.markUsed(*edges);
  GraphValue dag = graph;
  dag.name = session.fresh("d");
  auto fresh = [&](const char *prefix) { return session.fresh(prefix); };
  const std::string type = nodeType(given.type), nodes = fresh("n"),
                    places = fresh("n"), offsets = fresh("o"),
                    start = fresh("x"), zero = fresh("c"), one = fresh("c"),
                    entries = fresh("c"), most = fresh("c"), k = fresh("k"),
                    next = fresh("k"), begin = fresh("k"), end = fresh("k"),
                    first = fresh("k"), past = fresh("k"), count = fresh("k"),
                    all = fresh("z");
  const Value carried = {fresh("x"), given.type, 16};
  scope.text +=
      formatv("  {0}, {1}, {2}, {3} = mp.levels {4} : {5}\n", dag.name, nodes,
              places, offsets, graph.name, graph.type);
  scope.text +=
      formatv("  {0} = mp.lookup {1}[{2}] : {3}, tensor<?xi32> -> {3}\n", start,
              given.name, nodes, type);
  scope.text += formatv("  {0} = arith.constant 0 : index\n"
                        "  {1} = arith.constant 1 : index\n"
                        "  {2} = tensor.dim {3}, {0} : tensor<?xi64>\n"
                        "  {4} = arith.subi {2}, {1} : index\n",
                        zero, one, entries, offsets, most);
  Scope::Mark mark = scope.mark();
  std::string before = std::move(scope.text);
  scope.text = formatv("  {0} = arith.addi {1}, {2} : index\n"
                       "  {3} = tensor.extract {4}[{1}] : tensor<?xi64>\n"
                       "  {5} = tensor.extract {4}[{0}] : tensor<?xi64>\n",
                       next, k, one, begin, offsets, end);
  scope.text += formatv("  {0} = arith.index_cast {1} : i64 to index\n"
                        "  {2} = arith.index_cast {3} : i64 to index\n"
                        "  {4} = arith.subi {2}, {0} : index\n",
                        first, begin, past, end, count);
  const Value last = addLevel(dag, first, count, carried, edges);
  const std::string body = std::move(scope.text);
  scope.release(std::move(mark));
  const Value result = {fresh("z"), given.type, 16};
  scope.text = before;
  scope.text +=
      formatv("  {0} = scf.for {1} = {2} to {3} step {4} iter_args({5} "
              "= {6}) -> ({7}) {{\n{8}",
              all, k, zero, most, one, carried.name, start, type, body);
  scope.text += formatv("  scf.yield {0} : {1}\n  }\n", last.name, type);
  scope.text +=
      formatv("  {0} = mp.lookup {1}[{2}] : {3}, tensor<?xi32> -> {3}\n",
              result.name, all, places, type);
  session.record("mp.levels", given.type);
  scope.define(result, graph.dst, false);
}
