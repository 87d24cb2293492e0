//===- DeviceTest.cpp - Drivers, devices and their memory -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is missing on a machine, and what is left after an invocation.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

#include <thread>

using namespace clique::test;

/// Invokes an empty layer and prints why that failed.
static void printFailure() {
  const clique_status status = inLayer([] {});
  std::fprintf(stderr, "%s\n", clique_last_error());
  std::exit(status);
}

TEST(CudaDeviceDeathTest, NoDriver) {
  EXPECT_EXIT(
      {
        setenv("CLIQUE_CUDA_DRIVER", "/no/libcuda.so", 1);
        printFailure();
      },
      ::testing::ExitedWithCode(CLIQUE_DEVICE_ERROR),
      "layer: no CUDA driver: /no/libcuda.so cannot be loaded .*; install "
      "NVIDIA's driver, compile the layer for the CPU, or set");
}

TEST(CudaDeviceDeathTest, NotADriver) {
  EXPECT_EXIT(
      {
        setenv("CLIQUE_CUDA_DRIVER", TEST_NO_DRIVER, 1);
        printFailure();
      },
      ::testing::ExitedWithCode(CLIQUE_DEVICE_ERROR),
      "has no function cuInit; expected a CUDA driver of version 11 or later");
}

/// Ends with 0 if a freed block is taken again, for its own stream only.
static void reuseMemory() {
  setenv("CLIQUE_CUDA_CACHE_MIB", "8", 1);
  void *first = nullptr, *second = nullptr, *other = nullptr;
  inLayer([&] {
    first = allocate<char>(1000);
    _mlir_memref_to_llvm_free(first);
    second = allocate<char>(1000);
    _mlir_memref_to_llvm_free(second);
  });
  // Work of another stream may not be done.
  clique_set_cuda_stream(&first);
  inLayer([&] { other = allocate<char>(1000); });
  std::exit(first && first == second && other && other != first ? 0 : 1);
}

TEST(CudaDeviceDeathTest, FreedMemoryIsKeptIfAskedFor) {
  EXPECT_EXIT(reuseMemory(), ::testing::ExitedWithCode(0), "");
}

/// Ends with 0 if a block of one thread's default stream is not taken for that
/// of another, which has the same name.
static void freeInStreamOfThread() {
  setenv("CLIQUE_CUDA_CACHE_MIB", "8", 1);
  const auto take = [](void *&block) {
    // CU_STREAM_PER_THREAD
    clique_set_cuda_stream(reinterpret_cast<void *>(uintptr_t(2)));
    inLayer([&] {
      block = allocate<char>(1000);
      _mlir_memref_to_llvm_free(block);
    });
  };
  void *first = nullptr, *second = nullptr;
  std::thread(take, std::ref(first)).join();
  std::thread(take, std::ref(second)).join();
  std::exit(first && second && first != second ? 0 : 1);
}

TEST(CudaDeviceDeathTest, StreamsOfThreadsAreNotOne) {
  EXPECT_EXIT(freeInStreamOfThread(), ::testing::ExitedWithCode(0), "");
}

TEST(CudaDevice, NoSuchDevice) {
  clique_set_cuda_device(5);
  EXPECT_EQ(inLayer([] {}), CLIQUE_DEVICE_ERROR);
  EXPECT_STREQ(clique_last_error(),
               "layer: CUDA device 5: this machine has 1, counted from 0; "
               "choose one with clique_set_cuda_device");
  EXPECT_EQ(clique_cuda_device_name(), nullptr);
  EXPECT_EQ(clique_cuda_architecture(), nullptr);
  // Other threads have their own choice.
  std::thread([] { EXPECT_OK(inLayer([] {})); }).join();
  clique_set_cuda_device(0);
  EXPECT_STREQ(clique_cuda_device_name(), "Clique's emulation");
  EXPECT_STREQ(clique_cuda_architecture(), "emulated");
  EXPECT_OK(clique_cuda_synchronize());
}

TEST(CudaDevice, TooLittleMemory) {
  EXPECT_EQ(inLayer([] { allocate<char>(100 << 20); }), CLIQUE_OUT_OF_MEMORY);
  EXPECT_TRUE(lastErrorHas("layer: no memory for 104857600 bytes on CUDA "
                           "device 0 (Clique's emulation), which has "));
  EXPECT_TRUE(lastErrorHas("of 64 MiB free: use a smaller graph"));
}

TEST(CudaDevice, MemoryIsAlignedAsTheDriverDoes) {
  EXPECT_EQ(inLayer([] { _mlir_memref_to_llvm_aligned_alloc(512, 64); }),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(
      lastErrorHas("device memory aligned to 512 bytes: expected at most 256"));
}

TEST(CudaDevice, MemoryIsCountedAndGivenBack) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  // 64 MiB do not hold all of these.
  for (int k = 0; k < 10; ++k) {
    ASSERT_OK(inLayer([] {
      char *a = allocate<char>(20 << 20);
      _mlir_memref_to_llvm_free(a);
      _mlir_memref_to_llvm_free(allocate<char>(10 << 20));
    }));
  }
  EXPECT_EQ(clique_peak_memory() - base, 20 << 20);
  for (int k = 0; k < 10; ++k) {
    const int64_t sizes[6] = {1, 1, 1, 1, 1, 1};
    EXPECT_EQ(inLayer([&] {
                allocate<char>(20 << 20);
                clique_rt_launch(nullptr, "none", sizes, 0, nullptr);
              }),
              CLIQUE_INCOMPATIBLE);
  }
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
}

TEST(CudaDevice, CopiesWithinTheDevice) {
  ASSERT_OK(inLayer([] {
    int32_t *from = upload<int32_t>({1, 2, 3, 4});
    auto *to = allocate<int32_t>(3);
    clique_rt_copy(to, from + 1, 12);
    EXPECT_EQ(download(to, 3), (std::vector<int32_t>{2, 3, 4}));
  }));
}

TEST(CudaDevice, CopiesOfTheCpu) {
  int32_t from = 7, to = 0;
  ASSERT_OK(invokeAs(
      [&](void **) {
        clique_rt_read(&to, &from, 4);
        clique_rt_write(&from, &to, 4);
        clique_rt_copy(&to, &from, 4);
      },
      {}, {}, {}, nullptr, kDLCPU));
  EXPECT_EQ(to, 7);
}
