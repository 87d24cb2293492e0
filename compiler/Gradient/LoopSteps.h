//===- LoopSteps.h - Loops that are run backwards ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a loop is a function, which is differentiated as any other. The
// forward loop stores what it carries into each step, a row of a tensor for
// each; the backward loop reads it, and computes again what the step made of
// it. Where each step writes rows of its own, nothing need be stored.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_LOOPSTEPS_H
#define CLIQUE_COMPILER_GRADIENT_LOOPSTEPS_H

#include "compiler/Gradient/GradientPair.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique::gradient {

struct LoopStep {
  /// From the number of the step, what is carried into it, `captured` and the
  /// cotangents of `results` to those of `arguments`. Null where no value that
  /// a step makes has a gradient.
  mlir::func::FuncOp gradient;
  /// Numbers of what is carried out of the step, and of the arguments.
  llvm::SmallVector<int64_t> results, arguments;
  /// Values from before the loop.
  llvm::SmallVector<mlir::Value> captured;
  /// How often the loop runs, an index.
  mlir::Value numSteps;
  /// Of each value that is carried what it was in each step, a result of the
  /// loop; null where the gradient does not need it, or where it is restored.
  llvm::SmallVector<mlir::Value> stacks;
  /// Numbers of carried values of which no two steps write the same rows: what
  /// such a value was in a step follows from what it is after it, and from what
  /// those rows were before the loop.
  llvm::SmallVector<unsigned> restored;
  /// From the arguments of a step to the first of its rows and their number,
  /// for each value that is restored. Null where there is none.
  mlir::func::FuncOp rows;
};

class LoopSteps {
public:
  const LoopStep *find(mlir::Operation *loop) const {
    auto it = steps.find(loop);
    return it == steps.end() ? nullptr : &it->second;
  }
  void add(mlir::Operation *loop, LoopStep step) {
    steps[loop] = std::move(step);
  }
  /// Erases the functions, which no one calls.
  void erase();

private:
  llvm::DenseMap<mlir::Operation *, LoopStep> steps;
};

/// Differentiates a step of each loop whose results depend on these arguments,
/// and lets the loops store what that needs.
mlir::FailureOr<LoopSteps> prepareLoops(mlir::func::FuncOp forward,
                                        llvm::ArrayRef<unsigned> arguments,
                                        RunPipeline run);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_LOOPSTEPS_H
