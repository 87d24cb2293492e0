//===- Poles.cpp - Selects that take out what is infinite -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left is smooth where the condition changes, so that rounding and
// small steps do not matter: x^3 log x, exp(x) - 1; or the condition is one of
// integers, of degrees and of what a caller gives.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

namespace {
class PoleMaker {
public:
  PoleMaker(Scope &scope, const GraphValue &graph)
      : scope(scope), session(scope.session), random(session.random),
        graph(graph) {}

  void positive();
  void wholeTensor();
  void exponential();
  void degree();
  void masked();
  void unit();

private:
  Value pole(RegionWriter &writer, const Value &x);
  /// select(x > 0, x^3 pole(x), 0), or with a factor.
  Value takePositive(RegionWriter &writer, const Value &x, const Value *factor);
  /// y where the condition says so, else 0; either of them first.
  Value keep(RegionWriter &writer, const Value &condition, const Value &y);
  /// Of a condition that is one number.
  Value keepAll(RegionWriter &writer, const Value &condition, const Value &y) {
    return keep(writer, writer.broadcast(condition, y.type.shape), y);
  }
  /// More ops behind the select.
  Value goOn(RegionWriter &writer, const Value &x);
  /// An update of destinations, or a message of sources and its sum.
  void finish(RegionWriter &writer, const Value &made, bool isMessage);
  Feature makeType() {
    return {makeShape(random, session.mostElements), session.usual};
  }

  Scope &scope;
  Session &session;
  Random &random;
  const GraphValue &graph;
};
} // namespace

Value PoleMaker::pole(RegionWriter &writer, const Value &x) {
  switch (random.below(7)) {
  case 0:
    return writer.unary("math.log", x, 4);
  case 1:
    return writer.unary("math.rsqrt", x, 4);
  case 2:
    return writer.binary("arith.divf", writer.constant(x.type, "1.0"), x, 4);
  case 3: {
    const Value power = writer.constant(x.type, "-0.5");
    return writer.binary("math.powf", x, power, 4);
  }
  case 4:
    return writer.unary("math.log2", x, 4);
  case 5:
    return writer.unary("math.sqrt", x, 1);
  default:
    return writer.binary("arith.divf", writer.constant(x.type, "0.5"),
                         writer.unary("math.sqrt", x, 1), 4);
  }
}

Value PoleMaker::keep(RegionWriter &writer, const Value &condition,
                      const Value &y) {
  return writer.select(condition, y, writer.constant(y.type, "0.0"));
}

Value PoleMaker::takePositive(RegionWriter &writer, const Value &x,
                              const Value *factor) {
  const Value zero = writer.constant(x.type, "0.0");
  const Value isPositive = writer.compare("ogt", x, zero);
  Value q = x;
  switch (random.below(4)) {
  case 0:
    q = writer.binary("arith.mulf", x,
                      writer.toFloat(isPositive, x.type.element), x.size);
    break;
  case 1:
    q = writer.binary("arith.maximumf", x, zero, x.size);
    break;
  case 2:
    q = writer.unary("mp.relu", x, x.size);
    break;
  default: // of numbers below 0 it is NaN
    break;
  }
  Value y = pole(writer, q);
  for (unsigned k = 0; k < 3; ++k)
    y = writer.binary("arith.mulf", y, k == 1 ? x : q, 2);
  if (factor)
    y = writer.binary("arith.mulf", y, *factor, 2 * factor->size);
  if (random.chance(0.3))
    return writer.select(writer.compare("ule", x, zero), zero, y);
  return keep(writer, isPositive, y);
}

Value PoleMaker::goOn(RegionWriter &writer, const Value &x) {
  if (random.chance(0.5))
    return x;
  RegionGenerator more(session, scope.getWeightSource(), {x}, {0, 2});
  const Value made = more.makeSmall(x.type, 8);
  writer.append(more.getText());
  return made;
}

void PoleMaker::finish(RegionWriter &writer, const Value &made,
                       bool isMessage) {
  const Value result = goOn(writer, made);
  if (!isMessage)
    return scope.define(writer.finishUpdate(result), graph.dst, false);
  const Value edges = writer.finishMessage(graph, {result})[0];
  scope.define(
      addAggregate(scope, graph, random.pick({getSum(session), "mean"}), edges),
      graph.dst, false);
}

void PoleMaker::positive() {
  session.record("rare: pole at 0", {});
  const bool isMessage = random.chance(0.5);
  const Feature type = makeType();
  RegionWriter writer(scope);
  const Value x = isMessage
                      ? writer.ofSrc(scope.getFeature(type, graph.src, false))
                      : writer.ofDst(scope.getFeature(type, graph.dst, false));
  std::optional<Value> factor;
  if (random.chance(0.5))
    factor = writer.ofDst(scope.getFeature(type, graph.dst, false));
  finish(writer, takePositive(writer, x, factor ? &*factor : nullptr),
         isMessage);
}

/// The same as arithmetic on whole tensors.
void PoleMaker::wholeTensor() {
  session.record("rare: pole in tensors", {});
  const Value x = scope.getFeature(makeType(), graph.dst, false);
  const std::string zero = session.fresh("c"), rows = session.fresh("n");
  scope.text += formatv("  {0} = arith.constant 0 : index\n"
                        "  {1} = tensor.dim {2}, {0} : {3}\n",
                        zero, rows, x.name, nodeType(x.type));
  RegionWriter writer(scope, rows);
  const Value made = takePositive(writer, x, nullptr);
  scope.text += writer.getText();
  scope.define(made, graph.dst, false);
}

/// An exponential linear unit: the exponential is infinite where it is not
/// taken.
void PoleMaker::exponential() {
  session.record("rare: infinite exponential", {});
  const bool isMessage = random.chance(0.5);
  RegionWriter writer(scope);
  const Value x =
      isMessage ? writer.ofSrc(scope.getFeature(makeType(), graph.src, false))
                : writer.ofDst(scope.getFeature(makeType(), graph.dst, false));
  const Value large = writer.constant(x.type, "2000.0");
  const Value q = writer.binary("arith.mulf", x, large, 2000);
  const Value isPositive =
      writer.compare("ogt", q, writer.constant(x.type, "0.0"));
  const Value y = writer.binary("arith.subf", writer.unary("math.exp", q, 2),
                                writer.constant(x.type, "1.0"), 2);
  const Value unit = writer.select(isPositive, q, y);
  finish(writer,
         writer.binary("arith.mulf", unit, writer.constant(x.type, "0.001"), 2),
         isMessage);
}

/// Nodes without edges.
void PoleMaker::degree() {
  session.record("rare: degree of 0", {});
  Feature type = makeType();
  if (type.element != Element::f64)
    type.element = Element::f32;
  const Value degree = {session.fresh("d"), {{}, type.element}, 4};
  scope.text += formatv("  {0} = mp.degree {1} : {2} -> {3}\n", degree.name,
                        graph.name, graph.type, nodeType(degree.type));
  const bool isMessage = random.chance(0.3);
  RegionWriter writer(scope);
  const Value x = isMessage
                      ? writer.ofSrc(scope.getFeature(type, graph.src, false))
                      : writer.ofDst(scope.getFeature(type, graph.dst, false));
  const Value d = writer.ofDst(degree);
  Value y;
  if (random.chance(0.3))
    y = writer.binary("arith.divf", x, writer.broadcast(d, type.shape), 2);
  else
    y = writer.binary("arith.mulf", x,
                      writer.broadcast(pole(writer, d), type.shape), 2);
  if (!type.shape.empty() && type.shape.back() <= 64 && random.chance(0.4))
    y = writer.map(y);
  const Value hasEdges =
      writer.compare("ogt", d, writer.constant(d.type, "0.0"));
  finish(writer, keepAll(writer, hasEdges, y), isMessage);
}

/// A caller says which nodes have numbers; the others have 0.
void PoleMaker::masked() {
  session.record("rare: pole of a mask", {});
  const bool isMessage = random.chance(0.5);
  const Feature type = makeType();
  const Extent extent = isMessage ? graph.src : graph.dst;
  const Feature truth = {random.chance(0.5) ? type.shape : Shape(),
                         Element::i1};
  RegionWriter writer(scope);
  auto take = [&](const Feature &wanted) {
    const Value given = scope.getFeature(wanted, extent, false);
    return isMessage ? writer.ofSrc(given) : writer.ofDst(given);
  };
  const Value x = take(type), isThere = take(truth);
  const Value away = writer.binary(
      "arith.addf", writer.binary("arith.mulf", x, x, x.size * x.size),
      writer.constant(type, "0.5"), x.size * x.size + 1);
  const Value factor =
      writer.broadcast(writer.toFloat(isThere, type.element), type.shape);
  const Value q = writer.binary("arith.mulf", away, factor, away.size);
  Value y = pole(writer, q);
  if (random.chance(0.4))
    y = writer.binary("arith.mulf", y, q, 4);
  else if (truth.shape.empty() && !type.shape.empty() &&
           type.shape.back() <= 64 && random.chance(0.5))
    y = writer.map(y);
  finish(writer, keepAll(writer, isThere, y), isMessage);
}

/// The direction to a neighbour, which a node itself does not have.
void PoleMaker::unit() {
  session.record("rare: unit vectors", {});
  Feature type = makeType();
  // In a plane two nodes may be close.
  type.shape.resize(std::min<std::size_t>(type.shape.size(), 1));
  type.shape.push_back(random.between(4, 8));
  if (type.element != Element::f64)
    type.element = Element::f32;
  // All of it given: what is computed may be equal but for rounding.
  const Value x = scope.addArgument(type, graph.dst, false);
  const Value other =
      graph.isSquare() ? x : scope.addArgument(type, graph.src, false);
  RegionWriter writer(scope);
  const Value xi = writer.ofDst(x), xj = writer.ofSrc(other);
  const Value d = writer.binary("arith.subf", xi, xj, 2);
  const Value square = writer.dot(d, d);
  Value u;
  if (random.chance(0.5))
    u = writer.binary(
        "arith.mulf", d,
        writer.broadcast(writer.unary("math.rsqrt", square, 1), type.shape), 1);
  else
    u = writer.binary(
        "arith.divf", d,
        writer.broadcast(writer.unary("math.sqrt", square, 2), type.shape), 1);
  if (random.chance(0.2))
    u = writer.map(u);
  const Value isOther =
      writer.compare("ogt", square, writer.constant(square.type, "0.0"));
  finish(writer, keepAll(writer, isOther, u), /*isMessage=*/true);
}

void clique::smith::addPoles(Scope &scope, const GraphValue &graph) {
  PoleMaker maker(scope, graph);
  switch (scope.session.random.weighted({3, 1.5, 1, 2.5, 2, 2})) {
  case 0:
    return maker.positive();
  case 1:
    return maker.wholeTensor();
  case 2:
    return maker.exponential();
  case 3:
    return maker.degree();
  case 4:
    return maker.masked();
  default:
    return maker.unit();
  }
}
