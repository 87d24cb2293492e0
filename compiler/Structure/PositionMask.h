//===- PositionMask.h - Predicates on the ends of an edge -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which edges a condition on the positions of both ends keeps.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_POSITIONMASK_H
#define CLIQUE_COMPILER_STRUCTURE_POSITIONMASK_H

#include "dialect/IR/MPOps.h"

#include <limits>

namespace clique {

/// The pairs (destination i, source j) with least <= i - j <= most, without
/// i = j if `noSelf`.
struct PositionMask {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  int64_t least = -kUnbounded;
  int64_t most = kUnbounded;
  bool noSelf = false;

  bool operator==(const PositionMask &other) const {
    return least == other.least && most == other.most && noSelf == other.noSelf;
  }
  /// The pairs of both.
  PositionMask operator&(const PositionMask &other) const;
};

/// A value of a message that a condition takes edges out of.
struct MaskedValue {
  /// The value of the edges that stay.
  mlir::Value value;
  PositionMask mask;
};

/// Matches a value that is `neutral` (-inf or 0) where a condition on positions
/// does not hold.
std::optional<MaskedValue> matchMask(mlir::Value value, double neutral);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_POSITIONMASK_H
