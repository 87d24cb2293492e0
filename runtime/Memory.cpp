//===- Memory.cpp - Memory of compiled layers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock over a table of live blocks and free lists by size class. Compiled
// code allocates per invocation, not per tile, so the lock is not contended.
//
//===----------------------------------------------------------------------===//
#include "runtime/Memory.h"
#include "runtime/clique.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace clique;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// Of all caches together.
static std::atomic<int64_t> bytesInUse{0}, mostInUse{0};

static void countTaken(size_t bytes) {
  const int64_t now = bytesInUse += int64_t(bytes);
  int64_t most = mostInUse;
  while (now > most && !mostInUse.compare_exchange_weak(most, now)) {
  }
}

int64_t clique_peak_memory(void) { return mostInUse; }

void clique_reset_peak_memory(void) { mostInUse = bytesInUse.load(); }

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Sizes above this cannot be meant: a negative extent, most likely.
static constexpr size_t kMaxSize = size_t(1) << 48;

/// Rounds up to one of eight steps between powers of two: at most an eighth of
/// a block is wasted.
static size_t roundUp(size_t size) {
  size_t step = kBlockAlignment;
  while (step * 16 <= size)
    step *= 2;
  return std::max(step, (size + step - 1) / step * step);
}

void *BlockCache::takeCached(const SizeClass &sizeClass) {
  auto found = freedOfClass.find(sizeClass);
  if (found == freedOfClass.end() || found->second.empty())
    return nullptr;
  auto last = found->second.back();
  found->second.pop_back();
  void *block = last->block;
  freed.erase(last);
  cached -= std::get<0>(sizeClass);
  return block;
}

void BlockCache::giveOldest() {
  const Freed oldest = freed.front();
  freedOfClass.find(oldest.sizeClass)->second.pop_front();
  freed.pop_front();
  cached -= std::get<0>(oldest.sizeClass);
  source.give(oldest.block);
}

void BlockCache::dropCache() {
  while (!freed.empty())
    giveOldest();
}

void *BlockCache::allocate(const BlockRequest &request) {
  size_t alignment = request.alignment;
  if (request.size > kMaxSize || alignment > kMaxSize ||
      (alignment & (alignment - 1)) != 0)
    return nullptr;
  alignment = std::max(alignment, kBlockAlignment);
  // What is not kept is not rounded: the emulated device finds accesses
  // beyond the size that was asked for.
  const size_t rounded =
      maxCached ? roundUp(request.size) : std::max<size_t>(request.size, 1);
  const size_t bytes =
      maxCached ? (rounded + alignment - 1) / alignment * alignment : rounded;
  const SizeClass sizeClass(bytes, alignment, request.stream);
  const size_t counted = request.isCounted ? request.size : 0;
  std::unique_lock<std::mutex> lock(mutex);
  void *block = takeCached(sizeClass);
  if (!block)
    block = takeFromSource(sizeClass, lock);
  if (!block)
    return nullptr;
  try {
    live.emplace(block, Block{sizeClass, counted, request.owner});
  } catch (...) {
    lock.unlock();
    source.give(block);
    return nullptr;
  }
  countTaken(counted);
  return block;
}

/// Without the lock: a source may wait for a thread that frees a block.
void *BlockCache::takeFromSource(const SizeClass &sizeClass,
                                 std::unique_lock<std::mutex> &lock) {
  const auto [bytes, alignment, stream] = sizeClass;
  lock.unlock();
  void *block = source.take(bytes, alignment, stream);
  lock.lock();
  if (block)
    return block;
  dropCache();
  lock.unlock();
  block = source.take(bytes, alignment, stream);
  lock.lock();
  return block;
}

/// Puts a block into the cache, in place of older ones; false if it is too
/// large.
bool BlockCache::keep(const SizeClass &sizeClass, void *block) {
  const size_t bytes = std::get<0>(sizeClass);
  if (bytes > maxCached)
    return false;
  while (cached + bytes > maxCached)
    giveOldest();
  try {
    FreedBlocks last{{sizeClass, block}};
    freedOfClass[sizeClass].push_back(last.begin());
    freed.splice(freed.end(), last);
  } catch (const std::bad_alloc &) {
    return false;
  }
  cached += bytes;
  return true;
}

/// Moves a live block to the cache; returns it if it has to go back to the
/// source.
void *BlockCache::retire(LiveBlocks::iterator block, bool mayKeep) {
  void *memory = const_cast<void *>(block->first);
  const SizeClass sizeClass = block->second.sizeClass;
  bytesInUse -= int64_t(block->second.counted);
  live.erase(block);
  mayKeep &= source.isInOrder(std::get<2>(sizeClass));
  return mayKeep && keep(sizeClass, memory) ? nullptr : memory;
}

void BlockCache::release(const void *block, bool mayKeep) noexcept {
  std::unique_lock<std::mutex> lock(mutex);
  auto found = live.find(block);
  void *memory = found == live.end() ? nullptr : retire(found, mayKeep);
  lock.unlock();
  if (memory)
    source.give(memory);
}

void BlockCache::free(const void *block) noexcept {
  release(block, /*mayKeep=*/true);
}

void BlockCache::discard(const void *block) noexcept {
  release(block, /*mayKeep=*/false);
}

void BlockCache::freeAllOf(uint64_t owner) noexcept {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    auto found =
        std::find_if(live.begin(), live.end(), [owner](const auto &block) {
          return block.second.owner == owner;
        });
    if (found == live.end())
      return;
    if (void *memory = retire(found, /*mayKeep=*/true)) {
      lock.unlock();
      source.give(memory);
      lock.lock();
    }
  }
}

void BlockCache::releaseKept() noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  dropCache();
}

bool BlockCache::owns(uint64_t owner, const void *pointer,
                      size_t bytes) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = live.find(pointer);
  return found != live.end() && found->second.owner == owner &&
         std::get<0>(found->second.sizeClass) >= bytes;
}

void BlockCache::assign(const void *block, uint64_t owner) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = live.find(block);
  if (found != live.end())
    found->second.owner = owner;
}

//===----------------------------------------------------------------------===//
// The host's memory
//===----------------------------------------------------------------------===//

int64_t clique::physicalMemory() {
  const int64_t bytes =
      int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  return bytes > 0 ? bytes : std::numeric_limits<int64_t>::max();
}

namespace {
/// Rows are gathered from anywhere in a block: on pages of 4 KiB each row of a
/// large one misses the TLB, and a fresh block is as many faults as pages.
constexpr size_t kHugePage = size_t(2) << 20;
constexpr size_t kLargeBlock = 2 * kHugePage;

/// The address sanitizer finds uses of blocks that were freed, and accesses
/// beyond the size that was asked for, if no block is kept or rounded.
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
constexpr bool kKeepsBlocks = false;
#else
constexpr bool kKeepsBlocks = true;
#endif

class HostSource : public BlockSource {
public:
  void *take(size_t bytes, size_t alignment, void *) override {
    void *memory = nullptr;
    if (bytes < kLargeBlock || !kKeepsBlocks)
      return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
    alignment = std::max(alignment, kHugePage);
    const size_t pages = (bytes + alignment - 1) / alignment * alignment;
    memory = std::aligned_alloc(alignment, pages);
    // Advice: a system without huge pages goes on with small ones.
    if (memory)
      madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    return memory;
  }
  void give(void *memory) noexcept override { std::free(memory); }
};

} // namespace

/// Never destroyed: results may be freed while the process shuts down.
BlockCache &clique::hostMemory() {
  // More than the scratch of a large layer, less than a user would miss, also
  // in a container that may use but a part of the machine.
  constexpr int64_t most = int64_t(4) << 30;
  static BlockCache *instance = new BlockCache(
      *new HostSource,
      kKeepsBlocks ? size_t(std::min(most, physicalMemory() / 8)) : 0);
  return *instance;
}

void clique_release_kept_memory(void) { hostMemory().releaseKept(); }
