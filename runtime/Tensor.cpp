//===- Tensor.cpp - DLPack tensors ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that own their memory, and the properties of tensors handed in.
//
//===----------------------------------------------------------------------===//
#include "runtime/Tensor.h"
#include "runtime/Error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <utility>

using namespace clique;

namespace {
/// The tensor, its shape and its memory, freed together.
struct OwnedTensor {
  DLManagedTensor managed = {
      {nullptr, {kDLCPU, 0}, 0, {}, nullptr, nullptr, 0}, nullptr, nullptr};
  std::vector<int64_t> shape;
  BlockCache *memory = nullptr;
  void *block = nullptr;
};
} // namespace

static void freeOwnedTensor(DLManagedTensor *tensor) {
  auto *owned = static_cast<OwnedTensor *>(tensor->manager_ctx);
  owned->memory->free(owned->block);
  delete owned;
}

TensorPtr clique::adoptBlock(Device *device, DLDataType dtype,
                             const std::vector<int64_t> &shape, void *block,
                             void *data) {
  auto owned = std::make_unique<OwnedTensor>();
  owned->shape = shape;
  owned->memory = device ? &device->memory() : &hostMemory();
  owned->block = block;
  DLTensor &tensor = owned->managed.dl_tensor;
  tensor.data = data;
  tensor.device = device ? device->id() : DLDevice{kDLCPU, 0};
  tensor.ndim = int(shape.size());
  tensor.dtype = dtype;
  tensor.shape = owned->shape.data();
  owned->managed.manager_ctx = owned.get();
  owned->managed.deleter = freeOwnedTensor;
  return TensorPtr(&owned.release()->managed);
}

void *clique::detachBlock(DLManagedTensor &tensor) {
  if (tensor.deleter != freeOwnedTensor)
    return nullptr;
  auto &owned = *static_cast<OwnedTensor *>(tensor.manager_ctx);
  if (owned.memory != &hostMemory())
    return nullptr;
  return std::exchange(owned.block, nullptr);
}

TensorPtr clique::makeTensor(Device *device, DLDataType dtype,
                             const std::vector<int64_t> &shape) {
  const int64_t count = countElements(shape.data(), int32_t(shape.size()));
  BlockRequest request;
  request.size = size_t(count * elementBytes(dtype));
  request.stream = device ? device->stream() : nullptr;
  void *block = allocateOrFail(device, request);
  try {
    return adoptBlock(device, dtype, shape, block, block);
  } catch (...) {
    (device ? device->memory() : hostMemory()).free(block);
    throw;
  }
}

TensorPtr clique::makeTensor(DLDataType dtype,
                             const std::vector<int64_t> &shape) {
  return makeTensor(/*device=*/nullptr, dtype, shape);
}

int64_t clique::countElements(const int64_t *shape, int32_t rank) {
  int64_t count = 1;
  bool overflow = false, empty = false;
  for (int32_t d = 0; d < rank; ++d) {
    if (shape[d] < 0)
      return -1;
    empty |= shape[d] == 0;
    overflow |= __builtin_mul_overflow(count, shape[d], &count);
  }
  if (empty)
    return 0;
  return overflow ? -1 : count;
}

void clique::requireShape(const DLTensor &tensor, const std::string &where) {
  if (tensor.ndim < 0)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: has {} dimensions, expected 0 or more",
         where, tensor.ndim);
  if (tensor.ndim > 0 && !tensor.shape)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: has {} dimensions, and NULL in place of their sizes", where,
         tensor.ndim);
  if (countElements(tensor.shape, tensor.ndim) < 0)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: has shape {}, expected sizes of 0 or more, and no more elements "
         "than 63 bits count",
         where, shapeText(tensor.shape, tensor.ndim));
}

bool clique::isContiguous(const DLTensor &tensor) {
  if (!tensor.strides || countElements(tensor.shape, tensor.ndim) <= 1)
    return true;
  int64_t expected = 1;
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    if (tensor.shape[d] != 1 && tensor.strides[d] != expected)
      return false;
    expected *= tensor.shape[d];
  }
  return true;
}

static const char *codeName(uint8_t code) {
  switch (code) {
  case kDLInt:
    return "i";
  case kDLUInt:
    return "u";
  case kDLFloat:
    return "f";
  case kDLBfloat:
    return "bf";
  case kDLComplex:
    return "complex";
  case CLIQUE_DL_BOOL:
    return "bool";
  default:
    return "type";
  }
}

std::string clique::dtypeName(DLDataType dtype) {
  if (dtype.code == CLIQUE_DL_BOOL && dtype.bits == 8 && dtype.lanes == 1)
    return "i1";
  std::string name = fmt::format("{}{}", codeName(dtype.code), dtype.bits);
  if (dtype.lanes != 1)
    name += fmt::format("x{}", dtype.lanes);
  return name;
}

std::string clique::shapeText(const int64_t *shape, int32_t rank) {
  return fmt::format("[{}]", fmt::join(shape, shape + rank, ", "));
}
