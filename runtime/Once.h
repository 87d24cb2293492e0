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

#include "runtime/Error.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace clique {

/// A mutex that is held while a graph is worked on. A thread that asks while it
/// works itself, as a function of clique_set_interrupt may, gets an error: it
/// would wait for itself.
class WorkMutex {
public:
  void lock() {
    const std::thread::id self = std::this_thread::get_id();
    if (holder.load(std::memory_order_relaxed) == self)
      fail(CLIQUE_INVALID_ARGUMENT,
           "this graph is being worked on by the same thread: a handler of "
           "signals, or a function of clique_set_interrupt, has to use it "
           "after that call");
    mutex.lock();
    holder.store(self, std::memory_order_relaxed);
  }
  void unlock() {
    holder.store({}, std::memory_order_relaxed);
    mutex.unlock();
  }

private:
  std::mutex mutex;
  std::atomic<std::thread::id> holder{};
};

/// The first thread that asks computes, the others wait for it. If it throws,
/// the next one tries again.
class Once {
public:
  template <typename Compute>
  void operator()(const Compute &compute) {
    if (isDone.load(std::memory_order_acquire))
      return;
    std::lock_guard<WorkMutex> lock(mutex);
    if (isDone.load(std::memory_order_relaxed))
      return;
    compute();
    isDone.store(true, std::memory_order_release);
  }

private:
  WorkMutex mutex;
  std::atomic<bool> isDone{false};
};

} // namespace clique
#endif // CLIQUE_RUNTIME_ONCE_H
