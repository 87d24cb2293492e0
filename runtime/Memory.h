//===- Memory.h - Memory of compiled layers ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch and result memory: aligned blocks that are kept for reuse, so that a
// layer called again neither asks the system nor touches fresh pages. A cache
// knows its live blocks: a pointer that is not one of them is left alone. One
// cache holds the host's memory, one that of each device. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_MEMORY_H
#define CLIQUE_RUNTIME_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace clique {

/// Vectors of AVX-512 and cache lines.
constexpr size_t kBlockAlignment = 64;

/// Where a cache gets its memory.
class BlockSource {
public:
  virtual ~BlockSource() = default;
  /// Memory for work in a stream; nullptr if there is none. Throws what is
  /// another failure.
  virtual void *take(size_t bytes, size_t alignment, void *stream) = 0;
  /// Called when no earlier use of the memory is under way, or waits for it.
  virtual void give(void *memory) noexcept = 0;
  /// Whether what is put into the stream is in order, so that a block which was
  /// freed may be taken for it again.
  virtual bool isInOrder(void *) const { return true; }
};

/// What a block is asked for.
struct BlockRequest {
  size_t size = 0;
  size_t alignment = kBlockAlignment;
  uint64_t owner = 0; ///< the invocation it is for, 0 for none
  /// The stream whose work uses the block. A freed block is taken again for the
  /// same stream only: there the earlier work comes first anyway.
  void *stream = nullptr;
  bool isCounted = true; ///< by clique_peak_memory
};

class BlockCache {
public:
  /// Keeps at most `maxCached` bytes of freed blocks, those freed last. The
  /// source outlives this.
  BlockCache(BlockSource &source, size_t maxCached)
      : source(source), maxCached(maxCached) {}

  /// A block of at least the size asked for, also for 0; nullptr if there is
  /// none.
  void *allocate(const BlockRequest &request);
  /// Gives a block back. Ignores what is not a live block.
  void free(const void *block) noexcept;
  /// As free(), but to the source at once: for what several streams used.
  void discard(const void *block) noexcept;
  /// Whether `pointer` is the start of a live block of `owner`, of at least
  /// `bytes`.
  bool owns(uint64_t owner, const void *pointer, size_t bytes = 0) noexcept;
  /// Makes a live block one of `owner`.
  void assign(const void *block, uint64_t owner) noexcept;
  /// Gives all freed blocks that are kept to the source.
  void releaseKept() noexcept;
  /// Gives back all live blocks of an invocation that was ended early.
  void freeAllOf(uint64_t owner) noexcept;

private:
  /// Blocks of one size class are interchangeable: bytes, alignment, stream.
  using SizeClass = std::tuple<size_t, size_t, void *>;
  struct Block {
    SizeClass sizeClass;
    size_t counted;
    uint64_t owner;
  };
  using LiveBlocks = std::unordered_map<const void *, Block>;

  struct Freed {
    SizeClass sizeClass;
    void *block;
  };
  using FreedBlocks = std::list<Freed>;

  void *takeCached(const SizeClass &sizeClass);
  void *takeFromSource(const SizeClass &sizeClass,
                       std::unique_lock<std::mutex> &lock);
  bool keep(const SizeClass &sizeClass, void *block);
  void giveOldest();
  void *retire(LiveBlocks::iterator block, bool mayKeep);
  void release(const void *block, bool mayKeep) noexcept;
  void dropCache();

  BlockSource &source;
  const size_t maxCached;
  std::mutex mutex;
  LiveBlocks live;
  /// In the order they were freed, and the same by size class.
  FreedBlocks freed;
  std::map<SizeClass, std::deque<FreedBlocks::iterator>> freedOfClass;
  size_t cached = 0;
};

/// The host's memory. Freed blocks are kept up to an eighth of it, at most 4
/// GiB.
BlockCache &hostMemory();

/// Bytes of this machine's memory; the largest number if it is not known.
int64_t physicalMemory();

} // namespace clique

#endif // CLIQUE_RUNTIME_MEMORY_H
