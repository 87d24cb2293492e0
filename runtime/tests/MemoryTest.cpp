//===- MemoryTest.cpp - Memory of compiled layers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment, reuse, counters, and indifference to foreign pointers.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <unistd.h>

using namespace clique::test;

static void *allocate(uint64_t size) {
  return _mlir_memref_to_llvm_alloc(size);
}
static void release(void *block) { _mlir_memref_to_llvm_free(block); }

TEST(Memory, BlocksAreAligned) {
  for (uint64_t size : {0, 1, 63, 64, 65, 1000, 4097, 1 << 20}) {
    void *block = allocate(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    std::memset(block, 1, size);
    release(block);
  }
  for (uint64_t alignment : {1, 16, 128, 4096}) {
    void *block = _mlir_memref_to_llvm_aligned_alloc(alignment, 100);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
    std::memset(block, 1, 100);
    release(block);
  }
}

/// Under it each block is a new one.
#define SKIP_IF_NO_BLOCK_IS_KEPT()                                             \
  if (__asan_init)                                                             \
  GTEST_SKIP() << "no block is kept"

TEST(Memory, FreedBlocksAreReused) {
  SKIP_IF_NO_BLOCK_IS_KEPT();
  void *first = allocate(100000);
  release(first);
  void *second = allocate(99990);
  EXPECT_EQ(first, second);
  void *third = allocate(100000);
  EXPECT_NE(second, third);
  release(second);
  release(third);
}

TEST(Memory, BlocksFreedLastAreKept) {
  SKIP_IF_NO_BLOCK_IS_KEPT();
  const uint64_t limit =
      std::min(uint64_t(4) << 30, uint64_t(sysconf(_SC_PHYS_PAGES)) *
                                      uint64_t(sysconf(_SC_PAGE_SIZE)) / 8);
  for (uint64_t sixteenths : {9, 10, 12})
    release(allocate(limit / 16 * sixteenths));
  const uint64_t size = limit / 16 * 8;
  auto *kept = static_cast<char *>(allocate(size));
  kept[0] = 42;
  release(kept);
  auto *again = static_cast<char *>(allocate(size));
  EXPECT_EQ(again[0], 42) << "memory of the system is 0";
  again[0] = 43;
  release(again);
  clique_release_kept_memory();
  again = static_cast<char *>(allocate(size));
  EXPECT_NE(again[0], 43);
  release(again);
  clique_release_kept_memory();
}

TEST(Memory, PeakIsTheMostInUseAtOnce) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  void *a = allocate(1000);
  void *b = allocate(500);
  release(a);
  void *c = allocate(700);
  EXPECT_EQ(clique_peak_memory() - base, 1500);
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory() - base, 1200);
  release(b);
  release(c);
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
}

TEST(Memory, ForeignPointersAreLeftAlone) {
  release(nullptr);
  release(reinterpret_cast<void *>(0xdeadbeef));
  Graph graph = make(clique_graph_complete, int64_t(20), 0);
  clique::Memref1D<const int64_t> indptr;
  _mlir_ciface_clique_rt_indptr(&indptr, graph.get());
  release(const_cast<int64_t *>(indptr.allocated));
  EXPECT_EQ(indptr.aligned[20], 400);
}

TEST(Memory, ThreadsShareTheAllocator) {
  clique_reset_peak_memory();
  const int64_t base = clique_peak_memory();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int round = 0; round < 2000; ++round) {
        const size_t size = 64 + (round * 37 + t) % 5000;
        auto *block = static_cast<unsigned char *>(allocate(size));
        std::memset(block, t, size);
        EXPECT_EQ(block[size - 1], t);
        release(block);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  clique_reset_peak_memory();
  EXPECT_EQ(clique_peak_memory(), base);
}
