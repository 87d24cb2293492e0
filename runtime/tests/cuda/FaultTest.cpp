//===- FaultTest.cpp - Accesses that must not be made ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of kernels beyond their memory, and of the host to that of the device.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

#include <csignal>

using namespace clique::test;

/// The message of a write `where` bytes into 1000 bytes of shared memory, or
/// of the device.
static std::string poke(int64_t where, int32_t device) {
  Code code;
  EXPECT_EQ(inLayer([&] {
              launch(code, "poke", oneBlock(1, 1000), allocate<char>(1000),
                     where, device);
            }),
            CLIQUE_DEVICE_ERROR);
  return clique_last_error();
}

#define EXPECT_HAS(MESSAGE, PART)                                              \
  EXPECT_NE((MESSAGE).find(PART), std::string::npos) << (MESSAGE)

TEST(CudaFault, KernelBeyondSharedMemory) {
  EXPECT_HAS(poke(1000, 0), "wrote byte 1000 of 1000 bytes of shared memory");
  EXPECT_HAS(poke(5000, 0),
             "kernel 'poke', block (0, 0, 0), thread (0, 0, 0) (warp 0, lane "
             "0): accesses 0x");
  EXPECT_HAS(poke(5000, 0),
             "byte 5000 of the block's 1000 bytes of shared memory");
}

TEST(CudaFault, KernelBeyondABlock) {
  EXPECT_HAS(
      poke(1000, 1),
      "kernel 'poke': wrote byte 1000 of a block of 1000 bytes of device "
      "memory");
  EXPECT_HAS(poke(5000, 1),
             "byte 5000 of a block of 1000 bytes of device memory");
}

TEST(CudaFault, KernelAndFreedMemory) {
  Code code;
  EXPECT_EQ(inLayer([&] {
              char *block = allocate<char>(300);
              _mlir_memref_to_llvm_free(block);
              launch(code, "poke", oneBlock(1), block, int64_t(2), 1);
            }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("byte 2 of a freed block of 300 bytes"));
}

TEST(CudaFault, KernelAndNoMemory) {
  Code code;
  EXPECT_EQ(inLayer([&] {
              auto *nowhere = reinterpret_cast<char *>(uintptr_t(16));
              launch(code, "poke", oneBlock(1), nowhere, int64_t(0), 1);
            }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("accesses 0x10: no memory of the device"));
}

TEST(CudaFault, KernelWithTooLargeAStack) {
  EXPECT_EQ(run<int32_t>("deep_stack", oneBlock(2), 1, 20)[0], 21);
  Code code;
  EXPECT_EQ(inLayer([&] {
              launch(code, "deep_stack", oneBlock(2), allocate<int32_t>(1),
                     100000);
            }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("its stack of 256 KiB is full"));
}

static void useTheDevice() {
  EXPECT_EQ(run<int32_t>("neighbour", oneBlock(32, 128), 32, 1)[1], 100);
}

TEST(CudaFault, TheDeviceIsUsableAfterwards) {
  poke(5000, 1);
  useTheDevice();
}

/// A process that aborts ends with a status of its own, which tells it from one
/// that is ended by the access.
static void exitAtAbort() {
  std::signal(SIGABRT, [](int) { std::exit(4); });
}

TEST(CudaFaultDeathTest, HostAndDeviceMemory) {
  EXPECT_EXIT(exitAtAbort();
              inLayer([] {
                volatile char *block = allocate<char>(256);
                block[16] = 1;
              }),
              testing::ExitedWithCode(4),
              "clique: the host accesses 0x[0-9a-f]+, byte 16 of a block of "
              "256 bytes of device memory, while no kernel and no copy runs");
}

static volatile char *const kNowhere = reinterpret_cast<char *>(uintptr_t(16));

TEST(CudaFaultDeathTest, OtherFaultsAreThoseOfTheProcess) {
  // A sanitizer has a handler of its own.
  EXPECT_EXIT(std::signal(SIGSEGV, SIG_DFL); useTheDevice();
              *kNowhere = 1, testing::KilledBySignal(SIGSEGV), "");
}

TEST(CudaFaultDeathTest, OtherFaultsGoToTheHandlersThatWereThere) {
  EXPECT_EXIT(std::signal(SIGSEGV, [](int) { std::exit(5); }); useTheDevice();
              *kNowhere = 1, testing::ExitedWithCode(5), "");
  EXPECT_EXIT(
      struct sigaction action = {}; action.sa_flags = SA_SIGINFO;
      action.sa_sigaction =
          [](int, siginfo_t *info, void *) {
            std::exit(info->si_addr == kNowhere ? 6 : 7);
          };
      sigaction(SIGSEGV, &action, nullptr); useTheDevice();
      *kNowhere = 1, testing::ExitedWithCode(6), "");
}

TEST(CudaFault, CopiesStayInTheirBlocks) {
  std::vector<char> host(300);
  EXPECT_EQ(
      inLayer([&] { clique_rt_read(host.data(), allocate<char>(200), 300); }),
      CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("layer: 300 bytes from CUDA device 0 (Clique's "
                           "emulation) to the host: CUDA_ERROR_INVALID_VALUE"));
  EXPECT_EQ(inLayer([&] { clique_rt_write(host.data(), host.data(), 300); }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("300 bytes from the host to CUDA device 0"));
  EXPECT_TRUE(lastErrorHas("no memory of the device"));
}
