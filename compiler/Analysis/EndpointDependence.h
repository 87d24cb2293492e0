//===- EndpointDependence.h - On which ends a value depends -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which endpoint's features each value of a message's region is computed from.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ENDPOINTDEPENDENCE_H
#define CLIQUE_COMPILER_ANALYSIS_ENDPOINTDEPENDENCE_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// A set of what a value depends on, as bits.
enum class Ends : unsigned {
  /// The same for every edge: weights and constants.
  none = 0,
  dst = 1,
  src = 2,
  /// Both, or the edge itself.
  edge = 3
};

inline Ends operator|(Ends a, Ends b) {
  return static_cast<Ends>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

class EndpointDependence {
public:
  /// `knowsPositions`: the position of one end depends on that end, although
  /// there is no node feature it could be computed from.
  explicit EndpointDependence(mp::MessageOp message,
                              bool knowsPositions = false);

  /// Values from outside the region depend on no end.
  Ends get(mlir::Value value) const { return ends.lookup(value); }
  bool isOneEnd(mlir::Value value) const {
    return get(value) == Ends::dst || get(value) == Ends::src;
  }

private:
  llvm::DenseMap<mlir::Value, Ends> ends;
};

/// The number of elements of the largest value of a message that belongs to an
/// edge, not to one of its ends.
int64_t getEdgeValueSize(mp::MessageOp message);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ENDPOINTDEPENDENCE_H
