//===- Interruption.h - An early end that the caller asks for ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The invoking thread asks the caller's function between blocks. Once it says
// so, every thread leaves out the blocks that it takes, and the invocation ends
// after the region.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_INTERRUPTION_H
#define CLIQUE_RUNTIME_INTERRUPTION_H

#include "runtime/compiled.h"

#include <atomic>

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
} // namespace clique

#endif // CLIQUE_RUNTIME_INTERRUPTION_H
