//===- Faults.h - Accesses to memory that is closed -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault in a kernel ends its block with an error. A fault of the host at an
// address of the device ends the process with a message. All others go to
// whoever handled them before.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_FAULTS_H
#define CLIQUE_RUNTIME_EMULATION_FAULTS_H

#include <csignal>
#include <cstddef>
#include <memory>

namespace clique::emulation {

/// Once per process.
void installFaultHandler();

/// While this lives, the thread handles faults on a stack of their own: that of
/// a kernel may be full.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  static constexpr size_t kBytes = size_t(64) << 10;
  std::unique_ptr<char[]> memory;
  stack_t former;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_FAULTS_H
