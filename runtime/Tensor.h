//===- Tensor.h - DLPack tensors --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that own their memory, and the properties of tensors handed in.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TENSOR_H
#define CLIQUE_RUNTIME_TENSOR_H

#include "runtime/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace clique {

struct TensorDeleter {
  void operator()(DLManagedTensor *tensor) const { tensor->deleter(tensor); }
};
using TensorPtr = std::unique_ptr<DLManagedTensor, TensorDeleter>;

/// A new contiguous tensor on the CPU, its contents undefined. The number of
/// its bytes is known not to overflow.
TensorPtr makeTensor(DLDataType dtype, const std::vector<int64_t> &shape);
/// The same in the memory of a device; nullptr for the CPU.
TensorPtr makeTensor(Device *device, DLDataType dtype,
                     const std::vector<int64_t> &shape);
/// A tensor over a block of the device's memory, which it takes over.
TensorPtr adoptBlock(Device *device, DLDataType dtype,
                     const std::vector<int64_t> &shape, void *block,
                     void *data);

/// The block of the host that `tensor` owns, which is the caller's from then
/// on; nullptr, and nothing happens, if it has none of the runtime's.
void *detachBlock(DLManagedTensor &tensor);

/// Elements of a shape; -1 if there are more than 64 bits can count, or a size
/// is below 0.
int64_t countElements(const int64_t *shape, int32_t rank);
inline int64_t elementBytes(DLDataType dtype) { return dtype.bits / 8; }
/// Address of the first element.
inline char *tensorData(const DLTensor &tensor) {
  return static_cast<char *>(tensor.data) + tensor.byte_offset;
}
/// Refuses a tensor of a caller that has no shape: a rank below 0, sizes that
/// are NULL, or more elements than 63 bits count. `where` opens the message.
void requireShape(const DLTensor &tensor, const std::string &where);
/// Whether the strides are NULL or those of a row-major contiguous tensor.
bool isContiguous(const DLTensor &tensor);

/// "f32", "bf16", "i64", "u8" ...
std::string dtypeName(DLDataType dtype);
inline bool sameType(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
/// "[3, 64]".
std::string shapeText(const int64_t *shape, int32_t rank);

} // namespace clique

#endif // CLIQUE_RUNTIME_TENSOR_H
