//===- RegionGenerator.cpp - The mathematics of one region ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of ops, and the leaves.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionGenerator.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

/// Weights larger than this make compiling slow.
static constexpr int64_t kMostWeights = 4096;

Value RegionGenerator::emit(llvm::StringRef op, const std::string &rest,
                            const Feature &type, double size) {
  std::string name = session.fresh();
  text += formatv("    {0} = {1} {2}\n", name, op, rest);
  session.record(op, type);
  values.push_back({name, type, size});
  return values.back();
}

Value RegionGenerator::unary(llvm::StringRef op, const Value &x, double size) {
  return emit(op, x.name + " : " + tensorType(x.type), x.type, size);
}

Value RegionGenerator::binary(llvm::StringRef op, const Value &x,
                              const Value &y, double size) {
  return emit(op, x.name + ", " + y.name + " : " + tensorType(x.type), x.type,
              size);
}

/// A number as an attribute of this element.
static std::string writeNumber(Element element, double value) {
  if (element == Element::i1)
    return value != 0 ? "true" : "false";
  if (element >= Element::i32)
    return std::to_string(int64_t(value));
  return formatv("{0:F6}", value);
}

Value RegionGenerator::splat(const Feature &type, double value) {
  return emit("arith.constant",
              "dense<" + writeNumber(type.element, value) +
                  "> : " + tensorType(type),
              type, std::abs(value));
}

/// Every element has its own number, in nested brackets.
static std::string writeElements(Random &random, const Feature &type,
                                 unsigned dim) {
  if (dim == type.shape.size())
    // Exact in all types; never 0, by which a mistake would not be seen.
    return writeNumber(type.element, type.isFloat()
                                         ? double(random.between(1, 12)) / 8 *
                                               (random.chance(0.5) ? 1 : -1)
                                         : double(random.between(-3, 4)));
  std::string text = "[";
  for (int64_t k = 0; k < type.shape[dim]; ++k)
    text += (k ? ", " : "") + writeElements(random, type, dim + 1);
  return text + "]";
}

Value RegionGenerator::constant(const Feature &type) {
  if (type.element == Element::i1 || type.shape.empty() || type.count() > 24 ||
      random.chance(0.5))
    return splat(
        type, type.isFloat()
                  ? double(random.between(1, 12)) / 8
                  : double(random.below(type.element == Element::i1 ? 2 : 5)));
  return emit("arith.constant",
              "dense<" + writeElements(random, type, 0) +
                  "> : " + tensorType(type),
              type, 2);
}

Value RegionGenerator::squash(const Value &x, double limit) {
  if (x.size <= limit)
    return x;
  if (!x.type.isFloat()) {
    Value bound = splat(x.type, std::max(2.0, limit));
    return binary("arith.remsi", x, bound, limit);
  }
  const double scale = std::exp2(std::floor(std::log2(limit / x.size)));
  // What one constant cannot say in its digits.
  if (scale < 0x1p-12)
    return unary("math.tanh", x, 1);
  return binary("arith.mulf", x, splat(x.type, scale), x.size * scale);
}

Value RegionGenerator::make(const Feature &wanted) {
  budget = options.budget;
  return generate(wanted, 0);
}

Value RegionGenerator::makeSmall(const Feature &wanted, double limit) {
  return squash(make(wanted), limit);
}

Value RegionGenerator::generate(const Feature &wanted, unsigned depth) {
  if (budget <= 0 || depth > 5 || random.chance(depth ? 0.25 : 0.1))
    return leaf(wanted);
  --budget;
  Value value = wanted.element == Element::i1 ? makeCondition(wanted, depth)
                : wanted.isFloat()            ? makeFloat(wanted, depth)
                                              : makeInteger(wanted, depth);
  return squash(value, wanted.isFloat() ? 16 : 1e6);
}

Value RegionGenerator::makeFloat(const Feature &wanted, unsigned depth) {
  struct Choice {
    double weight;
    Value (RegionGenerator::*make)(const Feature &, unsigned);
  };
  const bool isVector = !wanted.shape.empty();
  const Choice choices[] = {
      {5, &RegionGenerator::elementwiseBinary},
      {2, &RegionGenerator::elementwiseUnary},
      {2, &RegionGenerator::functionOfTame},
      {0.8, &RegionGenerator::rareFunction},
      {0.5, &RegionGenerator::stepFunction},
      {0.8, &RegionGenerator::division},
      {0.7, &RegionGenerator::ternary},
      {1.5, &RegionGenerator::select},
      {2, &RegionGenerator::activation},
      {0.6, &RegionGenerator::conversion},
      {5, &RegionGenerator::linear},
      {wanted.shape.size() < 3 ? 3.0 : 0.5, &RegionGenerator::dot},
      {0.8, &RegionGenerator::difference},
      {isVector ? 0.8 : 0, &RegionGenerator::layerNorm},
      {0.5, &RegionGenerator::batchNorm},
      {wanted.shape.size() < 3 ? 1.2 : 0.3, &RegionGenerator::reduce},
      {4, &RegionGenerator::anyShapeOp}};
  llvm::SmallVector<double> weights;
  for (const Choice &choice : choices)
    weights.push_back(choice.weight);
  return (this->*choices[random.weighted(weights)].make)(wanted, depth);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Value RegionGenerator::leaf(const Feature &wanted) {
  llvm::SmallVector<Value> equal;
  for (const Value &value : values)
    if (value.type == wanted)
      equal.push_back(value);
  if (!equal.empty() && random.chance(0.8))
    return random.pick<Value>(equal);
  if (wanted.element == Element::i1)
    return constant(wanted);
  if (!wanted.isFloat() && options.numPositions && random.chance(0.6)) {
    // Of edges there are many more.
    const bool isEdge = wanted.element == Element::i64 && random.chance(0.15);
    if (isEdge)
      return bridge(
          emit("mp.position", "edge : tensor<i64>", {{}, Element::i64}, 1e5),
          wanted);
    Value position = emit("mp.position",
                          std::string(random.chance(0.5) ? "dst" : "src") +
                              " : " + tensorType({{}, wanted.element}),
                          {{}, wanted.element}, double(options.numPositions));
    return wanted.shape.empty() ? position : bridge(position, wanted);
  }
  const unsigned choice = random.weighted({6, 2, 1});
  if (choice == 0 && wanted.isFloat() && !values.empty()) {
    return bridge(random.pick<Value>(values), wanted);
  }
  if (choice <= 1 && wanted.isFloat() && wanted.count() <= 4096)
    return weights(wanted);
  return constant(wanted);
}

Value RegionGenerator::convert(const Value &from, Element element) {
  const Element have = from.type.element;
  const Feature to = from.type.with(element);
  auto cast = [&](llvm::StringRef op, const Value &x, const Feature &type) {
    return emit(op,
                x.name + " : " + tensorType(x.type) + " to " + tensorType(type),
                type, x.size);
  };
  if (have == element)
    return from;
  auto bits = [](Element kind) {
    return kind == Element::f64 || kind == Element::i64   ? 64
           : kind == Element::f32 || kind == Element::i32 ? 32
           : kind == Element::i8                          ? 8
           : kind == Element::i1                          ? 1
                                                          : 16;
  };
  if (from.type.isFloat() && to.isFloat()) {
    if (bits(have) == 16 && bits(element) == 16)
      return convert(convert(from, Element::f32), element);
    return cast(bits(have) < bits(element) ? "arith.extf" : "arith.truncf",
                from, to);
  }
  if (to.isFloat())
    return squash(
        cast(have == Element::i1 ? "arith.uitofp" : "arith.sitofp", from, to),
        4);
  assert(!from.type.isFloat() && "rounding could flip an integer");
  if (have == Element::i1)
    return cast("arith.extui", from, to);
  return cast(bits(have) < bits(element) ? "arith.extsi" : "arith.trunci", from,
              to);
}

Value RegionGenerator::bridge(const Value &from, const Feature &wanted) {
  Value value = convert(from, wanted.element);
  return reshapeTo(squash(value, wanted.isFloat() ? 16 : 1e6), wanted.shape);
}

static bool startsWith(const Shape &shape, const Shape &prefix) {
  return prefix.size() <= shape.size() &&
         std::equal(prefix.begin(), prefix.end(), shape.begin());
}
static bool endsWith(const Shape &shape, const Shape &suffix) {
  return suffix.size() <= shape.size() &&
         std::equal(suffix.rbegin(), suffix.rend(), shape.rbegin());
}

Value RegionGenerator::reshapeTo(const Value &from, const Shape &shape) {
  const Feature &type = from.type;
  const Feature to = {shape, type.element};
  if (type.shape == shape)
    return from;
  if (startsWith(shape, type.shape) || endsWith(shape, type.shape)) {
    bool trailing = !startsWith(shape, type.shape) ||
                    (endsWith(shape, type.shape) && random.chance(0.3));
    return emit("mp.broadcast",
                from.name + (trailing ? " trailing : " : " : ") +
                    tensorType(type) + " to " + tensorType(to),
                to, from.size);
  }
  if (!type.isFloat())
    return constant(to);
  if (type.count() * to.count() <= kMostWeights && random.chance(0.75)) {
    Shape shapeOfWeights = type.shape;
    shapeOfWeights.append(shape.begin(), shape.end());
    Value w = weights({shapeOfWeights, type.element});
    return emit("mp.linear",
                formatv("{0}, {1} : ({2}, {3}) -> {4}", from.name, w.name,
                        tensorType(type), tensorType(w.type), tensorType(to)),
                to, 2 * from.size);
  }
  // All of it becomes one number.
  std::string dims;
  for (unsigned dim = 0; dim < type.shape.size(); ++dim)
    dims += (dim ? ", " : "") + std::to_string(dim);
  const char *kind = random.pick({"mean", "max", "min"});
  Value scalar =
      emit("mp.reduce",
           formatv("{0} {1} dims [{2}] : {3} -> {4}", kind, from.name, dims,
                   tensorType(type), tensorType({{}, type.element})),
           {{}, type.element}, from.size);
  return reshapeTo(scalar, shape);
}
