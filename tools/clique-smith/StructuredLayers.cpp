//===- StructuredLayers.cpp - Layers with a form that passes look for -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What chance alone seldom makes: masks that are causal graphs or windows,
// products of something of the source and something of the destination, weights
// of edges that sum to 1, and products over edges.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/StructuredLayers.h"
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

namespace {
class StructuredLayer {
public:
  StructuredLayer(Scope &scope, const GraphValue &graph)
      : scope(scope), session(scope.session), random(session.random),
        graph(graph) {
    ends = {Value{session.fresh("a"), {}, 0}, Value{session.fresh("a"), {}, 0}};
    const Value features[] = {pickFloat(graph.dst), pickFloat(graph.src)};
    for (auto [end, feature] : llvm::zip(ends, features)) {
      end.type = feature.type;
      end.size = feature.size;
      scope.linked.insert(feature.name);
    }
    for (auto [k, end] : llvm::enumerate(ends))
      atEnds[k] = formatv("{0} = {1} : {2}", end.name, features[k].name,
                          nodeType(features[k].type));
  }

  void masked();
  void separable();
  void weighted();
  void mixture();
  void product();
  void winning();

private:
  Value pickFloat(Extent extent) {
    return scope.getFeature(
        {makeShape(random, session.mostElements), session.usual}, extent,
        false);
  }
  /// From both ends, or from one alone.
  RegionGenerator region(std::vector<Value> from, int budget) {
    return RegionGenerator(session, scope.getWeightSource(), std::move(from),
                           {0, budget});
  }
  /// One line of a region.
  Value line(const std::string &text, const Feature &type, double size) {
    Value value = {session.fresh(), type, size};
    body += "    " + value.name + " = " + text + "\n";
    return value;
  }
  Value broadcast(const Value &x, const Shape &shape) {
    const Feature wide = {shape, x.type.element};
    return shape == x.type.shape
               ? x
               : line(formatv("mp.broadcast {0} : {1} to {2}", x.name,
                              tensorType(x.type), tensorType(wide)),
                      wide, x.size);
  }
  Value constant(const Feature &type, const std::string &number) {
    return line(
        formatv("arith.constant dense<{0}> : {1}", number, tensorType(type)),
        type, 1);
  }
  Value multiply(const Value &x, const Value &y) {
    return line(formatv("arith.mulf {0}, {1} : {2}", x.name, y.name,
                        tensorType(x.type)),
                x.type, x.size * y.size);
  }
  Value takeArgument(const Feature &type);
  Value computeExactly(const Feature &type);
  /// Binds a feature of one end; returns the region's argument.
  Value bindEnd(unsigned end, const Value &feature);
  Value compareSegments();
  /// Whether an edge is on the near side of a diagonal, or between two.
  Value comparePositions();
  /// What a mask leaves.
  Value makeCondition();
  void finishMessage(llvm::ArrayRef<Value> yielded,
                     const std::string &otherOperands = "");
  void aggregate(const std::string &kind, const Value &edges,
                 const std::string &score = "", const Feature &scoreType = {});
  std::string graphText() const { return graph.name + " : " + graph.type; }

  Scope &scope;
  Session &session;
  Random &random;
  const GraphValue &graph;
  std::vector<Value> ends; ///< of the destination, of the source
  std::string atEnds[2];   ///< what is bound there
  std::string body;
  std::vector<Value> made; ///< the message's results
};
} // namespace

void StructuredLayer::finishMessage(llvm::ArrayRef<Value> yielded,
                                    const std::string &otherOperands) {
  made.clear();
  for (const Value &value : yielded)
    made.push_back({session.fresh("m"), value.type, value.size});
  scope.text += formatv(
      "  {0} = mp.message {1} dst({2}) src({3}){4} -> {5} {{\n{6}    mp.yield "
      "{7} : {8}\n  }\n",
      joinNames(made), graphText(), atEnds[0], atEnds[1], otherOperands,
      joinTypes(made, edgesType), body, joinNames(yielded),
      joinTypes(yielded, tensorType));
  body.clear();
}

void StructuredLayer::aggregate(const std::string &kind, const Value &edges,
                                const std::string &score,
                                const Feature &scoreType) {
  Value result = {session.fresh("r"), edges.type, edges.size};
  if (kind == "sum")
    result.size *= double(std::max<int64_t>(1, graph.maxInDegree));
  scope.text += formatv(
      "  {0} = mp.aggregate {1} {2}{3} {4} : ({5}{6}) -> {7}\n", result.name,
      graphText(), kind, score.empty() ? "" : "(" + score + ")", edges.name,
      score.empty() ? "" : edgesType(scoreType) + ", ", edgesType(edges.type),
      nodeType(result.type));
  session.record("mp.aggregate " + kind, edges.type);
  scope.define(result, graph.dst, false);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value StructuredLayer::comparePositions() {
  const Feature index = {{}, Element::i32}, truth = {{}, Element::i1};
  Value i = line("mp.position dst : tensor<i32>", index, 0),
        j = line("mp.position src : tensor<i32>", index, 0);
  auto compare = [&](const char *predicate, const Value &x, const Value &y) {
    return line(formatv("arith.cmpi {0}, {1}, {2} : tensor<i32>", predicate,
                        x.name, y.name),
                truth, 1);
  };
  auto subtract = [&](const Value &x, const Value &y) {
    return line(formatv("arith.subi {0}, {1} : tensor<i32>", x.name, y.name),
                index, 0);
  };
  auto number = [&](int64_t n) { return constant(index, std::to_string(n)); };
  static constexpr const char *kOrders[] = {"sle", "slt", "sge", "sgt", "ne"};
  const char *order = kOrders[random.weighted({4, 2, 1, 1, 1})];
  const int64_t width = random.between(0, 9);
  switch (random.weighted({4, 2, 2})) {
  case 0:
    return compare(order, j, i);
  case 1: { // |i - j| <= width
    Value distance = subtract(i, j);
    distance =
        line(formatv("math.absi {0} : tensor<i32>", distance.name), index, 0);
    return compare("sle", distance, number(width));
  }
  default: { // 0 <= i - j <= width
    Value past = compare("sle", j, i),
          near = compare("sle", subtract(i, j), number(width));
    return line(
        formatv("arith.andi {0}, {1} : tensor<i1>", past.name, near.name),
        truth, 1);
  }
  }
}

Value StructuredLayer::bindEnd(unsigned end, const Value &feature) {
  const Value value = {session.fresh("a"), feature.type, feature.size};
  atEnds[end] += formatv(", {0} = {1} : {2}", value.name, feature.name,
                         nodeType(feature.type));
  return value;
}

Value StructuredLayer::compareSegments() {
  const Value segments = addSegments(scope, graph);
  scope.linked.insert(segments.name);
  session.record("structured: segments", segments.type);
  const Value i = bindEnd(0, segments), j = bindEnd(1, segments);
  return line(formatv("arith.cmpi eq, {0}, {1} : {2}", i.name, j.name,
                      tensorType(segments.type)),
              {{}, Element::i1}, 1);
}

Value StructuredLayer::makeCondition() {
  if (!graph.isSquare() || random.chance(0.65))
    return comparePositions();
  Value same = compareSegments();
  if (random.chance(0.6))
    return same;
  const Value other = comparePositions();
  return line(
      formatv("arith.andi {0}, {1} : tensor<i1>", same.name, other.name),
      {{}, Element::i1}, 1);
}

void StructuredLayer::masked() {
  session.record("structured: mask", ends[1].type);
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  RegionGenerator both = region(ends, 3);
  const bool isSoftmax = random.chance(0.6);
  Feature scoreType = type;
  scoreType.shape.resize(random.below(int64_t(type.shape.size()) + 1));
  Value value = both.makeSmall(type, 16),
        masked = isSoftmax ? both.makeSmall(scoreType, 6) : value;
  body = both.getText();
  Value truth = broadcast(makeCondition(), masked.type.shape);
  Value other =
      constant(masked.type, isSoftmax ? getLowest(masked.type.element) : "0.0");
  Value chosen = line(formatv("arith.select {0}, {1}, {2} : {3}, {4}",
                              truth.name, masked.name, other.name,
                              tensorType(truth.type), tensorType(masked.type)),
                      masked.type, masked.size);
  if (isSoftmax) {
    finishMessage({chosen, value});
    return aggregate("softmax", made[1], made[0].name, made[0].type);
  }
  finishMessage({chosen});
  const bool mayBeSum = session.usual != Element::f16;
  aggregate(mayBeSum ? random.pick({"sum", "mean", "max"}) : "mean", made[0]);
}

//===----------------------------------------------------------------------===//
// Products of both ends
//===----------------------------------------------------------------------===//

/// sum_j (f(q_i) . f(k_j)) v_j, or sum_j u_i v_j.
void StructuredLayer::separable() {
  session.record("structured: separable", ends[1].type);
  RegionGenerator ofDst = region({ends[0]}, 2), ofSrc = region({ends[1]}, 3);
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  Value v = ofSrc.makeSmall(type, 4);
  Value factor;
  if (random.chance(0.6)) {
    Feature key = type;
    key.shape.resize(random.below(int64_t(type.shape.size()) + 1));
    const Feature score = key;
    key.shape.push_back(random.between(1, 8));
    Value q = ofDst.makeSmall(key, 1), k = ofSrc.makeSmall(key, 1);
    body = ofDst.getText() + ofSrc.getText();
    if (random.chance(0.5)) {
      for (Value *x : {&q, &k})
        *x =
            line(formatv("mp.elu {0} : {1}", x->name, tensorType(key)), key, 1);
    }
    factor = line(formatv("mp.dot {0}, {1} : ({2}, {2}) -> {3}", q.name, k.name,
                          tensorType(key), tensorType(score)),
                  score, double(key.shape.back()));
  } else {
    factor = ofDst.makeSmall(type, 4);
    body = ofDst.getText() + ofSrc.getText();
  }
  Value product = multiply(broadcast(factor, type.shape), v);
  finishMessage({product});
  const bool mayBeSum = session.usual != Element::f16;
  aggregate(mayBeSum && random.chance(0.6) ? "sum" : "mean", made[0]);
}

/// The weights of a softmax as edge features, which a second message uses.
void StructuredLayer::weighted() {
  session.record("mp.edge_softmax", ends[1].type);
  RegionGenerator both = region(ends, 3);
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  Feature scoreType = type;
  scoreType.shape.resize(random.below(int64_t(type.shape.size()) + 1));
  Value score = both.makeSmall(scoreType, 6);
  body = both.getText();
  finishMessage({score});
  Value weights = {session.fresh("w"), scoreType, 1},
        weight = {session.fresh("a"), scoreType, 1};
  scope.text +=
      formatv("  {0} = mp.edge_softmax {1}, {2} : {3}, {4}\n", weights.name,
              graph.name, made[0].name, graph.type, edgesType(scoreType));
  RegionGenerator again = region(ends, 2);
  Value value = again.makeSmall(type, 16);
  body = again.getText();
  Value product = multiply(broadcast(weight, type.shape), value);
  finishMessage({product}, formatv(" edge({0} = {1} : {2})", weight.name,
                                   weights.name, edgesType(scoreType)));
  aggregate(session.usual == Element::f16 ? "mean" : "sum", made[0]);
}

/// Several weights of an edge, each for a part of what its source has.
void StructuredLayer::mixture() {
  session.record("structured: mixture", ends[1].type);
  RegionGenerator both = region(ends, 3), ofSrc = region({ends[1]}, 2);
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  const int64_t dim = random.below(int64_t(type.shape.size()) + 1);
  Feature all = type;
  all.shape.insert(all.shape.begin() + dim, random.between(1, 4));
  Feature weightType = all;
  weightType.shape.resize(random.between(dim + 1, int64_t(all.shape.size())));
  Value weight = both.makeSmall(weightType, 4), value = ofSrc.makeSmall(all, 4);
  body = both.getText() + ofSrc.getText();
  Value product = multiply(broadcast(weight, all.shape), value);
  Value sum =
      line(formatv("mp.reduce sum {0} dims [{1}] : {2} -> {3}", product.name,
                   dim, tensorType(all), tensorType(type)),
           type, product.size * 4);
  finishMessage({sum});
  const bool mayBeSum = session.usual != Element::f16;
  aggregate(mayBeSum && random.chance(0.7) ? "sum" : "mean", made[0]);
}

/// Factors near 1, so that the product of all is about 1.
void StructuredLayer::product() {
  RegionGenerator both = region(ends, 3);
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  Value x = both.makeSmall(type, 1);
  body = both.getText();
  const int64_t most = std::max<int64_t>(1, graph.maxInDegree);
  Value scale = constant(
      type, formatv("{0:F12}", std::exp2(-1 - std::ceil(std::log2(most)))));
  Value one = constant(type, "1.0");
  x = multiply(x, scale);
  x = line(
      formatv("arith.addf {0}, {1} : {2}", x.name, one.name, tensorType(type)),
      type, 2);
  finishMessage({x});
  aggregate("prod", made[0]);
}

/// An argument of sources.
Value StructuredLayer::takeArgument(const Feature &type) {
  const Value given = scope.addArgument(type, graph.src, false);
  scope.linked.insert(given.name);
  return bindEnd(1, given);
}

/// Whole numbers that the type holds, computed from positions and constants.
Value StructuredLayer::computeExactly(const Feature &type) {
  // bf16 has 8 bits, f16 11; sizes are estimates.
  const double limit = type.element == Element::bf16  ? 50
                       : type.element == Element::f16 ? 400
                                                      : 4000;
  RegionGenerator integers(session, scope.getWeightSource(), ends,
                           {std::max(graph.numDst, graph.numSrc), 6});
  const Feature whole = type.with(Element::i32);
  const Value value = integers.makeSmall(whole, limit);
  body = integers.getText();
  return line(formatv("arith.sitofp {0} : {1} to {2}", value.name,
                      tensorType(whole), tensorType(type)),
              type, value.size);
}

/// The largest or smallest value with the number of its edge. Only what has the
/// same bits in compiled code and in the reference has the same winner: an
/// argument, or what is computed without rounding.
void StructuredLayer::winning() {
  const Feature type = {makeShape(random, session.mostElements), session.usual};
  const Value given =
      random.chance(0.5) ? takeArgument(type) : computeExactly(type);
  finishMessage({given});
  const std::string kind = random.pick({"max", "min"});
  session.record("mp.aggregate " + kind + " edge", type);
  const Value result = {session.fresh("r"), type, given.size};
  const Value number = {session.fresh("r"), type.with(Element::i64),
                        double(graph.numDst * graph.maxInDegree)};
  scope.text +=
      formatv("  {0}, {1} = mp.aggregate {2} {3} {4} : ({5}) -> "
              "({6}, {7})\n",
              result.name, number.name, graphText(), kind, made[0].name,
              edgesType(type), nodeType(type), nodeType(number.type));
  scope.define(result, graph.dst, false);
  scope.define(number, graph.dst, false);
}

void clique::smith::addStructuredLayer(Scope &scope, const GraphValue &graph) {
  StructuredLayer layer(scope, graph);
  switch (scope.session.random.weighted({4, 4, 2, 2, 1, 1})) {
  case 0:
    return layer.masked();
  case 1:
    return layer.separable();
  case 2:
    return layer.weighted();
  case 3:
    return layer.mixture();
  case 4:
    return layer.product();
  default:
    return layer.winning();
  }
}
