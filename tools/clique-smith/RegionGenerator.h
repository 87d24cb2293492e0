//===- RegionGenerator.h - The mathematics of one region --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directed by types: a wanted feature picks an op that makes it, which asks for
// its operands in turn, down to operands of the region, weights and constants.
//
// Numbers stay tame, so that a difference between two results is a defect: no
// exponential of a large number, no division by one near 0, and no switch that
// rounding could flip but between values that are equal there.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_REGIONGENERATOR_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_REGIONGENERATOR_H

#include "tools/clique-smith/Session.h"

#include <functional>

namespace clique::smith {

class RegionGenerator {
public:
  struct Options {
    /// mp.position is allowed; positions are below this.
    int64_t numPositions = 0;
    /// About how many ops may be made for one value.
    int budget = 8;
  };
  /// A static tensor from outside the region.
  using WeightSource = std::function<Value(const Feature &)>;

  RegionGenerator(Session &session, WeightSource weights,
                  std::vector<Value> operands, Options options)
      : session(session), random(session.random), weights(std::move(weights)),
        values(std::move(operands)), options(options) {}

  /// Writes ops that end in a value of this type.
  Value make(const Feature &wanted);
  /// The same, and its elements are not much larger than `limit`.
  Value makeSmall(const Feature &wanted, double limit);
  /// The text of all ops so far, a line each.
  const std::string &getText() const { return text; }

  /// One op: `rest` is all that stands behind its name.
  Value emit(llvm::StringRef op, const std::string &rest, const Feature &type,
             double size);
  Value unary(llvm::StringRef op, const Value &x, double size);
  Value binary(llvm::StringRef op, const Value &x, const Value &y, double size);
  /// All elements are `value`.
  Value splat(const Feature &type, double value);

private:
  Value generate(const Feature &wanted, unsigned depth);
  Value squash(const Value &x, double limit);

  // Leaves.
  Value leaf(const Feature &wanted);
  Value constant(const Feature &type);
  Value bridge(const Value &from, const Feature &wanted);
  Value convert(const Value &from, Element element);
  Value reshapeTo(const Value &from, const Shape &shape);

  // Ops by what they make.
  Value makeFloat(const Feature &wanted, unsigned depth);
  Value makeInteger(const Feature &wanted, unsigned depth);
  Value makeUnsigned(const Value &x, unsigned depth);
  Value makeCondition(const Feature &wanted, unsigned depth);

  Value elementwiseUnary(const Feature &wanted, unsigned depth);
  Value functionOfTame(const Feature &wanted, unsigned depth);
  Value rareFunction(const Feature &wanted, unsigned depth);
  Value makeEighths(const Feature &wanted, unsigned depth);
  Value stepFunction(const Feature &wanted, unsigned depth);
  Value elementwiseBinary(const Feature &wanted, unsigned depth);
  Value division(const Feature &wanted, unsigned depth);
  Value ternary(const Feature &wanted, unsigned depth);
  Value select(const Feature &wanted, unsigned depth);
  Value activation(const Feature &wanted, unsigned depth);
  Value conversion(const Feature &wanted, unsigned depth);
  Value linear(const Feature &wanted, unsigned depth);
  Value dot(const Feature &wanted, unsigned depth);
  Value difference(const Feature &wanted, unsigned depth);

  // Ops of any element.
  Value anyShapeOp(const Feature &wanted, unsigned depth);
  Value reduce(const Feature &wanted, unsigned depth);
  Value broadcast(const Feature &wanted, unsigned depth);
  /// An index of one element.
  struct Slot {
    std::string name, type;
  };
  Value lookup(const Feature &wanted, unsigned depth);
  Slot makeSlot(int64_t size, unsigned depth);
  Value scatter(const Feature &wanted, unsigned depth);
  Value layerNorm(const Feature &wanted, unsigned depth);
  Value batchNorm(const Feature &wanted, unsigned depth);
  Value makeVariance(const Feature &wanted, unsigned depth);
  Value concat(const Feature &wanted, unsigned depth);
  Value collapse(const Feature &wanted, unsigned depth);
  Value expand(const Feature &wanted, unsigned depth);
  Value slice(const Feature &wanted, unsigned depth);
  Value emitSlice(const Value &from, llvm::ArrayRef<int64_t> offsets,
                  llvm::ArrayRef<int64_t> sizes,
                  llvm::ArrayRef<int64_t> strides, const Shape &result);

  Session &session;
  Random &random;
  WeightSource weights;
  std::vector<Value> values;
  Options options;
  std::string text;
  int budget = 0;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_REGIONGENERATOR_H
