//===- UnitVectors.h - Vectors that were divided by their norm --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner products whose sizes are at most 1.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_UNITVECTORS_H
#define CLIQUE_COMPILER_ANALYSIS_UNITVECTORS_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// The value that has the same elements, of other nodes perhaps: the operand of
/// an argument of a message or update, what a message, update or kernel yields
/// for its result. Null if there is none.
mlir::Value getSameElements(mlir::Value value);

/// Whether both vectors have been divided by their Euclidean norms or by what
/// is not smaller: by |x|, max(|x|, c), |x| + c, sqrt(x . x + c), or have been
/// multiplied by rsqrt(x . x + c), with constants c >= 0.
bool isCosine(mp::DotOp op);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_UNITVECTORS_H
