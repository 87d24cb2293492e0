//===- ExpDifference.h - Exponentials up to a factor ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a softmax, exp(s_j - m), are exact up to a factor that is the
// same for a row's: the flags of the difference say so.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_EXPDIFFERENCE_H
#define CLIQUE_COMPILER_ANALYSIS_EXPDIFFERENCE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace clique {

/// Of a difference of which only the exponential is used, up to a factor.
inline constexpr auto kUpToFactor =
    mlir::arith::FastMathFlags::reassoc | mlir::arith::FastMathFlags::contract;

/// The difference of which `op`, of f32, is the exponential, if its rounding
/// does not matter; null otherwise.
inline mlir::arith::SubFOp getDifferenceUpToFactor(mlir::math::ExpOp op) {
  auto difference = op.getOperand().getDefiningOp<mlir::arith::SubFOp>();
  return mlir::getElementTypeOrSelf(op.getType()).isF32() && difference &&
                 bitEnumContainsAll(difference.getFastmath(), kUpToFactor)
             ? difference
             : mlir::arith::SubFOp();
}

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_EXPDIFFERENCE_H
