//===- Faults.cpp - Accesses to memory that is closed ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler of SIGSEGV and SIGBUS. Faults are synchronous: the thread was in
// a kernel's or a caller's code, not inside a function of the C library, so
// the message may be made with the usual means.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Faults.h"
#include "runtime/emulation/Block.h"
#include "runtime/emulation/DeviceMemory.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

using namespace clique::emulation;

static struct sigaction formerSegv, formerBus;

static void handleFault(int signal, siginfo_t *info, void *context) {
  if (Block *block = Block::current())
    block->failAccess(info->si_addr);
  if (DeviceMemory::get().isInRange(info->si_addr)) {
    std::fprintf(stderr,
                 "clique: the host accesses %p, %s, while no kernel and no "
                 "copy runs; copy what it needs to the host first\n",
                 info->si_addr,
                 DeviceMemory::get().describe(info->si_addr).c_str());
    std::abort();
  }
  const struct sigaction &former = signal == SIGSEGV ? formerSegv : formerBus;
  if (former.sa_flags & SA_SIGINFO)
    former.sa_sigaction(signal, info, context);
  else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
    former.sa_handler(signal);
  else
    sigaction(signal, &former, nullptr); // the access is made again, and ends
}

void clique::emulation::installFaultHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = handleFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &formerSegv);
    sigaction(SIGBUS, &action, &formerBus);
  });
}

SignalStack::SignalStack() : memory(new char[kBytes]) {
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = kBytes;
  sigaltstack(&stack, &former);
}

SignalStack::~SignalStack() { sigaltstack(&former, nullptr); }
