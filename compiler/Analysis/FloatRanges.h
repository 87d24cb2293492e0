//===- FloatRanges.h - Bounds of floating-point values ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval arithmetic on features: what of a value's elements is known whatever
// the inputs of a layer are. Upstream has it for integers alone.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_FLOATRANGES_H
#define CLIQUE_COMPILER_ANALYSIS_FLOATRANGES_H

#include "dialect/IR/MPOps.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <limits>

namespace clique {

/// Each element is NaN, or between `least` and `most` up to rounding, or, if
/// `masked`, -inf. Without a number in it `least` is larger than `most`.
struct FloatRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool masked = false;

  bool isFinite() const { return std::isfinite(least) && std::isfinite(most); }
  bool isEmpty() const { return least > most; }
};

class FloatRanges {
public:
  /// Of the elements of a feature, of all nodes or in a region, or of an edge
  /// value.
  FloatRange get(mlir::Value value);

private:
  FloatRange compute(mlir::Value value);
  FloatRange computeOp(mlir::Operation *op);
  /// An aggregated value: some of the values, or a mean of them, or 0.
  FloatRange computeAggregate(mp::AggregateOp op, unsigned result);
  FloatRange getDot(mp::DotOp op);

  llvm::DenseMap<mlir::Value, FloatRange> known;
  unsigned depth = 0;
};

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_FLOATRANGES_H
