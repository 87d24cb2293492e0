//===- ThreadsTest.cpp - Threads that meet --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, shuffles, and what the emulation finds when they are missing.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/emulated.h"
#include "runtime/tests/cuda/CudaTestUtil.h"

using namespace clique::test;

static std::vector<int32_t> neighbours(int64_t threads, int32_t hasBarrier) {
  return run<int32_t>("neighbour", oneBlock(threads, 4 * threads),
                      size_t(threads), hasBarrier);
}

TEST(CudaThreads, MeetAtABarrier) {
  for (const char *order : {"ascending", "descending", "random:7"}) {
    ThreadOrder set(order);
    for (int64_t threads : {1, 31, 32, 100, 1024}) {
      std::vector<int32_t> seen = neighbours(threads, 1);
      for (int64_t t = 0; t < threads; ++t)
        EXPECT_EQ(seen[t], 100 + (t + threads - 1) % threads);
    }
  }
}

TEST(CudaThreads, AMissingBarrierShows) {
  // Shared memory holds no value at the start; which threads find that out
  // depends on the order.
  EXPECT_EQ(neighbours(64, 0)[0], -1);
  EXPECT_EQ(neighbours(64, 0)[5], 104);
  ThreadOrder set("descending");
  EXPECT_EQ(neighbours(64, 0)[5], -1);
}

TEST(CudaThreads, UnknownOrder) {
  for (const char *order : {"sideways", "random:", "random:x", "randomly"}) {
    ThreadOrder set(order);
    EXPECT_NE(failure("twice", oneBlock(1), nullptr, nullptr, int64_t(0))
                  .find("CLIQUE_EMULATION_ORDER: '" + std::string(order) +
                        "', expected"),
              std::string::npos);
  }
}

static std::vector<int64_t> shuffled(int32_t operand, int32_t width,
                                     int32_t mode) {
  return run<int64_t>("shuffle", oneBlock(64), 64, operand, width, mode);
}

TEST(CudaThreads, Shuffle) {
  auto lanes = shuffled(5, 32, CLIQUE_EMU_SHUFFLE_XOR);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(lanes[t], 10 * (t ^ 5));
  lanes = shuffled(3, 32, CLIQUE_EMU_SHUFFLE_UP);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(lanes[t], 10 * (t % 32 < 3 ? t : t - 3));
  lanes = shuffled(3, 8, CLIQUE_EMU_SHUFFLE_DOWN);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(lanes[t], 10 * (t % 8 >= 5 ? t : t + 3));
  lanes = shuffled(2, 16, CLIQUE_EMU_SHUFFLE_IDX);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(lanes[t], 10 * (t / 16 * 16 + 2));
}

TEST(CudaThreads, HalfAWarpSynchronises) {
  for (const char *order : {"ascending", "descending", "random:3"}) {
    ThreadOrder set(order);
    auto seen = run<int32_t>("half_warp", oneBlock(64, 256), 64);
    for (int t = 0; t < 64; ++t)
      EXPECT_EQ(seen[t], t ^ 1);
  }
}

TEST(CudaThreads, GroupsOfAWarpGoTheirOwnWays) {
  for (const char *order : {"ascending", "descending", "random:3"}) {
    ThreadOrder set(order);
    auto sums = run<int64_t>("groups", oneBlock(64), 64, int32_t(0xf),
                             /*isShifted=*/int32_t(1));
    for (int t = 0; t < 64; ++t)
      if (t % 32 >= 4)
        EXPECT_EQ(sums[t], 4 * (t / 4 * 4) + 6);
  }
}

TEST(CudaThreads, AMaskOfOtherGroupsIsFound) {
  auto fail = [](int32_t mask) {
    return failure("groups", oneBlock(32), nullptr, mask,
                   /*isShifted=*/int32_t(0));
  };
  // Of the whole warp, where group 0 has nothing to add up.
  EXPECT_NE(fail(-1).find("28 of 32 threads reached a shuffle, and wait for "
                          "ever: kernel 'groups', block (0, 0, 0), thread "
                          "(0, 0, 0) (warp 0, lane 0) has ended"),
            std::string::npos)
      << fail(-1);
  // Of group 0.
  EXPECT_NE(fail(0xf).find("thread (4, 0, 0) (warp 0, lane 4): meets the lanes "
                           "0xf in a shuffle, but is not one of them"),
            std::string::npos)
      << fail(0xf);
}

TEST(CudaThreads, AMissingLaneIsFound) {
  EXPECT_EQ(failure("divergent_shuffle", oneBlock(64)),
            "layer: kernel 'divergent_shuffle' on CUDA device 0 (Clique's "
            "emulation), 1x1x1 blocks of 64x1x1 threads with 0 bytes of shared "
            "memory: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure: "
            "kernel 'divergent_shuffle', block (0, 0, 0): 31 of 32 threads "
            "reached a shuffle, and wait for ever: kernel 'divergent_shuffle', "
            "block (0, 0, 0), thread (3, 0, 0) (warp 0, lane 3) has ended");
}

TEST(CudaThreads, LanesThatMeetElsewhereAreFound) {
  const std::string message = failure("different_meetings", oneBlock(32));
  EXPECT_NE(message.find("while lane 0 meets the lanes 0xffffffff in a "
                         "shuffle; all lanes of a warp have to take the same "
                         "way there"),
            std::string::npos)
      << message;
}

TEST(CudaThreads, AThreadThatMissesTheBarrierIsFound) {
  const std::string message = failure("early_exit", oneBlock(64));
  EXPECT_NE(message.find("63 of 64 threads reached a barrier of the block, and "
                         "wait for ever: kernel 'early_exit', block (0, 0, 0), "
                         "thread (40, 0, 0) (warp 1, lane 8) has ended"),
            std::string::npos)
      << message;
}

TEST(CudaThreads, WhatNoKernelMayDo) {
  auto expect = [](int32_t what, const std::string &message,
                   int64_t threads = 32) {
    Code code;
    EXPECT_EQ(inLayer([&] {
                launch(code, "wrong_use", oneBlock(threads, 512), what,
                       allocate<char>(64));
              }),
              CLIQUE_DEVICE_ERROR);
    EXPECT_TRUE(lastErrorHas(message));
  };
  expect(0, "a shuffle of width 3 and mode 0, expected a power of two up to 32 "
            "and a mode from 0 to 3");
  expect(1, "a shuffle: lane 0 reads lane 20, which is not there", 16);
  expect(2, "an mma of m8n8k16 and element type 0, expected m16n8k16 of type 0 "
            "or 1, or m16n8k8 of type 2");
  expect(3, "an mma: lane 5 has element type 1, lane 0 has 0");
  expect(4, "an ldmatrix of 3 matrices, expected 1, 2 or 4");
  expect(5, "an ldmatrix: lane 5 does not load what lane 0 loads");
  expect(6, "expected multiples of its 4 bytes");
  expect(7, "waits at a barrier of the block");
  expect(8, "a wgmma in a block of 32 threads, expected a multiple of 128");
  expect(8, "a wgmma of m64n8k16 with panels of 48 and element type 0", 128);
  expect(9, "a wgmma: lane 5 does not multiply what lane 0 multiplies", 128);
  expect(10, "expected the block's shared memory at a multiple of 1024", 128);
}
