//===- DeviceMemory.h - Memory of the emulated device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks in a range of addresses of their own, which only kernels and copies
// can touch: at all other times their pages are closed. Each block ends at a
// page that is always closed, freed addresses are not used again, and fresh
// memory is NaN in every floating type. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_DEVICEMEMORY_H
#define CLIQUE_RUNTIME_EMULATION_DEVICEMEMORY_H

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace clique::emulation {

class DeviceMemory {
public:
  static DeviceMemory &get();

  /// nullptr if there is not enough.
  void *allocate(size_t bytes);
  /// Whether there was such a block.
  bool free(void *block);
  size_t total() const { return limit; }
  size_t available();

  /// Whether all of these bytes are in one block.
  bool contains(const void *address, size_t bytes);
  /// "8 bytes behind a block of 256 bytes of device memory"; "" if the address
  /// is none of the device.
  std::string describe(const void *address);
  bool isInRange(const void *address) const {
    return address >= range && address < range + kRange;
  }
  /// Says whether something was written right behind a block; "" if not. The
  /// memory is open.
  std::string findOverrun();

private:
  friend class DeviceAccess;

  DeviceMemory();
  void open();
  void close();
  void protect(int protection);
  static size_t pages(size_t bytes);

  static constexpr size_t kRange = size_t(1) << 40;
  static constexpr size_t kPage = 4096;
  /// As cuMemAlloc's.
  static constexpr size_t kAlignment = 256;

  std::recursive_mutex mutex;
  char *range = nullptr;
  char *next = nullptr; ///< where no block has been yet
  std::map<char *, size_t> blocks;
  std::map<char *, size_t> freed;
  size_t limit, used = 0;
  int numOpen = 0;
};

/// Opens the memory for a kernel or a copy.
class DeviceAccess {
public:
  DeviceAccess() { DeviceMemory::get().open(); }
  ~DeviceAccess() { DeviceMemory::get().close(); }
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_DEVICEMEMORY_H
