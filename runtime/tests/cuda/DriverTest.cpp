//===- DriverTest.cpp - Wrong calls of the emulated driver ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime does not do: each wrong call has the code that NVIDIA's
// driver gives, and a reason.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/DriverTypes.h"
#include "runtime/tests/cuda/CudaTestUtil.h"

#include <dlfcn.h>
#include <thread>

using namespace clique::cuda;
using namespace clique::test;

namespace {
void *findInDriver(const char *name) {
  static void *library = dlopen(TEST_DRIVER, RTLD_NOW);
  return dlsym(library, name);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters has its own
#define FUNCTION(FIELD, SYMBOL, PARAMETERS)                                    \
  CUresult(*FIELD) PARAMETERS =                                                \
      reinterpret_cast<CUresult(*) PARAMETERS>(findInDriver(#SYMBOL));
// NOLINTEND(bugprone-macro-parentheses)
struct Functions {
  CLIQUE_CUDA_ENTRY_POINTS(FUNCTION)
  const char *(*lastError)() = reinterpret_cast<const char *(*)()>(
      findInDriver("clique_emu_last_error"));
};
#undef FUNCTION

class CudaDriver : public ::testing::Test {
protected:
  CudaDriver() {
    EXPECT_EQ(api.primaryCtxRetain(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(api.ctxPushCurrent(context), CUDA_SUCCESS);
  }
  ~CudaDriver() override { api.ctxPopCurrent(&context); }

  /// Expects the code with its text, and the reason, if any.
  void expect(CUresult actual, CUresult expected, const std::string &text,
              const std::string &reason = "") {
    EXPECT_EQ(actual, expected);
    const char *found = nullptr;
    EXPECT_EQ(api.getErrorString(actual, &found), CUDA_SUCCESS);
    EXPECT_STREQ(found, text.c_str());
    if (!reason.empty()) {
      EXPECT_EQ(api.lastError(), reason);
    }
  }

  Functions api;
  CUcontext context = nullptr;
};
} // namespace

TEST_F(CudaDriver, Devices) {
  int device = 0, value = 0;
  expect(api.deviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE,
         "invalid device ordinal");
  expect(api.deviceGetAttribute(&value, 12345, 0), CUDA_ERROR_INVALID_VALUE,
         "invalid argument", "attribute 12345 is not emulated");
}

TEST_F(CudaDriver, AThreadWithoutAContext) {
  std::thread([&] {
    expect(api.ctxSynchronize(), CUDA_ERROR_INVALID_CONTEXT,
           "invalid device context", "this thread has no current context");
  }).join();
}

TEST_F(CudaDriver, Memory) {
  CUdeviceptr pointer = 0;
  expect(api.memAlloc(&pointer, 0), CUDA_ERROR_INVALID_VALUE,
         "invalid argument", "an allocation of 0 bytes");
  expect(api.memAlloc(&pointer, size_t(1) << 40), CUDA_ERROR_OUT_OF_MEMORY,
         "out of memory");
  expect(api.memFree(64), CUDA_ERROR_INVALID_VALUE, "invalid argument",
         "0x40 is no block of device memory");
  char byte = 0;
  expect(api.memcpyDtoHAsync(&byte, 64, 1, nullptr), CUDA_ERROR_INVALID_VALUE,
         "invalid argument",
         "a copy of 1 bytes at 0x40: no memory of the device");
  ASSERT_EQ(api.memAlloc(&pointer, 64), CUDA_SUCCESS);
  const auto *onDevice = reinterpret_cast<const void *>(pointer);
  EXPECT_EQ(api.memcpyHtoDAsync(pointer, onDevice, 1, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(std::string(api.lastError()).find("expected memory of the host"),
            std::string::npos);
  EXPECT_EQ(api.memFree(pointer), CUDA_SUCCESS);
}

TEST_F(CudaDriver, Events) {
  CUevent event = nullptr;
  ASSERT_EQ(api.eventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  expect(api.streamWaitEvent(nullptr, event, 0), CUDA_ERROR_INVALID_VALUE,
         "invalid argument", "an event of no stream");
  EXPECT_EQ(api.eventRecord(event, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(api.streamWaitEvent(nullptr, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(api.eventDestroy(event), CUDA_SUCCESS);
}

TEST_F(CudaDriver, Launches) {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  CUmodule module = nullptr;
  ASSERT_EQ(api.moduleLoadDataEx(&module, image.data(), 0, nullptr, nullptr),
            CUDA_SUCCESS);
  CUfunction function = nullptr;
  expect(api.moduleGetFunction(&function, module, "none"), CUDA_ERROR_NOT_FOUND,
         "named symbol not found", "the image has no clique_emu_kernel_none");
  ASSERT_EQ(api.moduleGetFunction(&function, module, "poke"), CUDA_SUCCESS);
  auto launch = [&](unsigned threads, unsigned shared) {
    return api.launchKernel(function, 1, 1, 1, threads, 1, 1, shared, nullptr,
                            nullptr, nullptr);
  };
  expect(launch(0, 0), CUDA_ERROR_INVALID_VALUE, "invalid argument",
         "1 blocks of 0 threads, expected 1 or more of 1 to 1024");
  expect(launch(1, 50000), CUDA_ERROR_INVALID_VALUE, "invalid argument",
         "50000 bytes of shared memory, the function is allowed 49152");
  const std::string damaged(64, 'x');
  CUmodule other = nullptr;
  expect(api.moduleLoadDataEx(&other, damaged.data(), 0, nullptr, nullptr),
         CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid");
  EXPECT_EQ(api.moduleUnload(module), CUDA_SUCCESS);
}
