//===- CudaDevice.cpp - An invocation on a CUDA device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and launches on the chosen stream.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/CallerMemory.h"
#include "runtime/cuda/Code.h"

#include <algorithm>
#include <limits>

using namespace clique;
using namespace clique::cuda;

namespace {

/// What the user of a thread chose.
struct Choice {
  int32_t device = 0;
  CUstream stream = nullptr;
  clique_cuda_allocator allocator = {}; ///< no functions: the driver
};
thread_local Choice choice;

class CudaDevice : public Device {
public:
  CudaDevice(Context &context, const Choice &choice)
      : context(context), driver(context.driver()), queue(choice.stream),
        blocks(choice.allocator.allocate
                   ? callerMemory(choice.allocator, context.ordinal())
                   : context.memory()),
        current(context) {}

  DLDevice id() const override { return {kDLCUDA, context.ordinal()}; }
  void *stream() const override { return queue; }
  BlockCache &memory() override { return blocks; }
  BlockCache &sharedMemory() override { return context.memory(); }
  std::string describe() override;

  void read(void *host, const void *device, size_t bytes) override;
  void write(void *device, const void *host, size_t bytes) override;
  void copy(void *to, const void *from, size_t bytes) override;
  void wait() override;
  void launch(clique_device_code &code, const char *kernel,
              const int64_t *gridAndBlock, int64_t sharedBytes,
              void **params) override;
  const void *constant(clique_device_code &code, const void *host,
                       size_t bytes) override {
    return constantsOf(code).get(*this, host, bytes, /*isShared=*/true);
  }

private:
  void allowShared(Kernel &kernel, const char *name, int64_t bytes);

  Context &context;
  Driver &driver;
  CUstream queue;
  BlockCache &blocks;
  CurrentContext current;
};

} // namespace

static CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

std::string CudaDevice::describe() {
  size_t free = 0, total = 0;
  if (driver.memGetInfo(&free, &total) != CUDA_SUCCESS)
    return context.describe();
  return fmt::format("{}, which has {} of {} MiB free", context.describe(),
                     free >> 20, total >> 20);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void CudaDevice::read(void *host, const void *device, size_t bytes) {
  if (bytes)
    driver.check(driver.memcpyDtoHAsync(host, address(device), bytes, queue),
                 "{} bytes from {} to the host", bytes, context.describe());
  wait();
}

void CudaDevice::write(void *device, const void *host, size_t bytes) {
  // The driver takes pageable memory in before the call returns.
  if (bytes)
    driver.check(driver.memcpyHtoDAsync(address(device), host, bytes, queue),
                 "{} bytes from the host to {}", bytes, context.describe());
}

void CudaDevice::copy(void *to, const void *from, size_t bytes) {
  if (bytes)
    driver.check(
        driver.memcpyDtoDAsync(address(to), address(from), bytes, queue),
        "{} bytes within {}", bytes, context.describe());
}

void CudaDevice::wait() {
  driver.check(driver.streamSynchronize(queue),
               "{}: work that was started earlier failed", context.describe());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void CudaDevice::allowShared(Kernel &kernel, const char *name, int64_t bytes) {
  if (bytes <= kernel.sharedBytes)
    return;
  if (bytes > context.maxSharedBytes())
    fail(CLIQUE_INCOMPATIBLE,
         "kernel '{}': needs {} bytes of shared memory, a block of {} has {}; "
         "compile the layer for this device",
         name, bytes, context.describe(), context.maxSharedBytes());
  driver.check(driver.funcSetAttribute(kernel.function,
                                       kMaxDynamicSharedSizeBytes, int(bytes)),
               "kernel '{}': {} bytes of shared memory", name, bytes);
  kernel.sharedBytes = bytes;
}

/// Blocks of a grid and threads of a block, in the driver's limits.
static void checkShape(const char *kernel, const int64_t *shape) {
  constexpr int64_t limits[6] = {
      std::numeric_limits<int32_t>::max(), 65535, 65535, 1024, 1024, 64};
  for (int k = 0; k < 6; ++k)
    if (shape[k] < 1 || shape[k] > limits[k])
      fail(
          CLIQUE_INVALID_ARGUMENT,
          "kernel '{}': {} {} in dimension {}, expected 1 to {}; use a smaller "
          "graph",
          kernel, shape[k], k < 3 ? "blocks" : "threads", "xyz"[k % 3],
          limits[k]);
}

void CudaDevice::launch(clique_device_code &code, const char *name,
                        const int64_t *gridAndBlock, int64_t sharedBytes,
                        void **params) {
  if (std::any_of(gridAndBlock, gridAndBlock + 3,
                  [](int64_t blocks) { return blocks == 0; }))
    return;
  checkShape(name, gridAndBlock);
  Kernel &kernel = findKernel(context, code, name);
  allowShared(kernel, name, sharedBytes);
  unsigned shape[6];
  std::copy(gridAndBlock, gridAndBlock + 6, shape);
  driver.check(
      driver.launchKernel(kernel.function, shape[0], shape[1], shape[2],
                          shape[3], shape[4], shape[5], unsigned(sharedBytes),
                          queue, params, nullptr),
      "kernel '{}' on {}, {}x{}x{} blocks of {}x{}x{} threads with {} bytes of "
      "shared memory",
      name, context.describe(), shape[0], shape[1], shape[2], shape[3],
      shape[4], shape[5], sharedBytes);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

std::unique_ptr<Device> clique::cuda::openChosenDevice() {
  return std::make_unique<CudaDevice>(Context::get(choice.device), choice);
}

void clique_set_cuda_device(int32_t device) { choice.device = device; }

void clique_set_cuda_stream(void *stream) {
  choice.stream = static_cast<CUstream>(stream);
}

clique_status
clique_set_cuda_allocator(const clique_cuda_allocator *allocator) {
  return guarded([&] {
    if (allocator && (!allocator->allocate || !allocator->free))
      fail(CLIQUE_INVALID_ARGUMENT,
           "clique_set_cuda_allocator: the allocator's {} is NULL, expected a "
           "function",
           allocator->allocate ? "free" : "allocate");
    choice.allocator = allocator ? *allocator : clique_cuda_allocator{};
  });
}

clique_status clique_cuda_order_streams(void *before, void *after) {
  return guarded([&] {
    const Context &context = Context::get(choice.device);
    Driver &driver = context.driver();
    CurrentContext current(context);
    CUevent event = nullptr;
    driver.check(driver.eventCreate(&event, CU_EVENT_DISABLE_TIMING),
                 "an event of {}", context.describe());
    CUresult result = driver.eventRecord(event, static_cast<CUstream>(before));
    if (result == CUDA_SUCCESS)
      result = driver.streamWaitEvent(static_cast<CUstream>(after), event, 0);
    // The driver keeps it for as long as a stream waits for it.
    driver.eventDestroy(event);
    driver.check(result, "order of two streams of {}", context.describe());
  });
}

clique_status clique_cuda_synchronize(void) {
  return guarded([] { cuda::openChosenDevice()->wait(); });
}

const char *clique_cuda_device_name(void) {
  const char *name = nullptr;
  guarded([&] { name = Context::get(choice.device).name().c_str(); });
  return name;
}

const char *clique_cuda_architecture(void) {
  thread_local std::string name;
  const clique_status status = guarded([&] {
    const Context &context = Context::get(choice.device);
    name = context.driver().isEmulated()
               ? "emulated"
               : fmt::format("sm_{}", context.capability());
  });
  return status == CLIQUE_OK ? name.c_str() : nullptr;
}
