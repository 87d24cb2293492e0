//===- Activity.h - What depends on what is differentiated ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_ACTIVITY_H
#define CLIQUE_COMPILER_GRADIENT_ACTIVITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique::gradient {

/// The float values of a function, and of the regions in it, that are computed
/// from some of its arguments.
class Activity {
public:
  Activity(mlir::func::FuncOp function, llvm::ArrayRef<unsigned> arguments);

  bool isActive(mlir::Value value) const { return active.contains(value); }

private:
  void visit(mlir::Operation *op);
  void visitRegion(mlir::Region &region, mlir::ValueRange operands);
  void visitLoop(mlir::scf::ForOp loop);
  bool markIf(bool condition, mlir::Value value);

  llvm::DenseSet<mlir::Value> active;
};

/// Whether values of this type have gradients.
bool isDifferentiable(mlir::Type type);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_ACTIVITY_H
