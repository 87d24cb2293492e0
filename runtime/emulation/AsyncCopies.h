//===- AsyncCopies.h - Asynchronous copies of a thread ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy lands as late as the model allows: when its thread waits for it. It
// may land at once, too, so from its start the destination holds no value.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_ASYNCCOPIES_H
#define CLIQUE_RUNTIME_EMULATION_ASYNCCOPIES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clique::emulation {

class AsyncCopies {
public:
  void start(void *shared, const void *global, int32_t bytes,
             int32_t sourceBytes);
  void commit() { groupEnds.push_back(pending.size()); }
  /// Lands all but the `groupsLeft` latest groups.
  void wait(int32_t groupsLeft);

private:
  struct Copy {
    void *shared;
    const void *global;
    int32_t bytes;
    int32_t sourceBytes;
  };
  std::vector<Copy> pending;     ///< in order
  std::vector<size_t> groupEnds; ///< in `pending`
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_ASYNCCOPIES_H
