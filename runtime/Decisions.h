//===- Decisions.h - What kernels did, and why ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of a thread's last invocation. They are recorded in every call
// and read in few: their text is made when someone asks for it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_DECISIONS_H
#define CLIQUE_RUNTIME_DECISIONS_H

#include "runtime/CostModel.h"

namespace clique {

/// Forgets those of the thread's last invocation.
void clearDecisions();

/// Adds what a kernel does on a graph, unless it has done just that before in
/// this invocation.
void recordDecision(const char *kernel, const clique_graph &graph,
                    const Choice &choice);

} // namespace clique

#endif // CLIQUE_RUNTIME_DECISIONS_H
