//===- MaskBounds.h - Blocks of pairs that a mask takes out -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A score of -inf takes an edge out of a softmax. Where a condition on the
// positions of both ends decides which scores those are, bounds of what it
// compares, over a block of destinations and sources, say of many blocks that
// no score is left in them: far from the band of a sliding window, say.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_MASKBOUNDS_H
#define CLIQUE_COMPILER_LOWERING_MASKBOUNDS_H

#include "compiler/Lowering/BlockFunction.h"

namespace clique {

/// Nodes from the first to the last one, both included; indices.
struct NodeRange {
  mlir::Value first, last;
};

/// Whether any pair of the block may count in any of the kernel's aggregations,
/// an i1; null if nothing is known about that when the kernel is compiled.
mlir::Value emitMayCount(BlockFunction &function, NodeRange dst, NodeRange src);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_MASKBOUNDS_H
