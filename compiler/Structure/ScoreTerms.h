//===- ScoreTerms.h - Terms of scores that a softmax takes out --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// softmax_j(t_i + r_ij) = softmax_j(r_ij): what all edges of a destination have
// in common changes no weight.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_SCORETERMS_H
#define CLIQUE_COMPILER_STRUCTURE_SCORETERMS_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// The parts of a score; values of its message's region.
struct SplitScore {
  /// r_ij.
  mlir::Value rest;
  /// What results are multiplied with so that they are what they were where t_i
  /// is no number: 1, but 0 where t_i is -inf, as of a mask, and NaN where it
  /// is NaN or infinity.
  mlir::Value guard;
  /// Whether t_i is -inf: there results are 0, even if sums are infinite.
  mlir::Value isLowest;
};

/// Nothing if no term is the destination's alone. New ops stand at the end of
/// the region.
std::optional<SplitScore> splitScore(mp::MessageOp message, mlir::Value score);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_SCORETERMS_H
