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

/// Compares 2 x n doubles.
ReferenceComparison compare(std::vector<double> actual,
                            std::vector<double> expected) {
  std::vector<int64_t> shape = {2, int64_t(actual.size()) / 2};
  return llvm::cantFail(compareWithReference(view(actual, shape, kDLFloat),
                                             {shape, std::move(expected)}));
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
  EXPECT_EQ(compare({kNaN, 1, 1, 1}, {1, 1, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 1, 1, 1}, {1, 1, 1, kNaN}).error, kInf);
  EXPECT_EQ(compare({1, kInf, 1, 1}, {1, -kInf, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 5, 1, 1}, {1, kInf, 1, 1}).error, kInf);
  EXPECT_EQ(compare({1, 1, 1, 1}, {1, 1, 1, kNaN}).position,
            (std::vector<int64_t>{1, 1}));
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
      compareWithReference(view(data, shape, kDLFloat), {{1, 2}, {1, 2}});
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
  EXPECT_EQ(convert<uint8_t>({253, 1}, kDLUInt), (Doubles{253, 1}));
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
  EXPECT_NE(getError(transposed).find("not contiguous"), std::string::npos);
  DLTensor onDevice = view(data, shape, kDLFloat);
  onDevice.device.device_type = kDLCUDA;
  EXPECT_NE(getError(onDevice).find("on a device"), std::string::npos);
  DLTensor complex = view(data, shape, kDLComplex);
  EXPECT_NE(getError(complex).find("DLPack code 5"), std::string::npos);
}
