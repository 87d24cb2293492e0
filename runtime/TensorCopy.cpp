//===- TensorCopy.cpp - Tensors from one device to another ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that have no other library to reach the device's memory with.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Tensor.h"

#include <cstring>

using namespace clique;

static void copyBytes(Device *device, const DLTensor &from, const DLTensor &to,
                      size_t bytes) {
  const bool fromHost = from.device.device_type == kDLCPU;
  const bool toHost = to.device.device_type == kDLCPU;
  if (fromHost && toHost) {
    std::memcpy(tensorData(to), tensorData(from), bytes);
    return;
  }
  if (toHost)
    device->read(tensorData(to), tensorData(from), bytes);
  else if (fromHost)
    device->write(tensorData(to), tensorData(from), bytes);
  else
    device->copy(tensorData(to), tensorData(from), bytes);
  device->wait();
}

static void checkSource(const DLTensor &tensor, const Device *device) {
  constexpr const char *where = "clique_tensor_copy";
  const int64_t count = countElements(tensor.shape, tensor.ndim);
  int64_t bytes;
  if (tensor.dtype.bits % 8 != 0 || tensor.dtype.lanes != 1 ||
      __builtin_mul_overflow(count, elementBytes(tensor.dtype), &bytes))
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: a tensor of shape {} and type {}, expected elements of whole "
         "bytes, and no more than there can be",
         where, shapeText(tensor.shape, tensor.ndim), dtypeName(tensor.dtype));
  if (!isContiguous(tensor))
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: strides {}, expected a contiguous row-major tensor", where,
         shapeText(tensor.strides, tensor.ndim));
  if (count > 0 && !tensor.data)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: no data, expected {} elements", where,
         count);
  if (device && tensor.device.device_type != kDLCPU &&
      tensor.device.device_id != device->id().device_id)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: the tensor is on CUDA device {}, this thread uses device {}; "
         "choose the device with clique_set_cuda_device",
         where, tensor.device.device_id, device->id().device_id);
}

clique_status clique_tensor_copy(const DLTensor *from, DLDeviceType to,
                                 DLManagedTensor **copy) {
  return guarded([&] {
    requireNonNull(from, "clique_tensor_copy", "from");
    requireNonNull(copy, "clique_tensor_copy", "copy");
    requireShape(*from, "clique_tensor_copy: the tensor");
    std::unique_ptr<Device> source = openDevice(from->device.device_type);
    std::unique_ptr<Device> target = openDevice(to);
    Device *device = source ? source.get() : target.get();
    checkSource(*from, device);
    const std::vector<int64_t> shape(from->shape, from->shape + from->ndim);
    TensorPtr result = makeTensor(target.get(), from->dtype, shape);
    const int64_t count = countElements(from->shape, from->ndim);
    copyBytes(device, *from, result->dl_tensor,
              size_t(count * elementBytes(from->dtype)));
    *copy = result.release();
  });
}
