//===- MessageChains.cpp - Messages of messages ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// m_{k+1} from m_k and m_{k-1}: there are twice as many ways to the first
// message with each step.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"

using namespace clique::smith;

namespace {
class MessageChain {
public:
  MessageChain(Scope &scope, const GraphValue &graph)
      : scope(scope), random(scope.session.random), graph(graph),
        type{makeShape(random, 8), scope.session.usual} {}
  void add();

private:
  void addFirst();
  void addNext(bool isLong);
  Value combine(RegionWriter &region, const Value &x, const Value &y);
  Value bound(RegionWriter &region, const Value &x);

  Scope &scope;
  Random &random;
  const GraphValue &graph;
  const Feature type;
  std::vector<Value> chain;
};
} // namespace

Value MessageChain::bound(RegionWriter &region, const Value &x) {
  if (x.size <= 1 && random.chance(0.6))
    return x;
  return region.unary(random.pick({"math.tanh", "math.sin", "mp.sigmoid"}), x,
                      1);
}

Value MessageChain::combine(RegionWriter &region, const Value &x,
                            const Value &y) {
  switch (random.below(4)) {
  case 0:
    return region.binary("arith.addf", x, y, x.size + y.size);
  case 1:
    return region.binary("arith.subf", x, y, x.size + y.size);
  case 2:
    return region.binary("arith.mulf", x, y, x.size * y.size);
  default:
    return region.binary("arith.maximumf", x, y, std::max(x.size, y.size));
  }
}

void MessageChain::addFirst() {
  RegionWriter region(scope);
  Value made = region.ofSrc(scope.getFeature(type, graph.src, false));
  if (random.chance(0.5))
    made = combine(region, made,
                   region.ofDst(scope.getFeature(type, graph.dst, false)));
  chain.push_back(region.finishMessage(graph, {bound(region, made)})[0]);
}

void MessageChain::addNext(bool isLong) {
  RegionWriter region(scope);
  const std::size_t count = chain.size();
  Value x = region.ofEdge(chain[count - 1]);
  // The one before, or one further away.
  Value y = x;
  if (count > 1)
    y = region.ofEdge(
        chain[isLong || random.chance(0.7) ? count - 2
                                           : random.below(int64_t(count) - 1)]);
  if (!isLong && !type.shape.empty() && random.chance(0.3))
    x = region.map(x);
  Value made = combine(region, x, y);
  if (random.chance(0.4))
    made = combine(region, made,
                   region.ofSrc(scope.getFeature(type, graph.src, false)));
  chain.push_back(region.finishMessage(graph, {bound(region, made)})[0]);
}

void MessageChain::add() {
  addFirst();
  // Of a long one no message reads a row of weights.
  const bool isLong = random.chance(0.1);
  const int64_t length = isLong ? random.between(18, 26) : random.between(3, 8);
  while (int64_t(chain.size()) < length)
    addNext(isLong);
  auto aggregate = [&](const Value &edges) {
    const char *kind =
        random.pick({getSum(scope.session), "mean", "max", "std"});
    scope.define(addAggregate(scope, graph, kind, edges), graph.dst, false);
  };
  aggregate(chain.back());
  if (random.chance(0.4))
    aggregate(random.pick<Value>(chain));
  if (random.chance(0.2))
    scope.define(random.pick<Value>(chain), graph.edges, true);
  scope.session.record(isLong ? "rare: long chain" : "rare: chain", type);
}

void clique::smith::addMessageChain(Scope &scope, const GraphValue &graph) {
  MessageChain(scope, graph).add();
}
