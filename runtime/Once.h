//===- Once.h - What is computed when it is first asked for -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As std::call_once, for computations that may throw: where it is made of
// pthread_once an exception leaves the flag as if somebody were still computing
// on some systems, and under the thread sanitizer.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_ONCE_H
#define CLIQUE_RUNTIME_ONCE_H

#include <atomic>
#include <mutex>

namespace clique {

/// The first thread that asks computes, the others wait for it. If it throws,
/// the next one tries again.
class Once {
public:
  template <typename Compute>
  void operator()(const Compute &compute) {
    if (isDone.load(std::memory_order_acquire))
      return;
    std::lock_guard<std::mutex> lock(mutex);
    if (isDone.load(std::memory_order_relaxed))
      return;
    compute();
    isDone.store(true, std::memory_order_release);
  }

private:
  std::mutex mutex;
  std::atomic<bool> isDone{false};
};

} // namespace clique
#endif // CLIQUE_RUNTIME_ONCE_H
