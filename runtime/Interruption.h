//===- Interruption.h - An early end that the caller asks for ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The invoking thread asks the caller's function between blocks. Once it says
// so, every thread leaves out the blocks that it takes, and the invocation ends
// after the region. Work of the runtime itself, of one thread, asks on its way.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_INTERRUPTION_H
#define CLIQUE_RUNTIME_INTERRUPTION_H

#include "runtime/compiled.h"

#include <atomic>
#include <cstddef>

/// That of one invocation, made on its thread.
struct clique_interruption {
  clique_interruption();

  /// Whether anybody may interrupt it.
  bool isPossible() const { return ask; }
  /// Whether blocks are still computed. The invoking thread asks, but not more
  /// often than the system's coarse clock is worth.
  bool goesOn() noexcept;

private:
  clique_interrupt_function ask;
  void *data;
  const void *thread;
  int64_t nextTime = 0; ///< nanoseconds; 0: not yet asked
  std::atomic<bool> requested{false};
};

namespace clique {

/// Throws if there is an interruption and it was asked for.
void failIfInterrupted(clique_interruption *interruption);

/// For a loop over rows or edges of a graph: throws CLIQUE_INTERRUPTED once the
/// caller says so. Cheap enough to be called for every one of them.
class LoopInterruption {
public:
  /// After `work` more of the loop's elements.
  void check(size_t work = 1) {
    done += work;
    if (done >= kPeriod)
      ask();
  }

private:
  /// A millisecond or less of any loop.
  static constexpr size_t kPeriod = size_t(1) << 16;
  void ask();

  clique_interruption interruption;
  size_t done = 0;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_INTERRUPTION_H
