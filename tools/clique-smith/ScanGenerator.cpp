//===- ScanGenerator.cpp - Recurrences over the edges of a node -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps whose slope in the state is at most 1, so that rounding does not grow
// with the length of a row; any function where rows are short.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/LayerGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

/// Of rows that are no longer, a step may be any function.
static constexpr int64_t kShortRow = 8;

namespace {
/// The region of a scan: `edges` makes what depends on the edge alone, `all`
/// what depends on states as well.
struct ScanRegion {
  Random &random;
  RegionGenerator edges, all;
  llvm::ArrayRef<Value> states;
  int64_t longestRow;

  Value makeFloatStep(const Value &state);
  Value makeIntegerStep(const Value &state);
};
} // namespace

Value ScanRegion::makeFloatStep(const Value &state) {
  const Feature &type = state.type;
  if (longestRow <= kShortRow && random.chance(0.3))
    return all.unary("math.tanh", all.make(type), 1);
  Value x = edges.makeSmall(type, 2);
  // What a half cannot hold is no sum of it.
  const double sum = state.size + x.size * double(longestRow);
  const bool canAdd = type.element != Element::f16 || sum < 1000;
  switch (random.weighted({canAdd ? 2.0 : 0, 2, 1, 2, 1})) {
  case 0:
    return all.binary("arith.addf", state, x, sum);
  case 1: {
    Value gate = edges.unary("mp.sigmoid", edges.makeSmall(type, 2), 1);
    Value kept = all.binary("arith.mulf", gate, state, state.size);
    // The weights of a mean.
    Value rest = edges.binary("arith.subf", edges.splat(type, 1), gate, 1);
    Value added = all.binary("arith.mulf", rest, x, x.size);
    return all.binary("arith.addf", kept, added, state.size + x.size);
  }
  case 2:
    return all.binary(
        random.pick({"arith.maximumf", "arith.minimumf", "arith.maxnumf"}),
        state, x, std::max(state.size, x.size));
  case 3: {
    llvm::SmallVector<Value> alike;
    for (const Value &other : states)
      if (other.type == type)
        alike.push_back(other);
    const Value &from = random.pick<Value>(alike);
    Value half =
        all.binary("arith.mulf", from, all.splat(type, 0.5), from.size / 2);
    return all.binary("arith.addf", half, x, state.size + 2 * x.size);
  }
  default: {
    Value condition = edges.make(type.with(Element::i1));
    return all.emit("arith.select",
                    formatv("{0}, {1}, {2} : {3}, {4}", condition.name, x.name,
                            state.name, tensorType(condition.type),
                            tensorType(type)),
                    type, std::max(state.size, x.size));
  }
  }
}

Value ScanRegion::makeIntegerStep(const Value &state) {
  Value x = edges.makeSmall(state.type, 100);
  return random.chance(0.6)
             ? all.binary("arith.addi", state, x,
                          state.size + x.size * double(longestRow))
             : all.binary(random.pick({"arith.maxsi", "arith.xori"}), state, x,
                          2 * std::max(state.size, x.size));
}

void LayerGenerator::addScan(const GraphValue &graph) {
  if (scope.closed.count(graph.dst) && scope.pools[{graph.dst, false}].empty())
    return;
  std::vector<Value> from;
  for (unsigned k = random.weighted({6, 3}) + 1; k > 0; --k) {
    Value state = scope.pickFeature(graph.dst, false);
    const Element element = state.type.element;
    if (element == Element::i8 || element == Element::i1)
      state = scope.getFeature(state.type.with(session.usual), graph.dst,
                               /*isEdges=*/false);
    from.push_back(state);
  }
  Group given;
  for (unsigned k = random.weighted({6, 2}) + 1; k > 0; --k)
    given.values.push_back(
        {"", random.chance(0.4) ? from[0].type : makeFeature(), 1});
  addMessage(graph, given);
  for (const Value &value : from)
    scope.markUsed(value);
  for (const Value &value : given.values)
    scope.markUsed(value);

  std::vector<Value> states, values;
  std::string operands = " from" + bind(from, states, nodeType);
  operands += " edge" + bind(given.values, values, edgesType);
  std::vector<Value> arguments = states;
  arguments.insert(arguments.end(), values.begin(), values.end());
  const RegionGenerator::Options options = {0, int(random.below(4))};
  ScanRegion region = {
      random,
      RegionGenerator(session, scope.getWeightSource(), values, options),
      RegionGenerator(session, scope.getWeightSource(), arguments, options),
      states, graph.maxInDegree};

  std::vector<Value> yielded, results;
  for (const Value &state : states) {
    yielded.push_back(state.type.isFloat() ? region.makeFloatStep(state)
                                           : region.makeIntegerStep(state));
    results.push_back({session.fresh("r"), state.type, yielded.back().size});
    session.record("mp.scan", state.type);
  }
  const std::string nodeTypes = joinTypes(results, nodeType);
  std::vector<Value> made;
  for (unsigned k = random.weighted({4, 4, 1}); k > 0; --k) {
    yielded.push_back(region.all.makeSmall(
        random.chance(0.5) ? random.pick<Value>(states).type : makeFeature(),
        16));
    made.push_back(
        {session.fresh("m"), yielded.back().type, yielded.back().size});
    session.record("mp.scan edges", made.back().type);
  }
  std::vector<Value> names = results;
  names.insert(names.end(), made.begin(), made.end());
  scope.text += formatv(
      "  {0} = mp.scan {1}{2}{3} -> {4}{5} {{\n{6}{7}    mp.yield {8} : {9}\n"
      "  }\n",
      joinNames(names), graphText(graph), random.chance(0.4) ? " reversed" : "",
      operands, nodeTypes,
      made.empty() ? "" : ", " + joinTypes(made, edgesType),
      region.edges.getText(), region.all.getText(), joinNames(yielded),
      joinTypes(yielded, tensorType));
  define(results, graph.dst, false);
  define(made, graph.edges, true);
}
