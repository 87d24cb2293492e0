//===- HeadDimension.h - Feature dimensions that never mix ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heads of attention are computed apart from one another: entry h of every
// score, weight and result depends on entry h of the operands alone. Such a
// dimension is found here for any kernel, as a class of feature dimensions that
// elementwise ops, dot products and aggregators carry through one by one.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_HEADDIMENSION_H
#define CLIQUE_COMPILER_FUSION_HEADDIMENSION_H

#include "dialect/IR/MPOps.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace clique {

struct HeadDimension {
  int64_t size = 0;
  /// Which feature dimension of a value it is. Holds node and edge features
  /// inside and at the border of the kernel, values of regions, and weights.
  llvm::MapVector<mlir::Value, unsigned> dims;
};

/// The dimension along which a kernel's messages and aggregations can be
/// computed apart without doing much twice: all edge values have it, what an
/// edge computes without it is less than what it computes with it even if each
/// head does so again, and a score or product is formed along another one. One
/// that is the first feature dimension of all aggregated values is found before
/// others. Updates are not looked at.
std::optional<HeadDimension> findHeadDimension(mp::KernelOp kernel);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_HEADDIMENSION_H
