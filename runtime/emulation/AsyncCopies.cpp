//===- AsyncCopies.cpp - Asynchronous copies of a thread ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async, commit and wait.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/AsyncCopies.h"
#include "runtime/emulation/Block.h"
#include "runtime/emulation/emulated.h"

#include <cstring>
#include <fmt/format.h>

using namespace clique::emulation;

void AsyncCopies::start(void *shared, const void *global, int32_t bytes,
                        int32_t sourceBytes) {
  std::memset(shared, 0xff, bytes);
  pending.push_back({shared, global, bytes, sourceBytes});
}

void AsyncCopies::wait(int32_t groupsLeft) {
  if (int64_t(groupEnds.size()) <= groupsLeft)
    return;
  const size_t groups = groupEnds.size() - groupsLeft;
  const size_t count = groupEnds[groups - 1];
  for (size_t k = 0; k < count; ++k) {
    const Copy &copy = pending[k];
    auto *to = static_cast<char *>(copy.shared);
    std::memcpy(to, copy.global, copy.sourceBytes);
    std::memset(to + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
  }
  pending.erase(pending.begin(), pending.begin() + int64_t(count));
  groupEnds.erase(groupEnds.begin(), groupEnds.begin() + int64_t(groups));
  for (size_t &end : groupEnds)
    end -= count;
}

//===----------------------------------------------------------------------===//
// Called by kernels
//===----------------------------------------------------------------------===//

static bool isMultiple(const void *address, int32_t bytes) {
  return reinterpret_cast<uintptr_t>(address) % uintptr_t(bytes) == 0;
}

void clique_emu_copy_async(void *shared, const void *global, int32_t bytes,
                           int32_t source_bytes) {
  Block &block = *Block::current();
  if ((bytes != 4 && bytes != 8 && bytes != 16) || source_bytes < 0 ||
      source_bytes > bytes)
    block.fail(fmt::format("an asynchronous copy of {} of {} bytes, expected "
                           "4, 8 or 16",
                           source_bytes, bytes));
  if (!isMultiple(shared, bytes) || !isMultiple(global, bytes))
    block.fail(fmt::format("an asynchronous copy from {} to {}, expected "
                           "multiples of its {} bytes",
                           global, shared, bytes));
  if (!block.shared().contains(shared, bytes))
    block.fail(fmt::format("an asynchronous copy of {} bytes to {}: outside of "
                           "the block's shared memory",
                           bytes, shared));
  block.copies().start(shared, global, bytes, source_bytes);
}

void clique_emu_copy_commit(void) { Block::current()->copies().commit(); }

void clique_emu_copy_wait(int32_t groups_left) {
  Block::current()->copies().wait(groups_left);
}
