//===- Rounding.h - Arithmetic of a given precision -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle computes in double precision. To tell how much of a difference is
// due to rounding alone, the interpreter can also round as compiled code does:
// after each step to the precision in which that step is computed. It rounds up
// or down at random, with probabilities that make the mean error 0 (the random
// rounding of Monte Carlo arithmetic: D. S. Parker, "Monte Carlo Arithmetic",
// UCLA CSD-970002, 1997), so that several runs show several errors. Whether up
// or down follows from the number, its edge or node, its element and a seed,
// not from the order of evaluation: results do not depend on threads. Equal
// numbers of two edges are rounded each by itself, or their difference would
// show none of the rounding that went into them; in other runs all alike, as
// compiled code does: a product over edges has the error of equal factors as
// often as there are edges. One run rounds to nearest, as processors do: what a
// recurrence adds again and again is rounded to the same side many times.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_ROUNDING_H
#define CLIQUE_COMPILER_REFERENCE_ROUNDING_H

#include "mlir/IR/Types.h"

#include <optional>

namespace clique {

/// How the interpreter rounds; by default not beyond double precision.
struct ReferencePrecision {
  /// Rounds at random, differently for each seed.
  std::optional<uint64_t> seed;
  /// Significant bits of f32 (11 for tf32), and of f64.
  unsigned f32Bits = 24, f64Bits = 53;
  /// Whether values of half precision are rounded to it where they are stored;
  /// else all stay in registers, as f32.
  bool storesHalves = true;
  /// Whether equal numbers of different edges, nodes and elements are rounded
  /// alike.
  bool roundsPlacesAlike = false;
  /// Rounds to nearest, nothing at random.
  bool roundsToNearest = false;
};

namespace reference {

/// Rounds nothing.
struct NoRounding {
  double operator()(double value) const { return value; }
  NoRounding makeAlike() const { return {}; }
  double ofLongSum(double value, int64_t /*element*/) const { return value; }
};

/// While it lives, what this thread rounds belongs to one edge or node.
class RoundingPlace {
public:
  explicit RoundingPlace(int64_t number);
  ~RoundingPlace();
  RoundingPlace(const RoundingPlace &) = delete;
  RoundingPlace &operator=(const RoundingPlace &) = delete;

private:
  uint64_t outer;
};

/// Rounds to a binary format.
class RandomRounding {
public:
  /// `bits`: significant ones; 2^minExponent is the least normal number.
  RandomRounding(unsigned bits, int minExponent, double largest, uint64_t seed,
                 bool hasPlaces = true, bool isNearest = false)
      : bits(bits), minExponent(minExponent), largest(largest), seed(seed),
        hasPlaces(hasPlaces), isNearest(isNearest) {}

  /// Infinite beyond the largest number. Exact numbers stay as they are.
  /// `element`: which one of a tensor's.
  double operator()(double value, int64_t element = 0) const;

  /// The same, for what is rounded one after the other in one place: how far
  /// up does not depend on the number, so that equal errors add up, as those
  /// of equal terms of a sum do, and do not cancel.
  RandomRounding makeAlike() const {
    RandomRounding other = *this;
    other.isAlike = true;
    return other;
  }

  /// An element as a sum over a row of many equal ones has it, divided by their
  /// number: compiled code sums elements before it multiplies the sum with a
  /// matrix, up to 512 one after the other, and the product may be small beside
  /// the sum. Of unequal ones errors cancel: nothing is done where places
  /// differ.
  double ofLongSum(double value, int64_t element) const;

  /// The same for what compiled code computes by a polynomial: it may be two
  /// units in the last place off before it is rounded, but on the same side
  /// of 1, which bounds many functions.
  RandomRounding makeApproximate() const {
    RandomRounding other = *this;
    other.isApproximate = true;
    return other;
  }

private:
  /// The number with the error of a polynomial, by random bits.
  double approximate(double value, uint64_t random) const;

  unsigned bits;
  int minExponent;
  double largest;
  uint64_t seed;
  bool hasPlaces;
  bool isNearest;
  bool isAlike = false;
  bool isApproximate = false;
};

/// The rounding in which elements of a type are computed: bf16 and f16 are in
/// f32. None for integers, and where nothing is rounded.
std::optional<RandomRounding> getComputeRounding(const ReferencePrecision &,
                                                 mlir::Type elementType);

/// The rounding to what elements of bf16 or f16 are stored as; none for others,
/// and where none are stored.
std::optional<RandomRounding> getStorageRounding(const ReferencePrecision &,
                                                 mlir::Type elementType);

/// Calls `fn` with the rounding in which values of `type`, a number or a tensor
/// of them, are computed.
template <typename Fn>
auto withRounding(const ReferencePrecision &precision, mlir::Type type, Fn fn) {
  if (auto rounding = getComputeRounding(precision, type))
    return fn(*rounding);
  return fn(NoRounding());
}

} // namespace reference
} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_ROUNDING_H
