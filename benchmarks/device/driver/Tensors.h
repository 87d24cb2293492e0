//===- Tensors.h - Inputs and expected outputs ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads arrays of a case or makes random ones, and compares.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_BENCHMARKS_DEVICE_DRIVER_TENSORS_H
#define CLIQUE_BENCHMARKS_DEVICE_DRIVER_TENSORS_H

#include "runtime/clique.h"

#include <memory>
#include <string>
#include <vector>

namespace clique::device {

struct FreeTensor {
  void operator()(DLManagedTensor *tensor) const { tensor->deleter(tensor); }
};
using TensorHandle = std::unique_ptr<DLManagedTensor, FreeTensor>;

/// The array of a file in the type of the argument: f32 becomes bf16, which
/// files cannot hold. Throws std::runtime_error.
TensorHandle readTensor(const std::string &path, const clique_arg &arg);

/// Uniform numbers in [-1, 1), divided by the root of the first size where the
/// argument is a weight. `graphs[k]` is the graph that is argument k, or null.
/// Throws std::runtime_error for integers, and for a size that no graph tells.
TensorHandle makeRandom(const clique_arg &arg,
                        const std::vector<const clique_graph *> &graphs);

/// A copy on the CPU or the GPU.
TensorHandle copyTensor(const DLTensor &tensor, DLDeviceType to);

/// The largest difference of two tensors of the CPU, of the largest value that
/// is expected; infinite if NaNs are not where they are expected. Throws
/// std::runtime_error if the shapes differ.
double findError(const DLTensor &actual, const DLTensor &expected);

/// f32 1e-5, f64 1e-12, f16 2e-3, bf16 2e-2, integers 0.
double getDefaultTolerance(DLDataType type);

} // namespace clique::device
#endif // CLIQUE_BENCHMARKS_DEVICE_DRIVER_TENSORS_H
