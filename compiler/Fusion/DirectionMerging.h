//===- DirectionMerging.h - One kernel for a graph and its reverse -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel on a graph and one on its reverse, of which one adds up for its
// destinations, sources of the other, become one.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_DIRECTIONMERGING_H
#define CLIQUE_COMPILER_FUSION_DIRECTIONMERGING_H

#include "compiler/Fusion/KernelSites.h"

namespace clique {

/// The kernel that makes the results of both: `base`, with the sums of `other`
/// as sums for sources. The two stand together, and the kernel of `other` has
/// sums alone. Null, and nothing is done, if their messages have no product
/// in common. `leastParts`: of a batch, below which both stay apart at run
/// time; 0 of other graphs.
mp::KernelOp mergeDirections(const KernelSite &base, const KernelSite &other,
                             int64_t leastParts);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_DIRECTIONMERGING_H
