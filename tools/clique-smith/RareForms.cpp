//===- RareForms.cpp - What layers of a case seldom are -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/ShapeGenerator.h"

using namespace clique::smith;

void clique::smith::addFeatureChain(Scope &scope, const GraphValue &graph) {
  Session &session = scope.session;
  Random &random = session.random;
  // Of nodes, or a single vector.
  const bool isVector = random.chance(0.15);
  Feature type = {makeShape(random, session.mostElements), session.usual};
  if (type.shape.empty())
    type.shape.push_back(random.between(1, 8));
  Value x = isVector ? scope.getWeight(type)
                     : scope.getFeature(type, graph.dst, false);
  const int64_t length = random.between(2, 5);
  for (int64_t k = 0; k < length; ++k) {
    const Value next = addFeatureOp(scope, x, graph.dst, isVector);
    x = next;
    // What is a number by now has few ops.
    if (x.type.shape.empty())
      break;
  }
  session.record(
      isVector ? "rare: feature ops of a vector" : "rare: feature ops", x.type);
  scope.define(x, isVector ? kStatic : graph.dst, false);
}

void clique::smith::addRareForm(Scope &scope, const GraphValue &graph,
                                bool isDifferentiated) {
  // Nothing says how many rows an argument would have.
  if (scope.closed.count(graph.dst) || scope.closed.count(graph.src))
    return;
  switch (scope.session.random.weighted({4, 2, 4, 2, 2})) {
  case 0:
    return addRowSums(scope, graph);
  case 1:
    return addMessageChain(scope, graph);
  case 2:
    return addPoles(scope, graph);
  case 3:
    return addInfiniteScores(scope, graph, isDifferentiated);
  default:
    return addFeatureChain(scope, graph);
  }
}
