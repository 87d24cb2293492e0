//===- Interruption.cpp - An early end that the caller asks for -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the caller is asked, and what compiled code calls between blocks.
//
//===----------------------------------------------------------------------===//
#include "runtime/Interruption.h"
#include "runtime/Invocation.h"

#include <ctime>

using namespace clique;

namespace {
/// Of this thread; its address names the thread.
struct Asked {
  clique_interrupt_function ask = nullptr;
  void *data = nullptr;
};
} // namespace

static thread_local Asked asked;

void clique_set_interrupt(clique_interrupt_function ask, void *data) {
  asked = {ask, data};
}

clique_interruption::clique_interruption()
    : ask(asked.ask), data(asked.data), thread(&asked) {}

/// Some nanoseconds instead of the thirty of the exact clock.
static int64_t readCoarseClock() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

bool clique_interruption::goesOn() noexcept {
  constexpr int64_t period = 20000000;
  if (requested.load(std::memory_order_relaxed))
    return false;
  if (!ask || thread != &asked)
    return true;
  const int64_t now = readCoarseClock();
  if (now < nextTime)
    return true;
  const bool isFirst = nextTime == 0;
  nextTime = now + period;
  if (isFirst || ask(data) == 0)
    return true;
  requested.store(true, std::memory_order_relaxed);
  return false;
}

void LoopInterruption::ask() {
  done = 0;
  failIfInterrupted(&interruption);
}

clique_interruption *clique_rt_interruption(void) {
  Invocation *invocation = Invocation::current();
  return invocation && invocation->interruption.isPossible()
             ? &invocation->interruption
             : nullptr;
}

bool clique_rt_goes_on(clique_interruption *interruption) {
  return !interruption || interruption->goesOn();
}

void clique::failIfInterrupted(clique_interruption *interruption) {
  if (!clique_rt_goes_on(interruption))
    fail(CLIQUE_INTERRUPTED, "interrupted");
}

void clique_rt_fail_if_interrupted(clique_interruption *interruption) {
  guardedForLayer([&] { failIfInterrupted(interruption); });
}
