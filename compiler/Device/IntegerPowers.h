//===- IntegerPowers.h - Powers of integers as products ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_INTEGERPOWERS_H
#define CLIQUE_COMPILER_DEVICE_INTEGERPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace clique {

/// math.ipowi, of numbers and of vectors, as a loop of products.
void populateIntegerPowerPatterns(mlir::RewritePatternSet &patterns);

} // namespace clique
#endif // CLIQUE_COMPILER_DEVICE_INTEGERPOWERS_H
