//===- FeatureOps.cpp - Feature ops of mp between the layers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps, reductions, broadcasts, norms, activations and slices of node
// features.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

namespace {
class FeatureOpMaker {
public:
  FeatureOpMaker(Scope &scope, const Value &x, Extent extent, bool isVector)
      : scope(scope), session(scope.session), random(session.random), x(x),
        extent(isVector ? kStatic : extent), isVector(isVector) {}

  Value linear();
  Value reduce();
  Value broadcast();
  Value normalise();
  Value activate();
  Value scatter();
  Value dot();
  Value batchNorm();
  Value lookup();

private:
  std::string typeOf(const Feature &type) const {
    return isVector ? tensorType(type) : nodeType(type);
  }
  /// The number of the feature's dimension in its tensor.
  int64_t place(int64_t dim) const { return isVector ? dim : dim + 1; }
  Value another(const Feature &type) {
    return isVector ? scope.getWeight(type)
                    : scope.getFeature(type, extent, false);
  }
  Value add(const std::string &text, const Feature &type, double size) {
    std::string name = session.fresh("f");
    scope.text += "  " + name + " = " + text + "\n";
    return {name, type, size};
  }

  Scope &scope;
  Session &session;
  Random &random;
  Value x;
  Extent extent;
  bool isVector;
};
} // namespace

Value FeatureOpMaker::linear() {
  // The last dimensions are contracted.
  const Shape &shape = x.type.shape;
  const int64_t outer = random.below(int64_t(shape.size()));
  Feature weights = {Shape(shape.begin() + outer, shape.end()), x.type.element};
  const int64_t contracted = weights.count();
  Feature rest = {{}, x.type.element};
  if (random.chance(0.8))
    rest.shape.push_back(makeSize(random));
  weights.shape.append(rest.shape.begin(), rest.shape.end());
  Feature result = {Shape(shape.begin(), shape.begin() + outer),
                    x.type.element};
  result.shape.append(rest.shape.begin(), rest.shape.end());
  Value w = scope.getWeight(weights);
  std::string bias, biasType;
  if (random.chance(0.4)) {
    bias = " bias " + scope.getWeight(rest).name;
    biasType = ", " + tensorType(rest);
  }
  return add(formatv("mp.linear {0}, {1}{2} : ({3}, {4}{5}) -> {6}", x.name,
                     w.name, bias, typeOf(x.type), tensorType(weights),
                     biasType, typeOf(result)),
             result, x.size * (1 + std::sqrt(double(contracted))) + 1);
}

Value FeatureOpMaker::reduce() {
  // A half holds no large sum.
  const char *kind = random.pick(
      {"mean", "max", "min", x.type.element == Element::f16 ? "mean" : "sum"});
  double summed = 1;
  Feature result = {{}, x.type.element};
  std::string dims;
  for (std::size_t dim = 0; dim < x.type.shape.size(); ++dim) {
    if (random.chance(0.5))
      result.shape.push_back(x.type.shape[dim]);
    else { // the first dimension counts the nodes
      summed *= double(x.type.shape[dim]);
      dims += (dims.empty() ? "" : ", ") + std::to_string(place(int64_t(dim)));
    }
  }
  return add(formatv("mp.reduce {0} {1} dims [{2}] : {3} -> {4}", kind, x.name,
                     dims, typeOf(x.type), typeOf(result)),
             result, kind == std::string("sum") ? x.size * summed : x.size);
}

Value FeatureOpMaker::broadcast() {
  Feature result = x.type;
  const int64_t size = random.between(1, 3);
  if (result.count() * size > session.mostElements)
    return activate();
  const int64_t dim = random.below(int64_t(result.shape.size()) + 1);
  result.shape.insert(result.shape.begin() + dim, size);
  return add(formatv("mp.broadcast {0} dims [{1}] : {2} to {3}", x.name,
                     place(dim), typeOf(x.type), typeOf(result)),
             result, x.size);
}

Value FeatureOpMaker::normalise() {
  return add(
      formatv("mp.layer_norm {0} : ({1}) -> {1}", x.name, typeOf(x.type)),
      x.type, std::sqrt(double(x.type.shape.back())));
}

Value FeatureOpMaker::activate() {
  return add(formatv("mp.{0} {1} : {2}",
                     random.pick({"relu", "sigmoid", "silu", "softplus", "gelu",
                                  "elu"}),
                     x.name, typeOf(x.type)),
             x.type, x.size + 1);
}

/// The largest along a dimension, in the place of one of them.
Value FeatureOpMaker::scatter() {
  const int64_t dim = random.below(int64_t(x.type.shape.size()));
  Feature type = x.type;
  type.shape.erase(type.shape.begin() + dim);
  Value slice = add(formatv("mp.reduce max {0} dims [{1}] : {2} -> {3}", x.name,
                            place(dim), typeOf(x.type), typeOf(type)),
                    type, x.size);
  Value index = scope.getWeight(
      {{1},
       random.pick({Element::i32, Element::i64, Element::i8, Element::i1})});
  session.record("function: tensor.scatter", x.type);
  return add(formatv("tensor.scatter {0} into {1}[{2}] scatter_dims([{3}]) "
                     "unique : ({4}, {5}, {6}) -> {5}",
                     slice.name, x.name, index.name, place(dim), typeOf(type),
                     typeOf(x.type), tensorType(index.type)),
             x.type, x.size);
}

Value FeatureOpMaker::dot() {
  const Value y = another(x.type);
  Feature result = x.type;
  const auto size = double(result.shape.pop_back_val());
  session.record("function: mp.dot", result);
  return add(formatv("mp.dot {0}, {1} : ({2}, {2}) -> {3}", x.name, y.name,
                     typeOf(x.type), typeOf(result)),
             result, size * x.size * y.size);
}

/// The variance is made of a weight and above 0.
Value FeatureOpMaker::batchNorm() {
  const Value mean = scope.getWeight(x.type), given = scope.getWeight(x.type);
  const std::string type = tensorType(x.type), positive = session.fresh("t");
  scope.text +=
      formatv("  {0} = mp.softplus {1} : {2}\n", positive, given.name, type);
  std::string rest, types;
  for (const char *name : {" scale ", " shift "})
    if (random.chance(0.5)) {
      rest += name + scope.getWeight(x.type).name;
      types += ", " + type;
    }
  session.record("function: mp.batch_norm", x.type);
  return add(
      formatv("mp.batch_norm {0} mean {1} variance {2}{3} {{eps = 1.0e-2 : "
              "f64} : ({4}, {5}, {5}{6}) -> {4}",
              x.name, mean.name, positive, rest, typeOf(x.type), type, types),
      x.type, 2 * (x.size + mean.size) + 1);
}

/// The nodes in another order.
Value FeatureOpMaker::lookup() {
  if (isVector || scope.closed.count(extent))
    return activate();
  // Without nodes there is no row to take.
  scope.mayBeRefused = true;
  const Value index = scope.getFeature(
      {{}, random.pick({Element::i32, Element::i64})}, extent, false);
  session.record("function: mp.lookup", x.type);
  return add(formatv("mp.lookup {0}[{1}] : {2}, {3} -> {2}", x.name, index.name,
                     typeOf(x.type), typeOf(index.type)),
             x.type, x.size);
}

Value clique::smith::addFeatureOp(Scope &scope, const Value &x, Extent extent,
                                  bool isVector) {
  FeatureOpMaker maker(scope, x, extent, isVector);
  const double weights[] = {2, 1, 1, 0.5, 1, 1, 1, 0.4, 0.4};
  switch (scope.session.random.weighted(weights)) {
  case 0:
    return maker.linear();
  case 1:
    return maker.reduce();
  case 2:
    return maker.broadcast();
  case 3:
    return maker.normalise();
  case 4:
    return maker.scatter();
  case 5:
    return maker.activate();
  case 6:
    return maker.dot();
  case 7:
    return maker.batchNorm();
  default:
    return maker.lookup();
  }
}
