//===- SharedMemory.cpp - A block's dynamic shared memory -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory ends at the guard page, but for what its alignment leaves over.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/SharedMemory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>

using namespace clique::emulation;

SharedMemory::SharedMemory() {
  void *memory = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapped = static_cast<char *>(memory);
  start = guard = mapped + kMapped - kPage;
  mprotect(mapped, kPage, PROT_NONE);
  mprotect(guard, kPage, PROT_NONE);
}

SharedMemory::~SharedMemory() { munmap(mapped, kMapped); }

void SharedMemory::reset(int64_t bytes) {
  size = bytes;
  start = guard - (bytes + kAlignment - 1) / kAlignment * kAlignment;
  std::memset(start, 0xff, guard - start);
}

bool SharedMemory::contains(const void *address, int64_t bytes) const {
  const auto *first = static_cast<const char *>(address);
  return first >= start && bytes <= size && first - start <= size - bytes;
}

std::string SharedMemory::describe(const void *address) const {
  if (address < mapped || address >= mapped + kMapped)
    return "";
  return fmt::format("byte {} of the block's {} bytes of shared memory",
                     static_cast<const char *>(address) - start, size);
}

std::string SharedMemory::findOverrun() const {
  const char *found =
      std::find_if(start + size, guard, [](char byte) { return ~byte; });
  if (found == guard)
    return "";
  return fmt::format("wrote byte {} of {} bytes of shared memory",
                     found - start, size);
}
