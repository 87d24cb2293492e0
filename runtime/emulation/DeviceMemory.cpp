//===- DeviceMemory.cpp - Memory of the emulated device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One large reservation, filled from below.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/DeviceMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>

using namespace clique::emulation;

/// From CLIQUE_EMULATION_MEMORY_MIB; 16 GiB, of which only what is written
/// takes memory of the host.
static size_t readLimit() {
  const char *text = std::getenv("CLIQUE_EMULATION_MEMORY_MIB");
  const unsigned long long megabytes =
      text ? std::strtoull(text, nullptr, 10) : 0;
  return size_t(megabytes ? megabytes : 16384) << 20;
}

DeviceMemory::DeviceMemory() : limit(readLimit()) {
  void *memory = mmap(nullptr, kRange, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  range = next = static_cast<char *>(memory);
}

/// Never destroyed: results may be freed while the process shuts down.
DeviceMemory &DeviceMemory::get() {
  static auto *memory = new DeviceMemory;
  return *memory;
}

size_t DeviceMemory::pages(size_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void *DeviceMemory::allocate(size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (bytes == 0 || bytes > limit - used)
    return nullptr;
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const size_t mapped = pages(rounded);
  if (mapped + kPage > size_t(range + kRange - next))
    return nullptr;
  // As near to the closed page behind it as its alignment allows.
  char *block = next + mapped - rounded;
  mprotect(next, mapped, PROT_READ | PROT_WRITE);
  std::memset(block, 0xff, rounded);
  if (!numOpen)
    mprotect(next, mapped, PROT_NONE);
  next += mapped + kPage;
  blocks[block] = bytes;
  used += bytes;
  return block;
}

bool DeviceMemory::free(void *block) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto found = blocks.find(static_cast<char *>(block));
  if (found == blocks.end())
    return false;
  const size_t bytes = found->second;
  char *start = found->first - size_t(found->first) % kPage;
  char *end = start + pages(size_t(found->first - start) + bytes);
  mprotect(start, size_t(end - start), PROT_NONE);
  madvise(start, size_t(end - start), MADV_DONTNEED);
  used -= bytes;
  freed.insert(*found);
  blocks.erase(found);
  return true;
}

size_t DeviceMemory::available() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return limit - used;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

void DeviceMemory::protect(int protection) {
  for (const auto &[block, bytes] : blocks) {
    char *start = block - size_t(block) % kPage;
    mprotect(start, pages(size_t(block - start) + bytes), protection);
  }
}

void DeviceMemory::open() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (numOpen++ == 0)
    protect(PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (--numOpen == 0)
    protect(PROT_NONE);
}

bool DeviceMemory::contains(const void *address, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto *first = static_cast<char *>(const_cast<void *>(address));
  auto block = blocks.upper_bound(first);
  if (block == blocks.begin())
    return false;
  --block;
  return bytes <= block->second &&
         size_t(first - block->first) <= block->second - bytes;
}

std::string DeviceMemory::describe(const void *address) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!isInRange(address))
    return "";
  auto *at = static_cast<char *>(const_cast<void *>(address));
  // The nearest block below, alive or not.
  auto live = blocks.upper_bound(at), dead = freed.upper_bound(at);
  const bool hasLive = live != blocks.begin(), hasDead = dead != freed.begin();
  if (!hasLive && !hasDead)
    return "in front of all device memory";
  const bool isDead =
      hasDead && (!hasLive || std::prev(dead)->first > std::prev(live)->first);
  const auto &[block, bytes] = isDead ? *std::prev(dead) : *std::prev(live);
  const auto offset = size_t(at - block);
  return fmt::format("byte {} of a {}block of {} bytes of device memory",
                     offset, isDead ? "freed " : "", bytes);
}

std::string DeviceMemory::findOverrun() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  for (const auto &[block, bytes] : blocks) {
    char *end = block + (bytes + kAlignment - 1) / kAlignment * kAlignment;
    char *found =
        std::find_if(block + bytes, end, [](char byte) { return ~byte; });
    if (found == end)
      continue;
    const auto offset = size_t(found - block);
    std::memset(block + bytes, 0xff, size_t(end - block) - bytes);
    return fmt::format("wrote byte {} of a block of {} bytes of device memory",
                       offset, bytes);
  }
  return "";
}
