//===- ReferenceCompareTest.cpp - Results against the reference -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"
#include "compiler/Reference/Compare.h"

#include <cmath>

using namespace clique;
using clique::test::kInf;

namespace {
constexpr double kNaN = NAN;

template <typename T>
DLTensor view(std::vector<T> &data, std::vector<int64_t> &shape,
              DLDataTypeCode code) {
  DLDataType type = {static_cast<uint8_t>(code), sizeof(T) * 8, 1};
  return {data.data(),  {kDLCPU, 0}, int32_t(shape.size()), type,
          shape.data(), nullptr,     /*byte_offset=*/0};
}

/// Compares 2 x n doubles, with what one run with rounding gave.
ReferenceComparison compare(std::vector<double> actual,
                            std::vector<double> expected,
                            const ReferenceTolerance &tolerance = {},
                            const std::vector<double> &rounded = {}) {
  std::vector<int64_t> shape = {2, int64_t(actual.size()) / 2};
  ReferenceTensor run{shape, rounded};
  llvm::SmallVector<const ReferenceTensor *> runs;
  if (!rounded.empty())
    runs.push_back(&run);
  return llvm::cantFail(compareWithReference(view(actual, shape, kDLFloat),
                                             {shape, std::move(expected)},
                                             tolerance, runs));
}
} // namespace

TEST(ReferenceCompare, ErrorIsRelativeToTheLargestMagnitude) {
  ReferenceComparison result = compare({1, 2, -7, 4}, {1, 2.5, -8, 4});
  EXPECT_DOUBLE_EQ(result.error, 1.0 / 8);
  EXPECT_EQ(result.position, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(result.actual, -7);
  EXPECT_EQ(result.expected, -8);
}

TEST(ReferenceCompare, ZeroReferenceGivesTheAbsoluteError) {
  EXPECT_DOUBLE_EQ(compare({0, 0.25, 0, 0}, {0, 0, 0, 0}).error, 0.25);
}

TEST(ReferenceCompare, InfinitiesDoNotCountAsScale) {
  EXPECT_DOUBLE_EQ(compare({kInf, 2, 1, 1}, {kInf, 4, 1, 1}).error, 0.5);
}

TEST(ReferenceCompare, NaNsAndInfinities) {
  EXPECT_EQ(compare({kNaN, kInf, -kInf, 1}, {kNaN, kInf, -kInf, 1}).error, 0);
  EXPECT_EQ(compare({kNaN, kInf, kNaN, 1}, {kNaN, kInf, kNaN, 1}).numNaN, 2);
  EXPECT_EQ(compare({kNaN, 1, 1, 1}, {1, 1, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 1, 1, 1}, {1, 1, 1, kNaN}).error, kInf);
  EXPECT_EQ(compare({1, kInf, 1, 1}, {1, -kInf, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 5, 1, 1}, {1, kInf, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 1, 1, 1}, {1, 1, 1, kNaN}).position,
            (std::vector<int64_t>{1, 1}));
}

//===----------------------------------------------------------------------===//
// What may differ
//===----------------------------------------------------------------------===//

TEST(ReferenceCompare, TheWorstIsOutsideTheTolerance) {
  ReferenceComparison result = compare({1, 2.5, -8, 4}, {1, 2, -8, 4}, {0.1});
  EXPECT_TRUE(result.agrees);
  EXPECT_DOUBLE_EQ(result.error, 0.5 / 8);
  result = compare({1, 3, -8, 4}, {1, 2, -8, 4}, {0.1});
  EXPECT_FALSE(result.agrees);
  EXPECT_EQ(result.position, (std::vector<int64_t>{0, 1}));
}

TEST(ReferenceCompare, SmallRowsHaveAToleranceOfTheirOwn) {
  // Nothing beside the first row, all of the second one.
  const std::vector<double> expected = {1000, 1, 1e-6, 2e-6};
  ReferenceComparison result =
      compare({1000, 1, 1e-6, 1e-6}, expected, {1e-5, 0.01});
  EXPECT_FALSE(result.agrees);
  EXPECT_DOUBLE_EQ(result.errorOfRow, 0.5);
  EXPECT_EQ(result.position, (std::vector<int64_t>{1, 1}));
  EXPECT_TRUE(compare({1000, 1, 1e-6, 1e-6}, expected, {1e-5}).agrees);
  // What is small in a row of large values is nothing but that.
  EXPECT_TRUE(
      compare({1000, 1.001, 1e-6, 2e-6}, expected, {1e-5, 0.01}).agrees);
  EXPECT_FALSE(compare({0, 0, 0, 1e-30}, {0, 0, 0, 0}, {1e-5, 0.01}).agrees);
}

TEST(ReferenceCompare, RoundingExplainsAsMuchAsItMakes) {
  const std::vector<double> expected = {1, 2, 4, 8};
  const ReferenceTolerance tolerance = {1e-5, 1e-2, 8};
  auto agrees = [&](double last, const std::vector<double> &rounded) {
    return compare({1, 2, 4, last}, expected, tolerance, rounded).agrees;
  };
  EXPECT_FALSE(agrees(8.01, {}));
  EXPECT_FALSE(agrees(8.01, {1, 2, 4, 8.001}));
  EXPECT_TRUE(agrees(8.01, {1, 2, 4, 8.002}));
  // Also if it shows in the next element.
  EXPECT_TRUE(agrees(8.01, {1, 2, 4.002, 8}));
  EXPECT_EQ(compare({1, 2, 4, 8}, expected, tolerance, {1, 2, 4, 8.5}).rounding,
            0.5 / 8);
  EXPECT_EQ(compare({1, 2, 4, 8}, expected, tolerance, {}).rounding,
            std::nullopt);
}

TEST(ReferenceCompare, RoundingFarAwayExplainsNothing) {
  constexpr int64_t rows = 1000;
  std::vector<double> expected(2 * rows, 1), actual = expected;
  std::vector<double> rounded = expected;
  rounded[0] = 2;
  actual.back() = 1.001;
  std::vector<int64_t> shape = {rows, 2};
  ReferenceTensor run{shape, rounded};
  auto result = llvm::cantFail(compareWithReference(
      view(actual, shape, kDLFloat), {shape, expected}, {1e-5, 1e-2}, {&run}));
  EXPECT_FALSE(result.agrees);
  EXPECT_EQ(result.position, (std::vector<int64_t>{rows - 1, 1}));
}

TEST(ReferenceCompare, NaNsOfRoundingAreInTheSamePlace) {
  const ReferenceTolerance tolerance = {1e-5, 1e-2};
  EXPECT_TRUE(
      compare({kInf, 1, 1, 1}, {1e39, 1, 1, 1}, tolerance, {kInf, 1, 1, 1})
          .agrees);
  EXPECT_FALSE(
      compare({1, kInf, 1, 1}, {1e39, 1, 1, 1}, tolerance, {kInf, 1, 1, 1})
          .agrees);
  // Others are not compared with what overflowed.
  EXPECT_FALSE(
      compare({kInf, 2, 1, 1}, {1e39, 1, 1, 1}, tolerance, {kInf, 1, 1, 1})
          .agrees);
  EXPECT_FALSE(
      compare({kNaN, 1, 1, 1}, {1e39, 1, 1, 1}, tolerance, {kInf, 1, 1, 1})
          .agrees);
}

TEST(ReferenceCompare, IntegersAreThoseOfOneOfTheRuns) {
  std::vector<int64_t> shape = {2, 2};
  // The numbers of winners, of which rounding makes another one win.
  ReferenceTensor run{shape, {5, 900, 7, 8}};
  auto compareIntegers = [&](std::vector<int64_t> actual) {
    return llvm::cantFail(compareWithReference(
        view(actual, shape, kDLInt), {shape, {5, 6, 7, 8}}, {}, {&run}));
  };
  for (int64_t winner : {6, 900}) {
    ReferenceComparison result = compareIntegers({5, winner, 7, 8});
    EXPECT_TRUE(result.agrees);
    EXPECT_EQ(result.error, 0);
    EXPECT_EQ(result.rounding, std::nullopt);
  }
  // One between them is wrong, and so are the same numbers elsewhere.
  EXPECT_FALSE(compareIntegers({5, 7, 7, 8}).agrees);
  ReferenceComparison result = compareIntegers({5, 900, 900, 8});
  EXPECT_FALSE(result.agrees);
  EXPECT_EQ(result.position, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(result.rounding, std::nullopt);
}

TEST(ReferenceCompare, EmptyTensorsAgree) {
  ReferenceComparison result = compare({}, {});
  EXPECT_EQ(result.error, 0);
  EXPECT_TRUE(result.position.empty());
}

TEST(ReferenceCompare, ShapesMustAgree) {
  std::vector<double> data = {1, 2};
  std::vector<int64_t> shape = {2};
  auto result =
      compareWithReference(view(data, shape, kDLFloat), {{1, 2}, {1, 2}}, {});
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "shapes differ: the result is 2, the reference 1x2");
}

//===----------------------------------------------------------------------===//
// Conversion of DLPack tensors
//===----------------------------------------------------------------------===//

namespace {
template <typename T>
std::vector<double> convert(std::vector<T> data, DLDataTypeCode code) {
  std::vector<int64_t> shape = {int64_t(data.size())};
  return llvm::cantFail(ReferenceTensor::fromDLPack(view(data, shape, code)))
      .data;
}
} // namespace

TEST(ReferenceFromDLPack, ConvertsExactly) {
  using Doubles = std::vector<double>;
  EXPECT_EQ(convert<float>({0.1f}, kDLFloat), Doubles{double(0.1f)});
  EXPECT_EQ(convert<double>({0.1}, kDLFloat), Doubles{0.1});
  // 1.0009765625, the least subnormal, and infinity.
  EXPECT_EQ(convert<uint16_t>({0x3c01, 0x0001, 0x7c00}, kDLFloat),
            (Doubles{1.0009765625, 0x1p-24, kInf}));
  EXPECT_EQ(convert<uint16_t>({0x3f81, 0xc000}, kDLBfloat),
            (Doubles{1.0078125, -2}));
  EXPECT_EQ(convert<int64_t>({-3, int64_t(1) << 40}, kDLInt),
            (Doubles{-3, 0x1p40}));
  EXPECT_EQ(convert<int32_t>({-3}, kDLInt), Doubles{-3});
  EXPECT_EQ(convert<int8_t>({-3}, kDLInt), Doubles{-3});
  EXPECT_EQ(convert<int16_t>({-30000}, kDLInt), Doubles{-30000});
  EXPECT_EQ(convert<uint8_t>({253, 1}, kDLUInt), (Doubles{253, 1}));
  EXPECT_EQ(convert<uint16_t>({65535}, kDLUInt), Doubles{65535});
  EXPECT_EQ(convert<uint32_t>({4294967295}, kDLUInt), Doubles{4294967295});
  EXPECT_EQ(convert<uint64_t>({uint64_t(1) << 63}, kDLUInt), Doubles{0x1p63});
  EXPECT_EQ(convert<uint8_t>({0, 1, 2}, DLDataTypeCode(CLIQUE_DL_BOOL)),
            (Doubles{0, 1, 1}));
}

TEST(ReferenceFromDLPack, StridesOfContiguousTensors) {
  std::vector<float> data = {1, 2, 3, 4};
  std::vector<int64_t> shape = {2, 1, 2}, strides = {2, 77, 1};
  DLTensor tensor = view(data, shape, kDLFloat);
  tensor.strides = strides.data();
  EXPECT_EQ(llvm::cantFail(ReferenceTensor::fromDLPack(tensor)).data,
            (std::vector<double>{1, 2, 3, 4}));
}

TEST(ReferenceInteger, NumbersBeyondIntegersAreTheNearest) {
  EXPECT_EQ(reference::toInteger(-3.9), -3);
  EXPECT_EQ(reference::toInteger(std::nan("")), 0);
  EXPECT_EQ(reference::toInteger(kInf), INT64_MAX);
  EXPECT_EQ(reference::toInteger(0x1p63), INT64_MAX);
  EXPECT_EQ(reference::toInteger(-kInf), INT64_MIN);
}

TEST(ReferenceFromDLPack, HonoursTheByteOffset) {
  std::vector<float> data = {1, 2, 3};
  std::vector<int64_t> shape = {2};
  DLTensor tensor = view(data, shape, kDLFloat);
  tensor.byte_offset = sizeof(float);
  EXPECT_EQ(llvm::cantFail(ReferenceTensor::fromDLPack(tensor)).data,
            (std::vector<double>{2, 3}));
}

TEST(ReferenceFromDLPack, RefusesWhatItCannotRead) {
  std::vector<float> data = {1, 2, 3, 4};
  std::vector<int64_t> shape = {2, 2}, strides = {1, 2};
  auto getError = [](const DLTensor &tensor) {
    auto result = ReferenceTensor::fromDLPack(tensor);
    return result ? "" : llvm::toString(result.takeError());
  };
  DLTensor transposed = view(data, shape, kDLFloat);
  transposed.strides = strides.data();
  EXPECT_EQ(getError(transposed), "tensor is not contiguous, expected "
                                  "row-major order without gaps: copy it");
  DLTensor onDevice = view(data, shape, kDLFloat);
  onDevice.device.device_type = kDLCUDA;
  EXPECT_NE(getError(onDevice).find("on a device"), std::string::npos);
  DLTensor complex = view(data, shape, kDLComplex);
  EXPECT_NE(getError(complex).find("DLPack code 5"), std::string::npos);
}
