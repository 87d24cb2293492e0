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
  FeatureOpMaker(Scope &scope, const Value &x)
      : scope(scope), session(scope.session), random(session.random), x(x) {}

  Value linear();
  Value reduce();
  Value broadcast();
  Value normalise();
  Value activate();
  Value scatter();

private:
  Value add(const std::string &text, const Feature &type, double size) {
    std::string name = session.fresh("f");
    scope.text += "  " + name + " = " + text + "\n";
    return {name, type, size};
  }

  Scope &scope;
  Session &session;
  Random &random;
  Value x;
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
                     w.name, bias, nodeType(x.type), tensorType(weights),
                     biasType, nodeType(result)),
             result, x.size * (1 + std::sqrt(double(contracted))) + 1);
}

Value FeatureOpMaker::reduce() {
  Feature result = {{}, x.type.element};
  std::string dims;
  for (std::size_t dim = 0; dim < x.type.shape.size(); ++dim) {
    if (random.chance(0.5))
      result.shape.push_back(x.type.shape[dim]);
    else // the first dimension counts the nodes
      dims += (dims.empty() ? "" : ", ") + std::to_string(dim + 1);
  }
  return add(formatv("mp.reduce {0} {1} dims [{2}] : {3} -> {4}",
                     random.pick({"mean", "max", "min"}), x.name, dims,
                     nodeType(x.type), nodeType(result)),
             result, x.size);
}

Value FeatureOpMaker::broadcast() {
  Feature result = x.type;
  const int64_t size = random.between(1, 3);
  if (result.count() * size > session.mostElements)
    return activate();
  const int64_t dim = random.below(int64_t(result.shape.size()) + 1);
  result.shape.insert(result.shape.begin() + dim, size);
  return add(formatv("mp.broadcast {0} dims [{1}] : {2} to {3}", x.name,
                     dim + 1, nodeType(x.type), nodeType(result)),
             result, x.size);
}

Value FeatureOpMaker::normalise() {
  return add(
      formatv("mp.layer_norm {0} : ({1}) -> {1}", x.name, nodeType(x.type)),
      x.type, std::sqrt(double(x.type.shape.back())));
}

Value FeatureOpMaker::activate() {
  return add(formatv("mp.{0} {1} : {2}",
                     random.pick({"relu", "sigmoid", "silu", "softplus", "gelu",
                                  "elu"}),
                     x.name, nodeType(x.type)),
             x.type, x.size + 1);
}

/// The largest along a dimension, in the place of one of them.
Value FeatureOpMaker::scatter() {
  const int64_t dim = random.below(int64_t(x.type.shape.size()));
  Feature type = x.type;
  type.shape.erase(type.shape.begin() + dim);
  Value slice = add(formatv("mp.reduce max {0} dims [{1}] : {2} -> {3}", x.name,
                            dim + 1, nodeType(x.type), nodeType(type)),
                    type, x.size);
  Value index = scope.getWeight(
      {{1},
       random.pick({Element::i32, Element::i64, Element::i8, Element::i1})});
  session.record("function: tensor.scatter", x.type);
  return add(formatv("tensor.scatter {0} into {1}[{2}] scatter_dims([{3}]) "
                     "unique : ({4}, {5}, {6}) -> {5}",
                     slice.name, x.name, index.name, dim + 1, nodeType(type),
                     nodeType(x.type), tensorType(index.type)),
             x.type, x.size);
}

Value clique::smith::addFeatureOp(Scope &scope, const Value &x) {
  FeatureOpMaker maker(scope, x);
  const double weights[] = {2, 1, 1, 0.5, 1, 1};
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
  default:
    return maker.activate();
  }
}
