//===- SharedMemory.h - A block's dynamic shared memory ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exactly as large as a launch asks, between two pages that must not be
// touched.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_SHAREDMEMORY_H
#define CLIQUE_RUNTIME_EMULATION_SHAREDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace clique::emulation {

class SharedMemory {
public:
  /// Of a block on sm_90.
  static constexpr int64_t kLimit = 227 * 1024;

  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// For a new block: all bits set, which is NaN in every floating type.
  void reset(int64_t bytes);
  char *data() const { return start; }
  bool contains(const void *address, int64_t bytes) const;
  /// Says what is wrong with an access near it; "" if it is far away.
  std::string describe(const void *address) const;
  /// Says whether something was written right behind it; "" if not.
  std::string findOverrun() const;

private:
  static constexpr size_t kPage = 4096;
  /// What the hardware and its widest instructions ask for.
  static constexpr int64_t kAlignment = 128;
  static constexpr size_t kMapped =
      kPage + (kLimit + kPage - 1) / kPage * kPage + kPage;

  char *mapped;
  char *guard; ///< the page behind
  char *start;
  int64_t size = 0;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_SHAREDMEMORY_H
