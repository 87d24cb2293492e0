//===- SingleStep.h - An op as a launch of its own --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_SINGLESTEP_H
#define CLIQUE_COMPILER_DEVICE_SINGLESTEP_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {

/// Puts an op without results into a parallel loop of one step, which becomes a
/// launch.
inline void moveIntoSingleStep(mlir::Operation *op) {
  mlir::OpBuilder b(op);
  mlir::Location loc = op->getLoc();
  mlir::Value zero = mlir::arith::ConstantIndexOp::create(b, loc, 0);
  mlir::Value one = mlir::arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = mlir::scf::ParallelOp::create(b, loc, zero, one, one);
  op->moveBefore(loop.getBody()->getTerminator());
}

} // namespace clique
#endif // CLIQUE_COMPILER_DEVICE_SINGLESTEP_H
