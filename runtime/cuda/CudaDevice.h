//===- CudaDevice.h - An invocation on a CUDA device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device and stream that the thread's user chose.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_CUDADEVICE_H
#define CLIQUE_RUNTIME_CUDA_CUDADEVICE_H

#include "runtime/Device.h"

namespace clique::cuda {

/// Throws if there is no driver, no GPU, or no device of that number.
std::unique_ptr<Device> openChosenDevice();

/// See unloadDeviceCode.
void unloadCode(clique_device_code &code) noexcept;

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_CUDADEVICE_H
