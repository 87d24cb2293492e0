//===- Context.cpp - One CUDA device --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening of a device, and its memory.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/Context.h"

#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

using namespace clique;
using namespace clique::cuda;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static CUdevice findDevice(Driver &driver, int32_t ordinal) {
  int count = 0;
  driver.check(driver.deviceGetCount(&count), "the CUDA devices");
  if (ordinal < 0 || ordinal >= count)
    fail(CLIQUE_DEVICE_ERROR,
         "CUDA device {}: this machine has {}, counted from 0; choose one with "
         "clique_set_cuda_device",
         ordinal, count);
  CUdevice device = 0;
  driver.check(driver.deviceGet(&device, ordinal), "CUDA device {}", ordinal);
  return device;
}

Context::Context(Driver &driver, int32_t ordinal)
    : api(driver), number(ordinal), device(findDevice(driver, ordinal)),
      blocks(*this, bytesToKeep(device)) {
  std::array<char, 256> text = {};
  api.check(api.deviceGetName(text.data(), int(text.size()), device),
            "CUDA device {}", number);
  deviceName = text.data();
  computeCapability = int32_t(attribute(kComputeCapabilityMajor, device) * 10 +
                              attribute(kComputeCapabilityMinor, device));
  sharedLimit = attribute(kMaxSharedMemoryPerBlockOptin, device);
  api.check(api.primaryCtxRetain(&context, device), "{}", describe());
}

Context &Context::get(int32_t ordinal) {
  static std::mutex mutex;
  static auto &contexts = *new std::map<int32_t, std::unique_ptr<Context>>;
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Context> &context = contexts[ordinal];
  if (!context)
    context.reset(new Context(driver, ordinal));
  return *context;
}

int64_t Context::attribute(DeviceAttribute which, CUdevice device) {
  int value = 0;
  api.check(api.deviceGetAttribute(&value, which, device), "CUDA device {}",
            number);
  return value;
}

std::string Context::describe() const {
  return fmt::format("CUDA device {} ({})", number, deviceName);
}

CurrentContext::CurrentContext(const Context &context)
    : driver(context.driver()) {
  CUcontext current = nullptr;
  driver.check(driver.ctxGetCurrent(&current), "{}", context.describe());
  if (current == context.handle())
    return;
  driver.check(driver.ctxPushCurrent(context.handle()), "{}",
               context.describe());
  isPushed = true;
}

CurrentContext::~CurrentContext() {
  CUcontext ours = nullptr;
  if (isPushed)
    driver.ctxPopCurrent(&ours);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// How much freed memory is kept for the next invocation: a quarter of the
/// device, so that other libraries of the process are not starved. Nothing in
/// the emulation, which finds accesses to freed memory.
size_t Context::bytesToKeep(CUdevice device) {
  if (const char *megabytes = std::getenv("CLIQUE_CUDA_CACHE_MIB")) {
    char *end = nullptr;
    const unsigned long long value = std::strtoull(megabytes, &end, 10);
    if (end == megabytes || *end ||
        value > (std::numeric_limits<size_t>::max() >> 20))
      fail(CLIQUE_INVALID_ARGUMENT,
           "CLIQUE_CUDA_CACHE_MIB: '{}', expected the MiB of freed device "
           "memory to keep for reuse",
           megabytes);
    return size_t(value) << 20;
  }
  size_t total = 0;
  api.check(api.deviceTotalMem(&total, device), "CUDA device {}", number);
  return api.isEmulated() ? 0 : total / 4;
}

void *Context::take(size_t bytes, size_t alignment, void *) {
  constexpr size_t alignmentOfDriver = 256;
  if (alignment > alignmentOfDriver)
    fail(CLIQUE_INVALID_ARGUMENT,
         "device memory aligned to {} bytes: expected at most {}", alignment,
         alignmentOfDriver);
  CurrentContext current(*this);
  CUdeviceptr pointer = 0;
  const CUresult result = api.memAlloc(&pointer, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return nullptr;
  api.check(result, "{} bytes on {}", bytes, describe());
  return reinterpret_cast<void *>(pointer);
}

void Context::give(void *memory) noexcept {
  // While the process ends the driver may be gone before the last result: what
  // it then answers does not matter.
  try {
    CurrentContext current(*this);
    api.memFree(reinterpret_cast<CUdeviceptr>(memory));
  } catch (...) { // NOLINT(bugprone-empty-catch)
  }
}
