//===- Fiber.h - Threads of a block, taking turns ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with a stack of its own that runs until it gives way. The jumps
// are Boost.Context's lowest layer: its fibers unwind what they abandon, and
// kernels have no tables to be unwound by. A fiber that is not resumed is
// simply forgotten, and its stack used again.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_FIBER_H
#define CLIQUE_RUNTIME_EMULATION_FIBER_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace clique::emulation {

/// Memory for one fiber, with a page below that must not be touched.
class Stack {
public:
  Stack();
  ~Stack();
  Stack(Stack &&other) noexcept : base(other.base) { other.base = nullptr; }
  Stack(const Stack &) = delete;
  Stack &operator=(const Stack &) = delete;
  Stack &operator=(Stack &&) = delete;

  /// Large enough for a thread's registers, spilled.
  static constexpr size_t kBytes = size_t(256) << 10;
  char *bottom() const { return base + kGuard; }
  char *top() const { return base + kGuard + kBytes; }
  bool isGuard(const void *address) const {
    return address >= base && address < base + kGuard;
  }

private:
  static constexpr size_t kGuard = 4096;
  char *base;
};

class Fiber {
public:
  /// Prepares to call function(argument). It must not return: its last act is
  /// to give way.
  void start(const Stack &stack, void (*function)(void *), void *argument);
  /// Runs the fiber until it gives way. Called by the scheduler.
  void resume();
  /// Back to the scheduler. Called by the fiber.
  void giveWay();

private:
  static void enter(boost::context::detail::transfer_t from);

  boost::context::detail::fcontext_t own = nullptr, scheduler = nullptr;
  void (*function)(void *) = nullptr;
  void *argument = nullptr;
  // For the address sanitizer, which has to know which stack is in use.
  const Stack *stack = nullptr;
  void *ownFakeStack = nullptr;
  void *schedulerFakeStack = nullptr;
  const void *schedulerBottom = nullptr;
  size_t schedulerBytes = 0;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_FIBER_H
