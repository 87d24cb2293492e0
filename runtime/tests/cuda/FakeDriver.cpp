//===- FakeDriver.cpp - A driver of several GPUs that are not there ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device k has the k-th capability of the list. An image is text, "bad" one
// that cannot be loaded, "late" one before which a kernel failed. Every launch
// fails, and says in its error which image was loaded and what was asked for:
// that is how tests see it.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/DriverTypes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace clique::cuda;

#define DECLARE(NAME, SYMBOL, PARAMETERS)                                      \
  extern "C" __attribute__((visibility("default"))) CUresult SYMBOL PARAMETERS;
// The driver's names. NOLINTNEXTLINE(readability-identifier-naming)
CLIQUE_CUDA_ENTRY_POINTS(DECLARE)
#undef DECLARE

static constexpr int kCapabilities[] = {75, 80, 86, 90, 100, 121};
static constexpr CUresult kIllegalAddress = 700;
static std::string launched;
static int allowedShared = 0;

CUresult cuInit(unsigned) {
  return std::getenv("FAKE_NO_GPU") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = int(sizeof(kCapabilities) / sizeof(int));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  std::snprintf(name, size_t(length), "fake sm_%d", kCapabilities[device]);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  const int capability = kCapabilities[device];
  *value = attribute == kComputeCapabilityMajor   ? capability / 10
           : attribute == kComputeCapabilityMinor ? capability % 10
                                                  : 100 << 10;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  *bytes = size_t(1) << 30;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  *context = reinterpret_cast<CUcontext>(intptr_t(device + 1));
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent_v2(CUcontext *) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return kIllegalAddress; }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }
CUresult cuEventCreate(CUevent *, unsigned) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) { return kIllegalAddress; }
CUresult cuEventDestroy_v2(CUevent) { return CUDA_SUCCESS; }
CUresult cuMemGetInfo_v2(size_t *, size_t *) { return CUDA_ERROR_UNKNOWN; }
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t) { return kIllegalAddress; }
CUresult cuMemFree_v2(CUdeviceptr) { return CUDA_SUCCESS; }
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, CUstream) {
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned numOptions, int *options, void **values) {
  const auto *text = static_cast<const char *>(image);
  if (std::strcmp(text, "bad") == 0) {
    if (numOptions == 2 && options[0] == kErrorLogBuffer &&
        options[1] == kErrorLogBufferSizeBytes)
      std::snprintf(static_cast<char *>(values[0]),
                    reinterpret_cast<size_t>(values[1]),
                    "line 7: unknown instruction");
    return CUDA_ERROR_INVALID_PTX;
  }
  if (std::strcmp(text, "late") == 0)
    return kIllegalAddress;
  *module = reinterpret_cast<CUmodule>(const_cast<char *>(text));
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *) {
  *function = reinterpret_cast<CUfunction>(module);
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction, int attribute, int value) {
  if (attribute == kMaxDynamicSharedSizeBytes)
    allowedShared = value;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, unsigned, CUstream stream,
                        void **, void **) {
  launched = "ran [" + std::string(reinterpret_cast<const char *>(function)) +
             "] on stream " +
             std::to_string(reinterpret_cast<uintptr_t>(stream)) +
             ", allowed " + std::to_string(allowedShared);
  return CUDA_ERROR_LAUNCH_FAILED;
}

CUresult cuGetErrorName(CUresult result, const char **text) {
  *text = result == CUDA_ERROR_INVALID_PTX ? "CUDA_ERROR_INVALID_PTX"
          : result == kIllegalAddress      ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                           : nullptr;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult result, const char **text) {
  *text = result == CUDA_ERROR_LAUNCH_FAILED ? launched.c_str() : nullptr;
  return CUDA_SUCCESS;
}
