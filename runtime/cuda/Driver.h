//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few types and entry points of the driver API that the runtime uses, so
// that it builds without CUDA's headers and starts on machines without a
// driver. Names, values and signatures are cuda.h's.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_DRIVER_H
#define CLIQUE_RUNTIME_CUDA_DRIVER_H

#include "runtime/Error.h"

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

constexpr CUresult CUDA_SUCCESS = 0;
constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
constexpr CUresult CUDA_ERROR_NO_DEVICE = 100;
constexpr CUresult CUDA_ERROR_NOT_FOUND = 500;

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

/// X(the function's name in this table, the driver's symbol, its parameters)
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

/// The driver of this process.
class Driver {
public:
  /// Opens libcuda.so.1, or what CLIQUE_CUDA_DRIVER names, on the first call.
  /// Throws an error that says what is missing.
  static Driver &get();

  /// Whether kernels run on the CPU, in the driver of runtime/emulation.
  bool isEmulated() const { return lastErrorOfEmulation != nullptr; }

  /// Throws if the driver refused; `what` says what was to be done.
  template <typename... Args>
  void check(CUresult result, fmt::format_string<Args...> what,
             Args &&...args) {
    if (result != CUDA_SUCCESS)
      throwError(result, fmt::format(what, std::forward<Args>(args)...));
  }
  /// "CUDA_ERROR_INVALID_VALUE: invalid argument".
  std::string describe(CUresult result);

  // The driver's functions: `driver.memAlloc(&pointer, bytes)`.
#define CLIQUE_CUDA_DECLARE(NAME, SYMBOL, PARAMETERS)                          \
  CUresult(*NAME) PARAMETERS = nullptr; /* NOLINT: parameters are a list */
  CLIQUE_CUDA_ENTRY_POINTS(CLIQUE_CUDA_DECLARE)
#undef CLIQUE_CUDA_DECLARE

private:
  Driver();
  void *findSymbol(const char *symbol) const;
  [[noreturn]] void throwError(CUresult result, const std::string &what);

  std::string library;
  void *handle = nullptr;
  /// What went wrong in a kernel, in words; only the emulated driver has it.
  const char *(*lastErrorOfEmulation)() = nullptr;
};

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_DRIVER_H
