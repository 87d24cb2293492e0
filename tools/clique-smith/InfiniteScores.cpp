//===- InfiniteScores.cpp - Nodes all of whose scores are -inf ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmaxes of c_i + b_j where c_i is -inf for some nodes, of values that are
// infinite, large or neither. A score that is -inf for some sources has finite
// values beside it: by the weight 0 an infinite one is NaN.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"

using namespace clique::smith;

namespace {
class InfiniteScores {
public:
  InfiniteScores(Scope &scope, const GraphValue &graph)
      : scope(scope), session(scope.session), random(session.random),
        graph(graph) {}
  void add(bool isDifferentiated);

private:
  /// -inf where a number of the caller is below 0.
  Value mask(RegionWriter &writer, const Value &x) {
    const Value zero = writer.constant(x.type, "0.0");
    const Value lowest = writer.constant(x.type, getLowest(x.type.element));
    if (random.chance(0.5))
      return writer.select(writer.compare("olt", x, zero), lowest, x);
    return writer.select(writer.compare("oge", x, zero), x, lowest);
  }
  Value makeScore(RegionWriter &writer, const Feature &type,
                  bool mayLackSource);
  Value makeValue(RegionWriter &writer, const Feature &type, unsigned kind);

  Scope &scope;
  Session &session;
  Random &random;
  const GraphValue &graph;
};
} // namespace

Value InfiniteScores::makeScore(RegionWriter &writer, const Feature &type,
                                bool mayLackSource) {
  // Numbers of the caller: what is computed may be 0 but for rounding.
  const Value a = scope.addArgument(type, graph.dst, false);
  Value c;
  if (random.chance(0.3)) {
    RegionWriter before(scope);
    const Value own = before.ofDst(a);
    const Value masked = before.finishUpdate(mask(before, own));
    c = writer.ofDst(masked);
  } else {
    c = mask(writer, writer.ofDst(a));
  }
  Value b = writer.ofSrc(scope.addArgument(type, graph.src, false));
  if (mayLackSource)
    b = mask(writer, b);
  Value score = random.chance(0.5) ? writer.binary("arith.addf", c, b, 2)
                                   : writer.binary("arith.addf", b, c, 2);
  if (random.chance(0.3))
    score = writer.binary("arith.mulf", score, writer.constant(type, "1.5"), 3);
  return score;
}

Value InfiniteScores::makeValue(RegionWriter &writer, const Feature &type,
                                unsigned kind) {
  const Value x = writer.ofSrc(scope.addArgument(type, graph.src, false));
  if (kind == 0)
    return x;
  if (kind == 1)
    return writer.binary("arith.mulf", x,
                         writer.constant(type, type.element == Element::f16
                                                   ? "1.0e+4"
                                                   : "1.0e+30"),
                         1);
  // Infinite where x is not above 0.
  const Value zero = writer.constant(type, "0.0");
  const Value isPositive =
      writer.toFloat(writer.compare("ogt", x, zero), type.element);
  return writer.binary("arith.divf",
                       random.chance(0.5) ? writer.constant(type, "1.0")
                                          : writer.unary("math.absf", x, 1),
                       isPositive, 1);
}

void InfiniteScores::add(bool isDifferentiated) {
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  Feature scoreType = type;
  scoreType.shape.resize(random.below(int64_t(type.shape.size()) + 1));
  // Differences of infinite numbers say nothing.
  const unsigned kind =
      isDifferentiated ? 0 : unsigned(random.weighted({2, 2, 5}));
  static constexpr const char *kNames[] = {"finite", "large", "infinite"};
  session.record(std::string("rare: scores of -inf, ") + kNames[kind], type);
  scope.hasInfinities |= kind > 0;
  const bool mayLackSource = kind == 0 && random.chance(0.5);
  RegionWriter writer(scope);
  const Value score = makeScore(writer, scoreType, mayLackSource);
  const Value value = makeValue(writer, type, kind);
  const std::vector<Value> made = writer.finishMessage(graph, {score, value});
  const Value result =
      addAggregate(scope, graph, "softmax", made[1], made.data());
  if (kind == 0)
    scope.define(result, graph.dst, false);
  else
    scope.defineResult(result, graph.dst);
  if (random.chance(0.2))
    scope.define(addAggregate(scope, graph, "logsumexp", made[0]), graph.dst,
                 false);
}

void clique::smith::addInfiniteScores(Scope &scope, const GraphValue &graph,
                                      bool isDifferentiated) {
  InfiniteScores(scope, graph).add(isDifferentiated);
}
