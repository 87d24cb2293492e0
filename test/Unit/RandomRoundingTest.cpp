//===- RandomRoundingTest.cpp - Rounding at random ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"
#include "compiler/Reference/Rounding.h"

#include <cfloat>
#include <cmath>

using namespace clique;
using namespace clique::test;
using reference::RandomRounding;

static RandomRounding makeF32(uint64_t seed) {
  return {24, -126, FLT_MAX, seed};
}

TEST(RandomRounding, GoesToANeighbour) {
  const double value = 1 + 0x1p-25;
  bool isUp = false, isDown = false;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    double rounded = makeF32(seed)(value);
    isUp |= rounded == 1 + 0x1p-23;
    isDown |= rounded == 1;
    EXPECT_TRUE(rounded == 1 || rounded == 1 + 0x1p-23);
  }
  EXPECT_TRUE(isUp && isDown);
}

TEST(RandomRounding, IsRightInTheMean) {
  double sum = 0;
  constexpr int count = 4000;
  for (int seed = 0; seed < count; ++seed)
    sum += makeF32(seed)(1 + 0x1p-25) - 1;
  EXPECT_NEAR(sum / count / 0x1p-23, 0.25, 0.03);
}

TEST(RandomRounding, LeavesExactNumbers) {
  for (double value : {0.0, 1.0, -0.375, double(0.1f), double(FLT_MAX),
                       double(FLT_MIN), 0x1p-149, 3 * 0x1p-149, kInf, -kInf})
    EXPECT_EQ(makeF32(1)(value), value);
  EXPECT_TRUE(std::isnan(makeF32(1)(NAN)));
  // Numbers of a few bits are taken to be exact in double precision, too.
  RandomRounding f64(53, -1022, DBL_MAX, 1);
  EXPECT_EQ(f64(0.375), 0.375);
  EXPECT_NE(f64(0.1), 0.1);
  EXPECT_NEAR(f64(0.1), 0.1, 2e-17);
}

TEST(RandomRounding, OfEqualElements) {
  const double value = 1 + 0x1p-25;
  auto countUp = [&](bool hasPlaces) {
    RandomRounding round(24, -126, FLT_MAX, /*seed=*/3, hasPlaces);
    int up = 0;
    for (int64_t element = 0; element < 400; ++element)
      up += round(value, element) > 1;
    return up;
  };
  EXPECT_NEAR(countUp(/*hasPlaces=*/true), 100, 40);
  // As compiled code computes them: all of them alike.
  EXPECT_EQ(countUp(/*hasPlaces=*/false) % 400, 0);
  // Sums round each by itself.
  RandomRounding sums =
      RandomRounding(24, -126, FLT_MAX, 3, /*hasPlaces=*/false).makeAlike();
  int up = 0;
  for (int64_t element = 0; element < 400; ++element)
    up += sums(value, element) > 1;
  EXPECT_NEAR(up, 100, 40);
}

TEST(RandomRounding, ToNearest) {
  RandomRounding round(24, -126, FLT_MAX, /*seed=*/0, /*hasPlaces=*/true,
                       /*isNearest=*/true);
  for (double value : {1.0 / 3, -1e9 / 7, 1 + 0x1p-24, 1 + 3 * 0x1p-24, 1e-41,
                       0.6 * 0x1p-149, 0.4 * 0x1p-149, 1e39})
    EXPECT_EQ(round(value), double(float(value))) << value;
  EXPECT_EQ(round.makeApproximate()(1.0 / 3), double(float(1.0 / 3)));
  RandomRounding f64(53, -1022, DBL_MAX, 0, /*hasPlaces=*/true,
                     /*isNearest=*/true);
  EXPECT_EQ(f64(0.1), 0.1);
}

TEST(RandomRounding, OfFunctionsIsThatOfPolynomials) {
  // A third is nearly a number of f32, the functions of compiled code miss it.
  const double value = double(1.0f / 3.0f), unit = 0x1p-25;
  double largest = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const double rounded = makeF32(seed).makeApproximate()(value);
    largest = std::max(largest, std::abs(rounded - value));
    EXPECT_LE(std::abs(rounded - value), 3 * unit);
  }
  EXPECT_GE(largest, unit);
  // Exact ones stay, and no cosine is larger than 1.
  for (uint64_t seed = 0; seed < 40; ++seed) {
    EXPECT_EQ(makeF32(seed).makeApproximate()(1), 1);
    EXPECT_LE(makeF32(seed).makeApproximate()(1 - 0x1p-25), 1);
    EXPECT_LE(1, makeF32(seed).makeApproximate()(1 + 0x1p-25));
  }
}

TEST(RandomRounding, OverflowsAndUnderflows) {
  EXPECT_EQ(makeF32(0)(1e39), kInf);
  EXPECT_EQ(makeF32(0)(-1e39), -kInf);
  // Subnormal numbers are multiples of 2^-149.
  for (uint64_t seed = 0; seed < 10; ++seed) {
    double rounded = makeF32(seed)(2.5 * 0x1p-149);
    EXPECT_TRUE(rounded == 2 * 0x1p-149 || rounded == 3 * 0x1p-149);
    rounded = makeF32(seed)(0.25 * 0x1p-149);
    EXPECT_TRUE(rounded == 0 || rounded == 0x1p-149);
  }
}

TEST(RandomRounding, OfEqualTermsAddsUp) {
  // 1000 times a third: errors that cancel leave about a thirtieth.
  double cancelled = 0, alike = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    double sums[2] = {0, 0};
    for (int k = 0; k < 1000; ++k) {
      sums[0] = makeF32(seed)(sums[0] + 1.0 / 3);
      sums[1] = makeF32(seed).makeAlike()(sums[1] + 1.0 / 3);
    }
    cancelled = std::max(cancelled, std::abs(sums[0] - 1000.0 / 3));
    alike = std::max(alike, std::abs(sums[1] - 1000.0 / 3));
  }
  EXPECT_GT(alike, 5 * cancelled);
}
