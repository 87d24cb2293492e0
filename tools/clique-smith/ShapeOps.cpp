//===- ShapeOps.cpp - Ops that change shapes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, reductions, repetitions, and parts of features.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionGenerator.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

/// Features larger than this make compiling slow.
static constexpr int64_t kMostElements = 256;

static std::string listNumbers(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value RegionGenerator::linear(const Feature &wanted, unsigned depth) {
  Shape contracted;
  while (contracted.empty())
    contracted = makeShape(
        random,
        std::max<int64_t>(2, (random.chance(0.1) ? 8192 : 1024) *
                                 session.mostElements / 64 / wanted.count()));
  // Seldom over the last dimensions of a larger value.
  const int64_t outer =
      random.chance(0.25) ? random.below(int64_t(wanted.shape.size()) + 1) : 0;
  const Feature rest = {Shape(wanted.shape.begin() + outer, wanted.shape.end()),
                        wanted.element};
  Feature whole = {Shape(wanted.shape.begin(), wanted.shape.begin() + outer),
                   wanted.element};
  whole.shape.append(contracted.begin(), contracted.end());
  Value x = generate(whole, depth + 1);
  Feature type = {contracted, wanted.element};
  type.shape.append(rest.shape.begin(), rest.shape.end());
  // Seldom weights that the region itself makes.
  Value w = type.shape.size() <= 3 && random.chance(0.15)
                ? squash(generate(type, depth + 2), 1)
                : weights(type);
  std::string bias, biasType;
  const Feature row = {contracted, wanted.element};
  double size = x.size * (1 + std::sqrt(double(row.count())));
  if (random.chance(0.4)) {
    Value b = generate(rest, depth + 1);
    bias = " bias " + b.name;
    biasType = ", " + tensorType(rest);
    size += b.size;
  }
  return emit("mp.linear",
              formatv("{0}, {1}{2} : ({3}, {4}{5}) -> {6}", x.name, w.name,
                      bias, tensorType(x.type), tensorType(type), biasType,
                      tensorType(wanted)),
              wanted, size);
}

Value RegionGenerator::dot(const Feature &wanted, unsigned depth) {
  Feature type = wanted;
  type.shape.push_back(makeSize(random));
  if (type.count() > kMostElements)
    type.shape.back() = random.between(1, 3);
  Value x = generate(type, depth + 1);
  Value y = random.chance(0.15) ? x : generate(type, depth + 1);
  return emit("mp.dot",
              formatv("{0}, {1} : ({2}, {2}) -> {3}", x.name, y.name,
                      tensorType(type), tensorType(wanted)),
              wanted, x.size * y.size * double(type.shape.back()));
}

/// A squared distance, or a difference of what both ends have.
Value RegionGenerator::difference(const Feature &wanted, unsigned depth) {
  Feature type = wanted;
  type.shape.push_back(random.pick({1, 2, 3, 8}));
  Value x = generate(type, depth + 1), y = generate(type, depth + 1);
  Value d = binary("arith.subf", x, y, x.size + y.size);
  return emit("mp.dot",
              formatv("{0}, {0} : ({1}, {1}) -> {2}", d.name, tensorType(type),
                      tensorType(wanted)),
              wanted, d.size * d.size * double(type.shape.back()));
}

//===----------------------------------------------------------------------===//
// Reductions, normalisation
//===----------------------------------------------------------------------===//

Value RegionGenerator::reduce(const Feature &wanted, unsigned depth) {
  Feature type = wanted;
  llvm::SmallVector<int64_t> dims;
  double factor = 1;
  const unsigned more = wanted.shape.size() >= 2 ? 1 : random.pick({1, 1, 2});
  for (unsigned k = 0; k < more; ++k) {
    int64_t size = makeSize(random);
    if (type.count() * size > kMostElements)
      size = random.between(1, 2);
    int64_t at = random.between(dims.empty() ? 0 : dims.back() + 1,
                                int64_t(type.shape.size()));
    type.shape.insert(type.shape.begin() + at, size);
    dims.push_back(at);
    factor *= double(size);
  }
  const char *kind = random.pick({"sum", "sum", "mean", "max", "min"});
  Value x = generate(type, depth + 1);
  return emit("mp.reduce",
              formatv("{0} {1} dims {2} : {3} -> {4}", kind, x.name,
                      listNumbers(dims), tensorType(type), tensorType(wanted)),
              wanted, kind[0] == 's' ? x.size * factor : x.size);
}

Value RegionGenerator::layerNorm(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  // An almost constant feature would be noise, blown up: a ramp is added.
  if (wanted.count() <= 64)
    x = binary("arith.addf", x, constant(wanted), x.size + 2);
  std::string rest = x.name, types = tensorType(wanted);
  for (const char *name : {" scale ", " shift "})
    if (random.chance(0.5)) {
      Value value =
          generate({{wanted.shape.back()}, wanted.element}, depth + 2);
      rest += name + squash(value, 2).name;
      types += ", " + tensorType(value.type);
    }
  return emit("mp.layer_norm",
              rest + " {eps = 1.0e-2 : f64} : (" + types + ") -> " +
                  tensorType(wanted),
              wanted, 6);
}

Value RegionGenerator::makeVariance(const Feature &wanted, unsigned depth) {
  const unsigned choice = random.weighted({3, 3, 2});
  // Of what the caller gives for a variance nothing is negative, if it is given
  // as such: not computed from other weights.
  if (choice == 0 && wanted.count() <= 4096) {
    Value given = weights(wanted);
    if (llvm::StringRef(given.name).starts_with("%w"))
      return given;
  }
  if (choice == 2)
    return binary("arith.addf",
                  unary("math.absf", generate(wanted, depth + 2), 16),
                  splat(wanted, 0.5), 16);
  return splat(wanted, random.pick({0.25, 1.0, 1.5}));
}

Value RegionGenerator::batchNorm(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  Value mean = wanted.count() <= 4096 && random.chance(0.7)
                   ? weights(wanted)
                   : generate(wanted, depth + 2);
  Value variance = makeVariance(wanted, depth);
  std::string rest =
      x.name + " mean " + mean.name + " variance " + variance.name;
  std::string types =
      llvm::join(llvm::SmallVector<std::string>(3, tensorType(wanted)), ", ");
  for (const char *name : {" scale ", " shift "})
    if (random.chance(0.5)) {
      rest += name + squash(generate(wanted, depth + 2), 2).name;
      types += ", " + tensorType(wanted);
    }
  return emit("mp.batch_norm",
              rest + " {eps = 1.0e-2 : f64} : (" + types + ") -> " +
                  tensorType(wanted),
              wanted, 4 * (x.size + mean.size) + 2);
}

//===----------------------------------------------------------------------===//
// Ops of any element
//===----------------------------------------------------------------------===//

Value RegionGenerator::anyShapeOp(const Feature &wanted, unsigned depth) {
  struct Choice {
    double weight;
    Value (RegionGenerator::*make)(const Feature &, unsigned);
  };
  const bool isVector = !wanted.shape.empty();
  const bool splits =
      llvm::any_of(wanted.shape, [](int64_t s) { return s > 1; });
  // Sums add the slice alone if a message yields it.
  const double scatters = depth == 0 ? 3 : 1;
  const Choice choices[] = {
      {isVector ? 3.0 : 0, &RegionGenerator::broadcast},
      {wanted.element != Element::i1 ? 1.0 : 0, &RegionGenerator::lookup},
      {isVector ? scatters : 0, &RegionGenerator::scatter},
      {splits ? 2.0 : 0, &RegionGenerator::concat},
      {isVector ? 1.0 : 0, &RegionGenerator::collapse},
      {wanted.shape.size() > 1 ? 1.5 : 0, &RegionGenerator::expand},
      {isVector ? 2.0 : 0.2, &RegionGenerator::slice}};
  llvm::SmallVector<double> weights;
  for (const Choice &choice : choices)
    weights.push_back(choice.weight);
  return (this->*choices[random.weighted(weights)].make)(wanted, depth);
}

Value RegionGenerator::broadcast(const Feature &wanted, unsigned depth) {
  const auto rank = int64_t(wanted.shape.size());
  Feature type = wanted;
  if (random.chance(0.4)) {
    // New dimensions anywhere.
    type.shape.clear();
    std::string dims;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (random.chance(0.5))
        type.shape.push_back(wanted.shape[dim]);
      else
        dims += (dims.empty() ? "" : ", ") + std::to_string(dim);
    }
    Value x = generate(type, depth + 1);
    return emit("mp.broadcast",
                formatv("{0} dims [{1}] : {2} to {3}", x.name, dims,
                        tensorType(type), tensorType(wanted)),
                wanted, x.size);
  }
  const int64_t kept = random.below(rank);
  const bool trailing = random.chance(0.5);
  type.shape.assign(trailing ? wanted.shape.end() - kept : wanted.shape.begin(),
                    trailing ? wanted.shape.end()
                             : wanted.shape.begin() + kept);
  Value x = generate(type, depth + 1);
  return emit("mp.broadcast",
              formatv("{0}{1} : {2} to {3}", x.name,
                      trailing ? " trailing" : "", tensorType(type),
                      tensorType(wanted)),
              wanted, x.size);
}

Value RegionGenerator::concat(const Feature &wanted, unsigned depth) {
  unsigned dim = 0;
  do
    dim = unsigned(random.below(int64_t(wanted.shape.size())));
  while (wanted.shape[dim] < 2);
  std::vector<Value> parts;
  int64_t left = wanted.shape[dim];
  const unsigned number = left > 2 && random.chance(0.3) ? 3 : 2;
  for (unsigned k = 0; k < number; ++k) {
    Feature part = wanted;
    part.shape[dim] =
        k + 1 == number ? left : random.between(1, left - (number - 1 - k));
    left -= part.shape[dim];
    parts.push_back(generate(part, depth + 1));
  }
  double size = 0;
  for (const Value &part : parts)
    size = std::max(size, part.size);
  return emit("tensor.concat",
              formatv("dim({0}) {1} : ({2}) -> {3}", dim, joinNames(parts),
                      joinTypes(parts, tensorType), tensorType(wanted)),
              wanted, size);
}

/// "[[0, 1], [2]]": `group` dimensions from `first` on are one.
static std::string groupDims(unsigned rank, unsigned first, unsigned group) {
  std::string text;
  for (unsigned dim = 0; dim < rank;) {
    const unsigned end = dim == first ? dim + group : dim + 1;
    std::string inner;
    for (; dim < end; ++dim)
      inner += (inner.empty() ? "" : ", ") + std::to_string(dim);
    text += (text.empty() ? "[" : ", [") + inner + "]";
  }
  return "[" + text + "]";
}

Value RegionGenerator::collapse(const Feature &wanted, unsigned depth) {
  const auto dim = unsigned(random.below(int64_t(wanted.shape.size())));
  llvm::SmallVector<int64_t> divisors;
  for (int64_t k = 1; k <= wanted.shape[dim]; ++k)
    if (wanted.shape[dim] % k == 0)
      divisors.push_back(k);
  const int64_t divisor = random.pick<int64_t>(divisors);
  Feature type = wanted;
  type.shape[dim] /= divisor;
  type.shape.insert(type.shape.begin() + dim, divisor);
  Value x = generate(type, depth + 1);
  return emit("tensor.collapse_shape",
              formatv("{0} {1} : {2} into {3}", x.name,
                      groupDims(unsigned(type.shape.size()), dim, 2),
                      tensorType(type), tensorType(wanted)),
              wanted, x.size);
}

Value RegionGenerator::expand(const Feature &wanted, unsigned depth) {
  const auto dim = unsigned(random.below(int64_t(wanted.shape.size()) - 1));
  Feature type = wanted;
  type.shape[dim] *= type.shape[dim + 1];
  type.shape.erase(type.shape.begin() + dim + 1);
  Value x = generate(type, depth + 1);
  return emit("tensor.expand_shape",
              formatv("{0} {1} output_shape {2} : {3} into {4}", x.name,
                      groupDims(unsigned(wanted.shape.size()), dim, 2),
                      listNumbers(wanted.shape), tensorType(type),
                      tensorType(wanted)),
              wanted, x.size);
}

Value RegionGenerator::emitSlice(const Value &from,
                                 llvm::ArrayRef<int64_t> offsets,
                                 llvm::ArrayRef<int64_t> sizes,
                                 llvm::ArrayRef<int64_t> strides,
                                 const Shape &result) {
  const Feature to = {result, from.type.element};
  return emit("tensor.extract_slice",
              formatv("{0}{1} {2} {3} : {4} to {5}", from.name,
                      listNumbers(offsets), listNumbers(sizes),
                      listNumbers(strides), tensorType(from.type),
                      tensorType(to)),
              to, from.size);
}

Value RegionGenerator::slice(const Feature &wanted, unsigned depth) {
  Feature type = wanted;
  // Dimensions that the slice drops.
  llvm::SmallVector<bool> dropped(type.shape.size(), false);
  if (type.shape.size() < 3 && random.chance(type.shape.empty() ? 1 : 0.4)) {
    const int64_t at = random.between(0, int64_t(type.shape.size()));
    type.shape.insert(type.shape.begin() + at, 1);
    dropped.insert(dropped.begin() + at, true);
  }
  llvm::SmallVector<int64_t> offsets, sizes, strides;
  for (auto [dim, size] : llvm::enumerate(type.shape)) {
    const int64_t stride = random.weighted({6, 2, 1}) + 1;
    const int64_t offset = random.weighted({4, 2, 1, 1});
    const int64_t whole =
        offset + (size - 1) * stride + 1 + random.weighted({4, 2, 1});
    sizes.push_back(size);
    // A part of size 1 has no second element: its stride is without meaning.
    offsets.push_back(offset);
    strides.push_back(stride);
    size = dropped[dim] && random.chance(0.5) ? whole + 2 : whole;
  }
  if (type.count() > kMostElements)
    return leaf(wanted);
  Value x = random.chance(0.3) && wanted.isFloat() ? weights(type)
                                                   : generate(type, depth + 1);
  return emitSlice(x, offsets, sizes, strides, wanted.shape);
}
