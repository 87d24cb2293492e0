//===- Tensor.cpp - Tensors of the reference interpreter ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact conversion of DLPack tensors to doubles.
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Tensor.h"
#include "runtime/clique.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace clique;
using namespace mlir;

int64_t reference::getNumElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string reference::describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "a scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

int64_t reference::toInteger(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

static bool isContiguous(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  int64_t expected = 1;
  for (int dim = tensor.ndim - 1; dim >= 0; --dim) {
    if (tensor.shape[dim] != 1 && tensor.strides[dim] != expected)
      return false;
    expected *= tensor.shape[dim];
  }
  return true;
}

template <typename T>
static void convertElements(const char *from, std::vector<double> &to) {
  for (auto [i, value] : llvm::enumerate(to)) {
    T element;
    std::memcpy(&element, from + i * sizeof(T), sizeof(T));
    value = static_cast<double>(element);
  }
}

static void convertHalves(const llvm::fltSemantics &semantics, const char *from,
                          std::vector<double> &to) {
  for (auto [i, value] : llvm::enumerate(to)) {
    uint16_t bits;
    std::memcpy(&bits, from + i * sizeof(bits), sizeof(bits));
    APFloat element(semantics, APInt(16, bits));
    bool losesInfo;
    element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    value = element.convertToDouble();
  }
}

/// False if no element type is stored so.
static bool convert(DLDataType type, const char *from,
                    std::vector<double> &to) {
  switch (type.code << 8 | type.bits) {
  case kDLFloat << 8 | 64:
    convertElements<double>(from, to);
    return true;
  case kDLFloat << 8 | 32:
    convertElements<float>(from, to);
    return true;
  case kDLFloat << 8 | 16:
    convertHalves(APFloat::IEEEhalf(), from, to);
    return true;
  case kDLBfloat << 8 | 16:
    convertHalves(APFloat::BFloat(), from, to);
    return true;
  case kDLInt << 8 | 64:
    convertElements<int64_t>(from, to);
    return true;
  case kDLInt << 8 | 32:
    convertElements<int32_t>(from, to);
    return true;
  case kDLInt << 8 | 16:
    convertElements<int16_t>(from, to);
    return true;
  case kDLInt << 8 | 8:
    convertElements<int8_t>(from, to);
    return true;
  case kDLUInt << 8 | 64:
    convertElements<uint64_t>(from, to);
    return true;
  case kDLUInt << 8 | 32:
    convertElements<uint32_t>(from, to);
    return true;
  case kDLUInt << 8 | 16:
    convertElements<uint16_t>(from, to);
    return true;
  case CLIQUE_DL_BOOL << 8 | 8:
    convertElements<uint8_t>(from, to);
    for (double &value : to)
      value = value != 0;
    return true;
  case kDLUInt << 8 | 8:
    convertElements<uint8_t>(from, to);
    return true;
  default:
    return false;
  }
}

llvm::Expected<ReferenceTensor>
ReferenceTensor::fromDLPack(const DLTensor &tensor) {
  if (tensor.device.device_type != kDLCPU)
    return llvm::createStringError(
        "tensor is on a device of type %d, expected the CPU: copy it there",
        static_cast<int>(tensor.device.device_type));
  if (!isContiguous(tensor))
    return llvm::createStringError(
        "tensor is not contiguous, expected row-major order without gaps: copy "
        "it");
  ReferenceTensor result;
  result.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  result.data.resize(reference::getNumElements(result.shape));
  const char *bytes =
      static_cast<const char *>(tensor.data) + tensor.byte_offset;
  if (tensor.dtype.lanes != 1 || !convert(tensor.dtype, bytes, result.data))
    return llvm::createStringError(
        "tensor has elements of DLPack code %d with %d bits and %d lanes, "
        "expected bf16, f16, f32, f64 or integers of 8 to 64 bits",
        static_cast<int>(tensor.dtype.code),
        static_cast<int>(tensor.dtype.bits),
        static_cast<int>(tensor.dtype.lanes));
  return result;
}
