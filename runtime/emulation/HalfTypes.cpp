//===- HalfTypes.cpp - Conversions to bf16 --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the processor calls these functions of the compiler's runtime, which
// libgcc has from GCC 13 on only; those for f16 are in GCC 12's. A bf16 is
// returned in the low half of a vector register, like a float of these bits.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <cstring>

static float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// NOLINTBEGIN(readability-identifier-naming): compiler-rt's names

/// To the nearest, ties to even.
extern "C" __attribute__((visibility("default"))) float
__truncsfbf2(float value) {
  const uint32_t bits = toBits(value);
  if (std::isnan(value))
    return toFloat((bits >> 16) | 0x40);
  return toFloat((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// By way of a float that is odd where it is not exact, so that nothing is
/// rounded twice.
extern "C" __attribute__((visibility("default"))) float
__truncdfbf2(double value) {
  auto nearest = float(value);
  if (!std::isfinite(nearest) || double(nearest) == value)
    return __truncsfbf2(nearest);
  if (std::fabs(double(nearest)) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0f);
  return __truncsfbf2(toFloat(toBits(nearest) | 1));
}

// NOLINTEND(readability-identifier-naming)
