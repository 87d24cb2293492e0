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

/// The source features that the kernel's softmaxes weigh, as arguments of its
/// messages, if masks may take a pair out of all that the kernel computes; they
/// do where those features are finite, as 0 times others is NaN.
std::optional<llvm::SmallVector<mlir::BlockArgument>>
getMaskedFeatures(const KernelInfo &info);

/// Whether any pair of the block may have a weight above 0 in any softmax of a
/// kernel that has masked features, an i1; null if nothing is known about that
/// when the kernel is compiled.
mlir::Value emitMayCount(BlockFunction &function, NodeRange dst, NodeRange src);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_MASKBOUNDS_H
