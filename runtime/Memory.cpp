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
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace clique;

namespace {

/// Bytes of freed blocks that are kept. More than the scratch of a large layer,
/// less than a user would miss.
constexpr size_t kMaxCached = size_t(512) << 20;
/// Sizes above this cannot be meant: a negative extent, most likely.
constexpr size_t kMaxSize = size_t(1) << 48;

/// Blocks of one size class are interchangeable.
using SizeClass = std::pair<size_t, size_t>; // bytes, alignment

class Allocator {
public:
  void *allocate(size_t size, size_t alignment, uint64_t owner);
  void free(void *block);
  void freeAllOf(uint64_t owner);
  bool owns(uint64_t owner, const void *pointer);
  int64_t peak();
  void resetPeak();

private:
  struct Block {
    SizeClass sizeClass;
    size_t size;
    uint64_t owner;
  };
  using LiveBlocks = std::unordered_map<const void *, Block>;

  void *takeCached(const SizeClass &sizeClass);
  bool keep(const SizeClass &sizeClass, void *block);
  void retire(LiveBlocks::iterator block);
  void dropCache();

  std::mutex mutex;
  LiveBlocks live;
  std::map<SizeClass, std::vector<void *>> cache;
  size_t cached = 0, inUse = 0, mostInUse = 0;
};

} // namespace

/// Rounds up to one of eight steps between powers of two: at most an eighth of
/// a block is wasted.
static size_t roundUp(size_t size) {
  size_t step = kBlockAlignment;
  while (step * 16 <= size)
    step *= 2;
  return std::max(step, (size + step - 1) / step * step);
}

void *Allocator::takeCached(const SizeClass &sizeClass) {
  auto found = cache.find(sizeClass);
  if (found == cache.end() || found->second.empty())
    return nullptr;
  void *block = found->second.back();
  found->second.pop_back();
  cached -= sizeClass.first;
  return block;
}

void Allocator::dropCache() {
  for (auto &[sizeClass, blocks] : cache)
    for (void *block : blocks)
      std::free(block);
  cache.clear();
  cached = 0;
}

void *Allocator::allocate(size_t size, size_t alignment, uint64_t owner) {
  if (size > kMaxSize || alignment > kMaxSize ||
      (alignment & (alignment - 1)) != 0)
    return nullptr;
  alignment = std::max(alignment, kBlockAlignment);
  const size_t bytes = (roundUp(size) + alignment - 1) / alignment * alignment;
  const SizeClass sizeClass(bytes, alignment);
  std::lock_guard<std::mutex> lock(mutex);
  void *block = takeCached(sizeClass);
  if (!block)
    block = std::aligned_alloc(alignment, bytes);
  if (!block) {
    dropCache();
    block = std::aligned_alloc(alignment, bytes);
  }
  if (!block)
    return nullptr;
  try {
    live.emplace(block, Block{sizeClass, size, owner});
  } catch (...) {
    std::free(block);
    return nullptr;
  }
  inUse += size;
  mostInUse = std::max(mostInUse, inUse);
  return block;
}

/// Puts a block into the cache; false if there is no room.
bool Allocator::keep(const SizeClass &sizeClass, void *block) {
  if (cached + sizeClass.first > kMaxCached)
    return false;
  try {
    cache[sizeClass].push_back(block);
  } catch (const std::bad_alloc &) {
    return false;
  }
  cached += sizeClass.first;
  return true;
}

/// Moves a live block to the cache, or back to the system.
void Allocator::retire(LiveBlocks::iterator block) {
  void *memory = const_cast<void *>(block->first);
  const SizeClass sizeClass = block->second.sizeClass;
  inUse -= block->second.size;
  live.erase(block);
  if (!keep(sizeClass, memory))
    std::free(memory);
}

void Allocator::free(void *block) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = live.find(block);
  if (found != live.end())
    retire(found);
}

void Allocator::freeAllOf(uint64_t owner) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto block = live.begin(); block != live.end();) {
    auto next = std::next(block);
    if (block->second.owner == owner)
      retire(block);
    block = next;
  }
}

bool Allocator::owns(uint64_t owner, const void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = live.find(pointer);
  return found != live.end() && found->second.owner == owner;
}

int64_t Allocator::peak() {
  std::lock_guard<std::mutex> lock(mutex);
  return int64_t(mostInUse);
}

void Allocator::resetPeak() {
  std::lock_guard<std::mutex> lock(mutex);
  mostInUse = inUse;
}

/// Never destroyed: results may be freed while the process shuts down.
static Allocator &allocator() {
  static Allocator *instance = new Allocator;
  return *instance;
}

void *clique::allocateBlock(size_t size, size_t alignment,
                            uint64_t owner) noexcept {
  return allocator().allocate(size, alignment, owner);
}

void clique::freeBlock(void *block) noexcept { allocator().free(block); }

bool clique::ownsBlock(uint64_t owner, const void *pointer) noexcept {
  return allocator().owns(owner, pointer);
}

void clique::freeBlocksOf(uint64_t owner) noexcept {
  allocator().freeAllOf(owner);
}

int64_t clique_peak_memory(void) { return allocator().peak(); }

void clique_reset_peak_memory(void) { allocator().resetPeak(); }
