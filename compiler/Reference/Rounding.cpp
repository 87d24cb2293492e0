//===- Rounding.cpp - Arithmetic of a given precision ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Rounding.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace clique;
using namespace clique::reference;
using namespace mlir;

/// Significant bits of a double.
static constexpr unsigned kDoubleBits = 53;

/// Evenly distributed bits (the output function of SplitMix64).
static uint64_t mix(uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// Of the place where this thread rounds; 0 outside of all.
static thread_local uint64_t placeBits = 0;

RoundingPlace::RoundingPlace(int64_t number) : outer(placeBits) {
  placeBits = mix(placeBits ^ mix(uint64_t(number)));
}

RoundingPlace::~RoundingPlace() { placeBits = outer; }

/// Evenly between -1 and 1.
static double makePart(uint64_t random) {
  return double(random >> 11) * 0x1p-52 - 1;
}

double RandomRounding::ofLongSum(double value, int64_t element) const {
  if (hasPlaces || isNearest)
    return value;
  // An eighth of what 512 equal terms are off at most, about 70 units.
  constexpr double mostUnits = 8;
  const double part = makePart(mix(mix(seed) ^ uint64_t(element)));
  return value * (1 + part * std::ldexp(mostUnits, -int(bits)));
}

double RandomRounding::approximate(double value, uint64_t random) const {
  constexpr double mostUnits = 2;
  const int exponent = std::max(std::ilogb(value), minExponent);
  const double unit = std::ldexp(1.0, exponent - int(bits) + 1);
  const double result = value + makePart(mix(random)) * mostUnits * unit;
  const bool crosses = (std::abs(value) < 1) != (std::abs(result) < 1);
  return crosses ? std::copysign(1.0, value) : result;
}

double RandomRounding::operator()(double value, int64_t element) const {
  if (value == 0 || !std::isfinite(value))
    return value;
  auto pattern = llvm::bit_cast<uint64_t>(value);
  // Equal numbers alike, whatever place and element they are: but sums, whose
  // errors then would all be one.
  const uint64_t place = hasPlaces ? placeBits ^ uint64_t(element)
                         : isAlike ? element
                                   : 0;
  const uint64_t random = mix((isAlike ? 0 : pattern) ^ mix(seed ^ mix(place)));
  if (bits == kDoubleBits && isNearest)
    return value;
  if (bits == kDoubleBits) {
    // What was lost is not known: a number with few bits is taken to be exact,
    // any other one may as well have been one of its neighbours.
    constexpr uint64_t lowBits = 0x1ff;
    if ((pattern & lowBits) == 0)
      return value;
    return llvm::bit_cast<double>(random & 1 ? pattern + 1 : pattern - 1);
  }
  if (isApproximate && !isNearest && std::trunc(value) != value) {
    value = approximate(value, random);
    if (value == 0)
      return value;
    pattern = llvm::bit_cast<uint64_t>(value);
  }
  // Below the least normal number the last bit is worth the same everywhere.
  unsigned dropped = kDoubleBits - bits;
  if (int below = minExponent - std::ilogb(value); below > 0)
    dropped += below;
  if (dropped >= kDoubleBits) {
    // Between 0 and the least subnormal number, which is taken as often as the
    // value is a part of it.
    const double least = std::ldexp(1.0, minExponent - int(bits) + 1);
    const double part = isNearest ? 0.5 : double(random >> 11) * 0x1p-53;
    const bool isUp = part < std::abs(value) / least;
    return std::copysign(isUp ? least : 0, value);
  }
  // A carry goes into the exponent, as it should.
  const uint64_t mask = (uint64_t(1) << dropped) - 1;
  const uint64_t isOdd = (pattern >> dropped) & 1;
  const uint64_t added = isNearest ? (mask >> 1) + isOdd : random & mask;
  pattern = (pattern + added) & ~mask;
  const auto rounded = llvm::bit_cast<double>(pattern);
  return std::abs(rounded) > largest ? std::copysign(INFINITY, value) : rounded;
}

static RandomRounding makeRounding(FloatType type, unsigned bits,
                                   const ReferencePrecision &precision) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  APFloat largest = APFloat::getLargest(semantics);
  bool losesInfo;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return {bits,
          APFloat::semanticsMinExponent(semantics),
          largest.convertToDouble(),
          *precision.seed,
          !precision.roundsPlacesAlike,
          precision.roundsToNearest};
}

std::optional<RandomRounding>
reference::getComputeRounding(const ReferencePrecision &precision, Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || !precision.seed)
    return std::nullopt;
  if (element.getWidth() >= 64)
    return makeRounding(element, precision.f64Bits, precision);
  return makeRounding(Float32Type::get(type.getContext()), precision.f32Bits,
                      precision);
}

std::optional<RandomRounding>
reference::getStorageRounding(const ReferencePrecision &precision, Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() > 16 || !precision.seed ||
      !precision.storesHalves)
    return std::nullopt;
  return makeRounding(element,
                      APFloat::semanticsPrecision(element.getFloatSemantics()),
                      precision);
}
