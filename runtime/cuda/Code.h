//===- Code.h - Kernels of compiled layers ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among the images of a clique_device_code, and their loading: once
// per artefact and device, kept in `loaded`. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_CODE_H
#define CLIQUE_RUNTIME_CUDA_CODE_H

#include "runtime/DeviceArrays.h"
#include "runtime/compiled.h"
#include "runtime/cuda/Context.h"

#include <atomic>
#include <vector>

namespace clique::cuda {

/// A kernel on one device.
struct Kernel {
  explicit Kernel(CUfunction function) : function(function) {}
  const CUfunction function;
  /// Bytes of dynamic shared memory that it is allowed so far.
  std::atomic<int64_t> sharedBytes{int64_t(48) << 10};
};

/// Finds a kernel, and loads the code before if need be. The device's context
/// is current.
Kernel &findKernel(Context &context, clique_device_code &code,
                   const char *name);

/// The copies of the code's constants on all devices.
DeviceArrays &constantsOf(clique_device_code &code);

/// Unloads the code from all devices.
void unloadCode(clique_device_code &code) noexcept;

/// The images that the device can run, the best one first; throws if there are
/// none.
std::vector<const clique_device_image *>
rankImages(const Context &context, const clique_device_code &code);

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_CODE_H
