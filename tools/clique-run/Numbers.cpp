//===- Numbers.cpp - Numbers as text, as bits and at random ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing, tensors of our own, rounding, and a random stream.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Numbers.h"
#include "tools/support/Memory.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstdlib>
#include <vector>

using namespace clique;

std::optional<int64_t> clique::parseInteger(llvm::StringRef text) {
  int64_t value;
  if (text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::optional<double> clique::parseNumber(llvm::StringRef text) {
  double value;
  if (text.getAsDouble(value) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// A tensor with what it points to.
struct OwnedTensor {
  DLManagedTensor managed{
      {nullptr, {kDLCPU, 0}, 0, {0, 0, 0}, nullptr, nullptr, 0},
      nullptr,
      nullptr};
  std::vector<int64_t> shape;
  void *data = nullptr;
};
} // namespace

static void freeOwned(DLManagedTensor *tensor) {
  auto *owned = static_cast<OwnedTensor *>(tensor->manager_ctx);
  std::free(owned->data);
  delete owned;
}

llvm::Expected<TensorHandle> clique::makeTensor(DLDataType type,
                                                llvm::ArrayRef<int64_t> shape) {
  bool overflows = false;
  uint64_t bytes = type.bits / 8;
  for (int64_t size : shape) {
    bool here = false;
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(size), &here);
    overflows |= here;
  }
  overflows |= bytes > getMostMemory();
  void *data = overflows ? nullptr : std::malloc(std::max<uint64_t>(bytes, 1));
  if (!data)
    return llvm::createStringError(
        std::errc::not_enough_memory,
        "%llu bytes are more than this machine can allocate",
        static_cast<unsigned long long>(bytes));
  auto *owned = new OwnedTensor;
  owned->shape.assign(shape.begin(), shape.end());
  owned->data = data;
  DLTensor &tensor = owned->managed.dl_tensor;
  tensor.data = data;
  tensor.ndim = int(shape.size());
  tensor.dtype = type;
  tensor.shape = owned->shape.data();
  owned->managed.manager_ctx = owned;
  owned->managed.deleter = freeOwned;
  return TensorHandle(&owned->managed);
}

int64_t clique::getNumElements(const DLTensor &tensor) {
  int64_t count = 1;
  for (int dim = 0; dim < tensor.ndim; ++dim)
    count *= tensor.shape[dim];
  return count;
}

static llvm::APFloat convert(double value, const llvm::fltSemantics &kind) {
  llvm::APFloat number(value);
  bool losesInformation;
  number.convert(kind, llvm::APFloat::rmNearestTiesToEven, &losesInformation);
  return number;
}

static uint16_t toHalfPrecision(double value, const llvm::fltSemantics &kind) {
  return uint16_t(convert(value, kind).bitcastToAPInt().getZExtValue());
}

double clique::roundToType(DLDataType type, double value) {
  if (type.code == kDLBfloat)
    return convert(value, llvm::APFloat::BFloat()).convertToDouble();
  if (type.code != kDLFloat || type.bits == 64)
    return value;
  return type.bits == 32
             ? double(float(value))
             : convert(value, llvm::APFloat::IEEEhalf()).convertToDouble();
}

void clique::setElement(const DLTensor &tensor, int64_t k, double value) {
  auto store = [&](auto converted) {
    static_cast<decltype(converted) *>(tensor.data)[k] = converted;
  };
  DLDataType type = tensor.dtype;
  if (type.code == kDLBfloat)
    return store(toHalfPrecision(value, llvm::APFloat::BFloat()));
  if (type.code == kDLFloat)
    return type.bits == 16
               ? store(toHalfPrecision(value, llvm::APFloat::IEEEhalf()))
           : type.bits == 32 ? store(float(value))
                             : store(value);
  switch (type.bits) {
  case 8:
    return store(int8_t(value));
  case 16:
    return store(int16_t(value));
  case 32:
    return store(int32_t(value));
  default:
    return store(int64_t(value));
  }
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, OOPSLA 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

RandomStream::RandomStream(uint64_t seed, llvm::StringRef name)
    : key(mix(seed + 1)) {
  for (char c : name)
    key = mix(key ^ uint8_t(c));
}

uint64_t RandomStream::getBits(uint64_t k) const {
  return mix(key + (k + 1) * 0x9e3779b97f4a7c15);
}

double RandomStream::getUniform(uint64_t k) const {
  return double(getBits(k) >> 11) * 0x1p-52 - 1.0;
}

int64_t RandomStream::getInteger(uint64_t k, int64_t bound) const {
  return int64_t((getUniform(k) + 1.0) / 2.0 * double(bound));
}
