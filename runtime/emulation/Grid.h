//===- Grid.h - All blocks of a launch --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the blocks of a launch among threads of the host.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_GRID_H
#define CLIQUE_RUNTIME_EMULATION_GRID_H

#include "runtime/emulation/Block.h"

namespace clique::emulation {

/// Runs the kernel to its end. Throws KernelError.
void runGrid(const Launch &launch);

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_GRID_H
