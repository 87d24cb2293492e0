//===- EndpointMask.h - Predicates on the ends of an edge -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which edges a condition on the positions of both ends, and on numbers of
// theirs, keeps.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_ENDPOINTMASK_H
#define CLIQUE_COMPILER_STRUCTURE_ENDPOINTMASK_H

#include "dialect/IR/MPOps.h"

#include <limits>

namespace clique {

/// The pairs (destination i, source j) with least <= i - j <= most, without
/// i = j if `noSelf`, and with equal numbers in each of `segments`.
struct EndpointMask {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  int64_t least = -kUnbounded;
  int64_t most = kUnbounded;
  bool noSelf = false;
  /// Features of all nodes, an integer each.
  llvm::SmallVector<mlir::Value, 1> segments = {};

  bool operator==(const EndpointMask &other) const {
    return least == other.least && most == other.most &&
           noSelf == other.noSelf && segments == other.segments;
  }
  /// The pairs of both.
  EndpointMask operator&(const EndpointMask &other) const;
};

/// A value of a message that a condition takes edges out of.
struct MaskedValue {
  /// The value of the edges that stay.
  mlir::Value value;
  EndpointMask mask;
};

/// Matches a value that is `neutral` (-inf or 0) where a condition on the ends
/// does not hold.
std::optional<MaskedValue> matchMask(mlir::Value value, double neutral);

/// Whether it looks like such a value, for whatever condition.
bool hasMask(mlir::Value value, double neutral);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_ENDPOINTMASK_H
