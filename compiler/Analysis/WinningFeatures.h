//===- WinningFeatures.h - What an edge has of what it won ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cotangents of maxima and minima: of each element of a node one edge gets
// something, the others 0.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_WINNINGFEATURES_H
#define CLIQUE_COMPILER_ANALYSIS_WINNINGFEATURES_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// select(number == edge's own, value, 0), element by element.
struct WinningFeature {
  mlir::Value wins, value;
};

/// What `x`, a value of a message, is if it is such a feature: of all edges
/// of a node, and each element, it is 0 but for one.
std::optional<WinningFeature> getWinningFeature(mlir::Value x);

/// Whether `linear` maps a vector of that kind: elements that are 0 are better
/// left out than multiplied.
bool isMapOfWinners(mp::LinearOp linear);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_WINNINGFEATURES_H
