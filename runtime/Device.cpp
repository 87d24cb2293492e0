//===- Device.cpp - Where an invocation runs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the device type of a layer to the device.
//
//===----------------------------------------------------------------------===//
#include "runtime/Device.h"
#include "runtime/Error.h"
#include "runtime/cuda/CudaDevice.h"

using namespace clique;

std::unique_ptr<Device> clique::openDevice(int32_t deviceType) {
  switch (deviceType) {
  case kDLCPU:
    return nullptr;
  case kDLCUDA:
    return cuda::openChosenDevice();
  default:
    fail(CLIQUE_INCOMPATIBLE,
         "device type {}, expected one of this runtime's: the CPU ({}) or CUDA "
         "({})",
         deviceType, int(kDLCPU), int(kDLCUDA));
  }
}

void clique::unloadDeviceCode(clique_device_code *code) noexcept {
  if (code)
    cuda::unloadCode(*code);
}

void clique::failForMemory(uint64_t size) {
  fail(CLIQUE_OUT_OF_MEMORY,
       "no memory for {} bytes: use a smaller graph or fewer features", size);
}

void *clique::allocateOrFail(Device *device, const BlockRequest &request,
                             BlockCache *memory) {
  if (!memory)
    memory = device ? &device->memory() : &hostMemory();
  if (void *block = memory->allocate(request))
    return block;
  if (device)
    fail(CLIQUE_OUT_OF_MEMORY,
         "no memory for {} bytes on {}: use a smaller graph or fewer features, "
         "or free results that are no longer needed",
         request.size, device->describe());
  failForMemory(request.size);
}
