//===- NodeNumbers.cpp - Integers of each node ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Segments of nodes, and rows of tables by number.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

/// How many destinations there are.
static std::string addDestinationCount(Scope &scope, const GraphValue &graph) {
  const std::string count = scope.session.fresh("n");
  scope.text +=
      formatv("  {0} = mp.num_dst {1} : {2}\n", count, graph.name, graph.type);
  return count;
}

/// Their numbers, or an argument.
static Value makeNumbers(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  const Feature type = {{}, session.random.pick({Element::i32, Element::i64})};
  if (session.random.chance(0.7))
    return scope.getFeature(type, graph.dst, false);
  const Value numbers = {session.fresh("s"), type, double(graph.numDst)};
  const std::string count = addDestinationCount(scope, graph);
  scope.text += formatv("  {0} = mp.node_numbers {1} : {2}\n", numbers.name,
                        count, nodeType(type));
  session.record("mp.node_numbers", type);
  return numbers;
}

void clique::smith::addNodeLookup(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  Random &random = session.random;
  const Value numbers = makeNumbers(scope, graph);
  Value table;
  std::string type;
  if (random.chance(0.4)) {
    // Without sources there is no row, which is an error.
    table = scope.pickFeature(graph.src, false);
    type = nodeType(table.type);
    scope.mayBeRefused |= graph.numSrc == 0;
  } else {
    Feature rows = {makeShape(random, session.mostElements), session.usual};
    const Feature one = rows;
    rows.shape.insert(rows.shape.begin(), random.between(1, 12));
    table = scope.getWeight(rows);
    table.type = one;
    type = tensorType(rows);
  }
  const Value result = {session.fresh("f"), table.type, table.size};
  scope.text += formatv("  {0} = mp.lookup {1}[{2}] : {3}, {4} -> {5}\n",
                        result.name, table.name, numbers.name, type,
                        nodeType(numbers.type), nodeType(result.type));
  session.record("function: mp.lookup", result.type);
  scope.define(result, graph.dst, false);
}

Value clique::smith::addSegments(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  Random &random = session.random;
  const Feature type = {{}, random.pick({Element::i32, Element::i64})};
  if (random.chance(0.3))
    return scope.getFeature(type, graph.dst, false);
  std::string offsets = "0", numbers;
  int64_t number = random.between(-3, 3), past = 0;
  const int64_t parts = random.between(1, 6);
  for (int64_t k = 1; k <= parts; ++k) {
    past = k == parts ? graph.numDst : random.between(past, graph.numDst);
    offsets += ", " + std::to_string(past);
    numbers += (k == 1 ? "" : ", ") + std::to_string(number);
    number += random.between(0, 2);
  }
  const std::string element = getName(type.element), fixed = session.fresh("o"),
                    open = session.fresh("o");
  scope.text +=
      formatv("  {0} = arith.constant dense<[{1}]> : tensor<{2}xi64>\n"
              "  {3} = tensor.cast {0} : tensor<{2}xi64> to tensor<?xi64>\n",
              fixed, offsets, parts + 1, open);
  const Value segments = {session.fresh("s"), type, double(2 * parts)};
  const std::string count = addDestinationCount(scope, graph);
  if (random.chance(0.3)) {
    scope.text +=
        formatv("  {0} = mp.part_numbers {1} to {2} : tensor<?xi64> -> {3}\n",
                segments.name, open, count, nodeType(type));
    session.record("mp.part_numbers", type);
    return segments;
  }
  const std::string each = session.fresh("o"), some = session.fresh("o");
  scope.text +=
      formatv("  {0} = arith.constant dense<[{1}]> : tensor<{2}x{3}>\n"
              "  {4} = tensor.cast {0} : tensor<{2}x{3}> to tensor<?x{3}>\n",
              each, numbers, parts, element, some);
  scope.text +=
      formatv("  {0} = mp.spread {1} {2} to {3} : (tensor<?xi64>, "
              "tensor<?x{4}>) -> {5}\n",
              segments.name, open, some, count, element, nodeType(type));
  session.record("mp.spread", type);
  return segments;
}
