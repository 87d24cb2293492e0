//===- Driver.cpp - The emulated CUDA driver ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of the driver API that the runtime uses, over one device
// that is this machine's CPU. Work is done when a call returns, whatever its
// stream.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/DriverTypes.h"
#include "runtime/emulation/DeviceMemory.h"
#include "runtime/emulation/Faults.h"
#include "runtime/emulation/Grid.h"
#include "runtime/emulation/Image.h"
#include "runtime/emulation/Log.h"
#include "runtime/emulation/emulated.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

using namespace clique::cuda;
using namespace clique::emulation;

// What the runtime takes the driver for is what it is.
#define CLIQUE_CUDA_DECLARE(NAME, SYMBOL, PARAMETERS)                          \
  extern "C" CLIQUE_EMU_API CUresult SYMBOL PARAMETERS;
// The driver's names. NOLINTNEXTLINE(readability-identifier-naming)
CLIQUE_CUDA_ENTRY_POINTS(CLIQUE_CUDA_DECLARE)
#undef CLIQUE_CUDA_DECLARE

namespace {

struct ErrorText {
  CUresult result;
  const char *name, *text;
};
constexpr ErrorText kErrorTexts[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};

/// A failure with its code and, in words, its reason.
struct Failure {
  CUresult result;
  std::string reason;
};

/// The one device has one context; which one it is does not matter.
constexpr intptr_t kContext = 0x636c6971;
thread_local std::vector<CUcontext> contexts;
thread_local std::string lastError;

CUcontext theContext() { return reinterpret_cast<CUcontext>(kContext); }

/// Runs the body of an entry point.
template <typename Fn>
CUresult call(Fn &&body) noexcept {
  lastError.clear();
  try {
    body();
    return CUDA_SUCCESS;
  } catch (const Failure &failure) {
    lastError = failure.reason;
    return failure.result;
  } catch (const KernelError &failure) {
    lastError = failure.what();
    return CUDA_ERROR_LAUNCH_FAILED;
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &failure) {
    lastError = failure.what();
    return CUDA_ERROR_UNKNOWN;
  }
}

void requireContext() {
  if (contexts.empty() || contexts.back() != theContext())
    throw Failure{CUDA_ERROR_INVALID_CONTEXT,
                  "this thread has no current context"};
}

void requireDeviceMemory(uint64_t address, size_t bytes) {
  auto *pointer = reinterpret_cast<void *>(address);
  if (DeviceMemory::get().contains(pointer, bytes))
    return;
  const std::string place = DeviceMemory::get().describe(pointer);
  throw Failure{CUDA_ERROR_INVALID_VALUE,
                fmt::format("a copy of {} bytes at {}: {}", bytes, pointer,
                            place.empty() ? "no memory of the device" : place)};
}

void requireHostMemory(const void *address, size_t bytes) {
  if (DeviceMemory::get().isInRange(address))
    throw Failure{
        CUDA_ERROR_INVALID_VALUE,
        fmt::format("a copy of {} bytes at {}: {}, expected memory of "
                    "the host",
                    bytes, address, DeviceMemory::get().describe(address))};
}

const ErrorText *findErrorText(CUresult result) {
  const auto *found = std::find_if(
      std::begin(kErrorTexts), std::end(kErrorTexts),
      [&](const ErrorText &text) { return text.result == result; });
  return found == std::end(kErrorTexts) ? nullptr : found;
}

/// An event is the stream whose work it stands for.
std::optional<CUstream> &streamOf(CUevent event) {
  return *reinterpret_cast<std::optional<CUstream> *>(event);
}

void copy(CUstream stream, void *to, const void *from, size_t bytes) {
  logWork(stream, "copy {} bytes", bytes);
  DeviceAccess access;
  std::memmove(to, from, bytes);
}

} // namespace

const char *clique_emu_last_error(void) { return lastError.c_str(); }

// Names and signatures are the driver's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

CUresult cuInit(unsigned) {
  return call([] { installFaultHandler(); });
}

CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "Clique's emulation");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int) {
  return call([&] {
    switch (attribute) {
    case kComputeCapabilityMajor:
      *value = 9;
      break;
    case kComputeCapabilityMinor:
      *value = 0;
      break;
    case kMaxSharedMemoryPerBlockOptin:
      *value = int(SharedMemory::kLimit);
      break;
    default:
      throw Failure{CUDA_ERROR_INVALID_VALUE,
                    fmt::format("attribute {} is not emulated", attribute)};
    }
  });
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, int) {
  return call([&] { *bytes = DeviceMemory::get().total(); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return call([&] { contexts.push_back(context); });
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  return call([&] {
    requireContext();
    *context = contexts.back();
    contexts.pop_back();
  });
}

CUresult cuCtxSynchronize() { return call(requireContext); }

CUresult cuStreamSynchronize(CUstream stream) {
  return call([&] {
    requireContext();
    logWork(stream, "synchronize");
  });
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  return call([&] {
    requireContext();
    *event = reinterpret_cast<CUevent>(new std::optional<CUstream>());
  });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return call([&] {
    requireContext();
    streamOf(event) = stream;
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return call([&] {
    requireContext();
    if (!streamOf(event))
      throw Failure{CUDA_ERROR_INVALID_VALUE, "an event of no stream"};
    logWork(stream, "wait for stream 0x{:x}",
            reinterpret_cast<size_t>(*streamOf(event)));
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  delete &streamOf(event);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  return call([&] {
    requireContext();
    *free = DeviceMemory::get().available();
    *total = DeviceMemory::get().total();
  });
}

CUresult cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  return call([&] {
    requireContext();
    if (bytes == 0)
      throw Failure{CUDA_ERROR_INVALID_VALUE, "an allocation of 0 bytes"};
    void *block = DeviceMemory::get().allocate(bytes);
    if (!block)
      throw std::bad_alloc();
    *pointer = reinterpret_cast<uint64_t>(block);
  });
}

CUresult cuMemFree_v2(uint64_t pointer) {
  return call([&] {
    requireContext();
    auto *block = reinterpret_cast<void *>(pointer);
    if (pointer && !DeviceMemory::get().free(block))
      throw Failure{CUDA_ERROR_INVALID_VALUE,
                    fmt::format("{} is no block of device memory", block)};
  });
}

CUresult cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                              CUstream stream) {
  return call([&] {
    requireContext();
    requireDeviceMemory(to, bytes);
    requireHostMemory(from, bytes);
    copy(stream, reinterpret_cast<void *>(to), from, bytes);
  });
}

CUresult cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
                              CUstream stream) {
  return call([&] {
    requireContext();
    requireDeviceMemory(from, bytes);
    requireHostMemory(to, bytes);
    copy(stream, to, reinterpret_cast<void *>(from), bytes);
  });
}

CUresult cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                              CUstream stream) {
  return call([&] {
    requireContext();
    requireDeviceMemory(to, bytes);
    requireDeviceMemory(from, bytes);
    copy(stream, reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
         bytes);
  });
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned,
                            int *, void **) {
  return call([&] {
    requireContext();
    try {
      *module = reinterpret_cast<CUmodule>(new Image(image));
    } catch (const ImageError &failure) {
      throw Failure{CUDA_ERROR_INVALID_IMAGE, failure.what()};
    }
  });
}

CUresult cuModuleUnload(CUmodule module) {
  return call([&] {
    requireContext();
    delete reinterpret_cast<Image *>(module);
  });
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  return call([&] {
    requireContext();
    Function *found = reinterpret_cast<Image *>(module)->find(name);
    if (!found)
      throw Failure{CUDA_ERROR_NOT_FOUND,
                    fmt::format("the image has no clique_emu_kernel_{}", name)};
    *function = reinterpret_cast<CUfunction>(found);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return call([&] {
    if (attribute != kMaxDynamicSharedSizeBytes || value < 0 ||
        value > SharedMemory::kLimit)
      throw Failure{
          CUDA_ERROR_INVALID_VALUE,
          fmt::format("function attribute {} = {}", attribute, value)};
    reinterpret_cast<Function *>(function)->maxSharedBytes = value;
  });
}

CUresult cuLaunchKernel(CUfunction handle, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **params, void **) {
  const auto *function = reinterpret_cast<const Function *>(handle);
  return call([&] {
    requireContext();
    constexpr uint64_t maxThreads = 1024;
    const uint64_t threads = uint64_t(blockX) * blockY * blockZ;
    const uint64_t blocks = uint64_t(gridX) * gridY * gridZ;
    if (threads == 0 || threads > maxThreads || blocks == 0)
      throw Failure{CUDA_ERROR_INVALID_VALUE,
                    fmt::format("{} blocks of {} threads, expected 1 or more "
                                "of 1 to {}",
                                blocks, threads, maxThreads)};
    if (sharedBytes > function->maxSharedBytes)
      throw Failure{CUDA_ERROR_INVALID_VALUE,
                    fmt::format("{} bytes of shared memory, the function is "
                                "allowed {}",
                                sharedBytes, function->maxSharedBytes)};
    Launch launch;
    launch.kernel = function->name;
    launch.entry = function->entry;
    launch.params = params;
    launch.grid = {gridX, gridY, gridZ};
    launch.block = {blockX, blockY, blockZ};
    launch.sharedBytes = sharedBytes;
    launch.order = Order::fromEnvironment();
    logWork(stream, "launch {}", function->name);
    runGrid(launch);
  });
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

CUresult cuGetErrorName(CUresult result, const char **name) {
  const ErrorText *text = findErrorText(result);
  *name = text ? text->name : nullptr;
  return text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **string) {
  const ErrorText *text = findErrorText(result);
  *string = text ? text->text : nullptr;
  return text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
