//===- DriverTypes.h - What the CUDA driver looks like ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few types and entry points of the driver API that the runtime uses, and
// that the emulated driver has. Names, values and signatures are cuda.h's.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_DRIVERTYPES_H
#define CLIQUE_RUNTIME_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace clique::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;

constexpr CUresult CUDA_SUCCESS = 0;
constexpr CUresult CUDA_ERROR_INVALID_VALUE = 1;
constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
constexpr CUresult CUDA_ERROR_NO_DEVICE = 100;
constexpr CUresult CUDA_ERROR_INVALID_DEVICE = 101;
constexpr CUresult CUDA_ERROR_INVALID_IMAGE = 200;
constexpr CUresult CUDA_ERROR_INVALID_CONTEXT = 201;
constexpr CUresult CUDA_ERROR_NO_BINARY_FOR_GPU = 209;
constexpr CUresult CUDA_ERROR_INVALID_PTX = 218;
constexpr CUresult CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221;
constexpr CUresult CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222;
constexpr CUresult CUDA_ERROR_JIT_COMPILATION_DISABLED = 223;
constexpr CUresult CUDA_ERROR_INVALID_SOURCE = 300;
constexpr CUresult CUDA_ERROR_NOT_FOUND = 500;
constexpr CUresult CUDA_ERROR_LAUNCH_FAILED = 719;
constexpr CUresult CUDA_ERROR_UNKNOWN = 999;

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedMemoryPerBlockOptin = 97
};
/// CUfunction_attribute.
enum FunctionAttribute : int { kMaxDynamicSharedSizeBytes = 8 };
/// CUjit_option.
enum JitOption : int { kErrorLogBuffer = 5, kErrorLogBufferSizeBytes = 6 };
/// The name that each thread has for a default stream of its own.
constexpr uintptr_t CU_STREAM_PER_THREAD = 2;
/// CUevent_flags: one that orders streams, and takes no time.
constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;

/// X(the function's name in Driver, the driver's symbol, its parameters)
#define CLIQUE_CUDA_ENTRY_POINTS(X)                                            \
  X(init, cuInit, (unsigned flags))                                            \
  X(deviceGetCount, cuDeviceGetCount, (int *count))                            \
  X(deviceGet, cuDeviceGet, (CUdevice * device, int ordinal))                  \
  X(deviceGetName, cuDeviceGetName, (char *name, int length, CUdevice device)) \
  X(deviceGetAttribute, cuDeviceGetAttribute,                                  \
    (int *value, int attribute, CUdevice device))                              \
  X(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *bytes, CUdevice device))     \
  X(primaryCtxRetain, cuDevicePrimaryCtxRetain,                                \
    (CUcontext * context, CUdevice device))                                    \
  X(ctxGetCurrent, cuCtxGetCurrent, (CUcontext * context))                     \
  X(ctxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context))                  \
  X(ctxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * context))                  \
  X(ctxSynchronize, cuCtxSynchronize, ())                                      \
  X(memGetInfo, cuMemGetInfo_v2, (size_t *free, size_t *total))                \
  X(memAlloc, cuMemAlloc_v2, (CUdeviceptr * pointer, size_t bytes))            \
  X(memFree, cuMemFree_v2, (CUdeviceptr pointer))                              \
  X(memcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                     \
    (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))         \
  X(memcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                     \
    (void *to, CUdeviceptr from, size_t bytes, CUstream stream))               \
  X(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                     \
    (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))         \
  X(streamSynchronize, cuStreamSynchronize, (CUstream stream))                 \
  X(streamWaitEvent, cuStreamWaitEvent,                                        \
    (CUstream stream, CUevent event, unsigned flags))                          \
  X(eventCreate, cuEventCreate, (CUevent * event, unsigned flags))             \
  X(eventRecord, cuEventRecord, (CUevent event, CUstream stream))              \
  X(eventDestroy, cuEventDestroy_v2, (CUevent event))                          \
  X(moduleLoadDataEx, cuModuleLoadDataEx,                                      \
    (CUmodule * module, const void *image, unsigned numOptions, int *options,  \
     void **values))                                                           \
  X(moduleUnload, cuModuleUnload, (CUmodule module))                           \
  X(moduleGetFunction, cuModuleGetFunction,                                    \
    (CUfunction * function, CUmodule module, const char *name))                \
  X(funcSetAttribute, cuFuncSetAttribute,                                      \
    (CUfunction function, int attribute, int value))                           \
  X(launchKernel, cuLaunchKernel,                                              \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,      \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     CUstream stream, void **params, void **extra))                            \
  X(getErrorName, cuGetErrorName, (CUresult result, const char **text))        \
  X(getErrorString, cuGetErrorString, (CUresult result, const char **text))

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_DRIVERTYPES_H
