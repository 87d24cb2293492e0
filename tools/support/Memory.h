//===- Memory.h - The memory of this machine --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_MEMORY_H
#define CLIQUE_TOOLS_SUPPORT_MEMORY_H

#include <cstdint>

namespace clique {

/// The bytes that a process may take: what the machine has, or its limit. The
/// system may promise more, and end who takes it.
uint64_t getMostMemory();

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_MEMORY_H
