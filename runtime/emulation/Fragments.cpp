//===- Fragments.cpp - What lanes hold of matrices ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Fragments.h"
#include "runtime/emulation/emulated.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

using namespace clique::emulation;

void clique::emulation::requireAllLanes(const WarpCall::Lanes &lanes) {
  const WarpCall *any = nullptr;
  for (const WarpCall *call : lanes)
    any = call ? call : any;
  for (int lane = 0; lane < WarpCall::kLanes; ++lane)
    if (!lanes[lane])
      throw KernelError(
          fmt::format("{}: lane {} does not exist, all 32 take part",
                      any ? any->name : "a warp", lane));
}

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static float fromHalf(uint16_t bits) {
  const float sign = bits >> 15 ? -1.0f : 1.0f;
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  if (exponent == 31)
    return fraction ? fromBits(0x7fffffff) : sign * fromBits(0x7f800000);
  if (exponent == 0)
    return sign * std::ldexp(float(fraction), -24);
  return sign * std::ldexp(float(fraction + 1024), exponent - 25);
}

float clique::emulation::getElement(const void *fragment, int k, int32_t type) {
  if (type == CLIQUE_EMU_MMA_TF32) {
    uint32_t bits;
    std::memcpy(&bits, static_cast<const char *>(fragment) + 4 * k, 4);
    // The tensor core does not read the last 13 bits.
    return fromBits(bits & 0xffffe000u);
  }
  uint16_t bits;
  std::memcpy(&bits, static_cast<const char *>(fragment) + 2 * k, 2);
  return type == CLIQUE_EMU_MMA_F16 ? fromHalf(bits)
                                    : fromBits(uint32_t(bits) << 16);
}

Position clique::emulation::getPositionInA(int lane, int k, int32_t type) {
  const int group = lane / 4, inGroup = lane % 4;
  if (type == CLIQUE_EMU_MMA_TF32)
    return {group + 8 * (k & 1), inGroup + 4 * (k >> 1)};
  return {group + 8 * (k >> 1 & 1), inGroup * 2 + (k & 1) + 8 * (k >> 2)};
}

Position clique::emulation::getPositionInB(int lane, int k, int32_t type) {
  const int group = lane / 4, inGroup = lane % 4;
  if (type == CLIQUE_EMU_MMA_TF32)
    return {inGroup + 4 * k, group};
  return {inGroup * 2 + (k & 1) + 8 * (k >> 1), group};
}

Position clique::emulation::getPositionInC(int lane, int k) {
  return {lane / 4 + 8 * (k >> 1), lane % 4 * 2 + (k & 1)};
}
