//===- Fiber.cpp - Threads of a block, taking turns -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks and switches.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Fiber.h"

#include <new>
#include <sys/mman.h>

using namespace clique::emulation;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

//===----------------------------------------------------------------------===//
// The address sanitizer
//===----------------------------------------------------------------------===//

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

static void startSwitch(void **fakeStack, const void *bottom, size_t bytes) {
  __sanitizer_start_switch_fiber(fakeStack, bottom, bytes);
}
static void finishSwitch(void *fakeStack, const void **bottom, size_t *bytes) {
  __sanitizer_finish_switch_fiber(fakeStack, bottom, bytes);
}
/// Frames of a fiber that was forgotten left marks behind.
static void clearMarks(const Stack &stack) {
  __asan_unpoison_memory_region(stack.bottom(), Stack::kBytes);
}
#else
static void startSwitch(void **, const void *, size_t) {}
static void finishSwitch(void *, const void **, size_t *) {}
static void clearMarks(const Stack &) {}
#endif

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

Stack::Stack() {
  void *memory = mmap(nullptr, kGuard + kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  base = static_cast<char *>(memory);
  mprotect(base, kGuard, PROT_NONE);
}

Stack::~Stack() {
  if (base)
    munmap(base, kGuard + kBytes);
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

void Fiber::enter(transfer_t from) {
  auto *fiber = static_cast<Fiber *>(from.data);
  fiber->scheduler = from.fctx;
  finishSwitch(nullptr, &fiber->schedulerBottom, &fiber->schedulerBytes);
  fiber->function(fiber->argument);
}

void Fiber::start(const Stack &memory, void (*callee)(void *), void *value) {
  clearMarks(memory);
  stack = &memory;
  function = callee;
  argument = value;
  ownFakeStack = nullptr;
  own = make_fcontext(memory.top(), Stack::kBytes, enter);
}

void Fiber::resume() {
  startSwitch(&schedulerFakeStack, stack->bottom(), Stack::kBytes);
  transfer_t back = jump_fcontext(own, this);
  finishSwitch(schedulerFakeStack, nullptr, nullptr);
  own = back.fctx;
}

void Fiber::giveWay() {
  startSwitch(&ownFakeStack, schedulerBottom, schedulerBytes);
  transfer_t back = jump_fcontext(scheduler, nullptr);
  finishSwitch(ownFakeStack, &schedulerBottom, &schedulerBytes);
  scheduler = back.fctx;
}
