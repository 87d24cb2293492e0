//===- FeatureCost.h - What the ops of a region cost ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of work and data for one edge or node, for decisions that are made at
// compile time and for the runtime's cost model.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_FEATURECOST_H
#define CLIQUE_COMPILER_ANALYSIS_FEATURECOST_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace clique {

/// What a function such as exp counts: about what a vectorised one takes.
inline constexpr int64_t kFunctionFlops = 16;

/// Floating-point operations of one op of a region.
int64_t getFlops(mlir::Operation &op);

/// Size of an element in memory; an index has 64 bits.
int64_t getBits(mlir::Type element);

/// Size of a feature in memory.
int64_t getBytes(mlir::RankedTensorType feature);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_FEATURECOST_H
