//===- OutlineUpdates.h - Updates behind their kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_OUTLINEUPDATES_H
#define CLIQUE_COMPILER_FUSION_OUTLINEUPDATES_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// Gives the updates of a kernel, and its sums over nodes, a `nodes` kernel of
/// their own behind it.
/// Returns the one of messages and aggregations; `kernel` itself, if it has
/// none of them.
mp::KernelOp outlineUpdates(mp::KernelOp kernel);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_OUTLINEUPDATES_H
