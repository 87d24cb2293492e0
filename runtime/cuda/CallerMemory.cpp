//===- CallerMemory.cpp - Device memory of another library ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles of blocks that are in use, and a cache for each allocator and
// device.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/CallerMemory.h"
#include "runtime/Error.h"

#include <memory>

using namespace clique;
using namespace clique::cuda;

namespace {
class CallerMemory : public BlockSource {
public:
  CallerMemory(const clique_cuda_allocator &allocator, int32_t ordinal)
      : allocator(allocator), ordinal(ordinal) {}

  BlockCache &cache() { return blocks; }
  void *take(size_t bytes, size_t alignment, void *stream) override;
  void give(void *memory) noexcept override;

private:
  const clique_cuda_allocator allocator;
  const int32_t ordinal;
  std::mutex mutex;
  std::unordered_map<void *, void *> handles;
  BlockCache blocks{*this, /*maxCached=*/0};
};
} // namespace

void *CallerMemory::take(size_t bytes, size_t alignment, void *stream) {
  void *handle = nullptr;
  void *memory = allocator.allocate(allocator.data, ordinal, stream, bytes,
                                    alignment, &handle);
  if (!memory)
    return nullptr;
  try {
    if (reinterpret_cast<uintptr_t>(memory) % alignment)
      fail(CLIQUE_INVALID_ARGUMENT,
           "the allocator of clique_set_cuda_allocator returned {}, expected a "
           "multiple of {}",
           memory, alignment);
    std::lock_guard<std::mutex> lock(mutex);
    handles[memory] = handle;
  } catch (...) {
    allocator.free(allocator.data, handle);
    throw;
  }
  return memory;
}

void CallerMemory::give(void *memory) noexcept {
  std::unique_lock<std::mutex> lock(mutex);
  auto found = handles.find(memory);
  void *handle = found->second;
  handles.erase(found);
  lock.unlock();
  allocator.free(allocator.data, handle);
}

BlockCache &clique::cuda::callerMemory(const clique_cuda_allocator &allocator,
                                       int32_t ordinal) {
  using Key = std::tuple<void *, void *, void *, int32_t>;
  static std::mutex mutex;
  static auto &memories = *new std::map<Key, std::unique_ptr<CallerMemory>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<CallerMemory> &memory =
      memories[{allocator.data, reinterpret_cast<void *>(allocator.allocate),
                reinterpret_cast<void *>(allocator.free), ordinal}];
  if (!memory)
    memory = std::make_unique<CallerMemory>(allocator, ordinal);
  return memory->cache();
}
