//===- Tensors.cpp - Inputs and expected outputs --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "benchmarks/device/driver/Tensors.h"
#include "benchmarks/device/driver/Options.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <random>

using namespace clique::device;

//===----------------------------------------------------------------------===//
// Memory and elements
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of the CPU that owns its memory.
struct HostTensor {
  DLManagedTensor managed = {};
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};
} // namespace

static int64_t countElements(const DLTensor &tensor) {
  int64_t count = 1;
  for (int32_t dim = 0; dim < tensor.ndim; ++dim)
    count *= tensor.shape[dim];
  return count;
}

static TensorHandle makeTensor(DLDataType type, std::vector<int64_t> shape) {
  auto *host = new HostTensor;
  host->shape = std::move(shape);
  DLTensor &tensor = host->managed.dl_tensor;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = int32_t(host->shape.size());
  tensor.dtype = type;
  tensor.shape = host->shape.data();
  host->bytes.resize(size_t(countElements(tensor)) * (type.bits / 8));
  tensor.data = host->bytes.data();
  host->managed.manager_ctx = host;
  host->managed.deleter = [](DLManagedTensor *self) {
    delete static_cast<HostTensor *>(self->manager_ctx);
  };
  return TensorHandle(&host->managed);
}

template <typename T>
static T load(const DLTensor &tensor, int64_t k) {
  T value;
  std::memcpy(&value,
              static_cast<const char *>(tensor.data) + k * int64_t(sizeof(T)),
              sizeof(T));
  return value;
}

template <typename T>
static void store(const DLTensor &tensor, int64_t k, T value) {
  std::memcpy(static_cast<char *>(tensor.data) + k * int64_t(sizeof(T)), &value,
              sizeof(T));
}

/// To the nearest, ties to even; no NaNs.
static uint16_t toBFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return uint16_t((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

static float fromBFloat(uint16_t half) {
  const uint32_t bits = uint32_t(half) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// To the nearest; for magnitudes that are no overflow in f16, and to 0 where
/// they are less than its normal numbers.
static uint16_t toHalf(float value) {
  int exponent;
  const float fraction = std::frexp(std::fabs(value), &exponent);
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (fraction == 0 || exponent < -13)
    return sign;
  // 1.m has eleven bits; rounding up to the next power of two carries over.
  const auto mantissa = uint32_t(std::nearbyint(fraction * 2048));
  return uint16_t(sign + (uint32_t(exponent + 13) << 10) + mantissa);
}

static double fromHalf(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

static double getElement(const DLTensor &tensor, int64_t k) {
  const DLDataType type = tensor.dtype;
  if (type.code == kDLBfloat)
    return fromBFloat(load<uint16_t>(tensor, k));
  if (type.code == kDLFloat)
    return type.bits == 16   ? fromHalf(load<uint16_t>(tensor, k))
           : type.bits == 32 ? load<float>(tensor, k)
                             : load<double>(tensor, k);
  return type.bits == 8    ? double(load<int8_t>(tensor, k))
         : type.bits == 16 ? double(load<int16_t>(tensor, k))
         : type.bits == 32 ? double(load<int32_t>(tensor, k))
                           : double(load<int64_t>(tensor, k));
}

static void setElement(const DLTensor &tensor, int64_t k, double value) {
  if (tensor.dtype.code == kDLBfloat)
    store(tensor, k, toBFloat(float(value)));
  else if (tensor.dtype.bits == 16)
    store(tensor, k, toHalf(float(value)));
  else if (tensor.dtype.bits == 32)
    store(tensor, k, float(value));
  else
    store(tensor, k, value);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

TensorHandle clique::device::readTensor(const std::string &path,
                                        const clique_arg &arg) {
  DLManagedTensor *read = nullptr;
  check(clique_npy_read(path.c_str(), /*allow_nan=*/1, &read));
  TensorHandle tensor(read);
  const DLTensor &values = read->dl_tensor;
  const DLDataType type = values.dtype;
  if (type.code == arg.dtype.code && type.bits == arg.dtype.bits)
    return tensor;
  if (arg.dtype.code != kDLBfloat || type.code != kDLFloat || type.bits != 32)
    throw std::runtime_error(fmt::format(
        "{}: elements of another type than argument '{}' of the layer", path,
        arg.name));
  TensorHandle result =
      makeTensor(arg.dtype, std::vector<int64_t>(values.shape,
                                                 values.shape + values.ndim));
  for (int64_t k = 0, end = countElements(values); k < end; ++k)
    setElement(result->dl_tensor, k, getElement(values, k));
  return result;
}

static int64_t findRows(const clique_arg &arg,
                        const std::vector<const clique_graph *> &graphs) {
  const clique_graph *graph =
      arg.extent == CLIQUE_EXTENT_NONE ? nullptr : graphs.at(size_t(arg.graph));
  if (!graph)
    throw std::runtime_error(fmt::format(
        "no graph tells how large argument '{}' is; give it with --case",
        arg.name));
  return arg.extent == CLIQUE_EXTENT_DST   ? clique_graph_num_dst(graph)
         : arg.extent == CLIQUE_EXTENT_SRC ? clique_graph_num_src(graph)
                                           : clique_graph_num_edges(graph);
}

TensorHandle
clique::device::makeRandom(const clique_arg &arg,
                           const std::vector<const clique_graph *> &graphs) {
  if (arg.dtype.code != kDLFloat && arg.dtype.code != kDLBfloat)
    throw std::runtime_error(fmt::format(
        "argument '{}' has integers, which are not made at random; give it "
        "with --case",
        arg.name));
  std::vector<int64_t> shape(arg.shape, arg.shape + arg.rank);
  for (int64_t &size : shape)
    if (size == CLIQUE_DYNAMIC)
      size = findRows(arg, graphs);
  const bool isWeight = arg.extent == CLIQUE_EXTENT_NONE && shape.size() > 1;
  const double scale = isWeight ? 1 / std::sqrt(double(shape[0])) : 1;
  TensorHandle tensor = makeTensor(arg.dtype, std::move(shape));
  std::mt19937_64 random(std::hash<std::string>()(arg.name));
  for (int64_t k = 0, end = countElements(tensor->dl_tensor); k < end; ++k)
    setElement(tensor->dl_tensor, k,
               scale * std::ldexp(double(int64_t(random()) >> 11), -52));
  return tensor;
}

TensorHandle clique::device::copyTensor(const DLTensor &tensor,
                                        DLDeviceType to) {
  DLManagedTensor *copy = nullptr;
  check(clique_tensor_copy(&tensor, to, &copy));
  return TensorHandle(copy);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

double clique::device::findError(const DLTensor &actual,
                                 const DLTensor &expected) {
  const std::vector<int64_t> shape(actual.shape, actual.shape + actual.ndim);
  const std::vector<int64_t> wanted(expected.shape,
                                    expected.shape + expected.ndim);
  if (shape != wanted)
    throw std::runtime_error(
        fmt::format("the result has shape [{}], expected [{}]",
                    fmt::join(shape, ", "), fmt::join(wanted, ", ")));
  double largest = 0, scale = 0;
  for (int64_t k = 0, end = countElements(expected); k < end; ++k) {
    const double found = getElement(actual, k), right = getElement(expected, k);
    if (std::isfinite(right))
      scale = std::max(scale, std::fabs(right));
    if (found == right || (std::isnan(found) && std::isnan(right)))
      continue;
    const double difference = std::fabs(found - right);
    if (!(difference <= largest))
      largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                       : difference;
  }
  return largest / (scale > 0 ? scale : 1);
}

double clique::device::getDefaultTolerance(DLDataType type) {
  if (type.code == kDLBfloat)
    return 2e-2;
  if (type.code == kDLFloat)
    return type.bits == 16 ? 2e-3 : type.bits == 32 ? 1e-5 : 1e-12;
  return 0;
}
