//===- ThreadSums.h - Reductions by the threads of a GPU --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structured op's reductions as loops of threads, with the sums in registers.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_THREADSUMS_H
#define CLIQUE_COMPILER_CODEGEN_THREADSUMS_H

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// Whether the op's parallel loops are those of its results, all of them.
bool hasThreadsForResults(mlir::linalg::LinalgOp op);

/// What such an op, over tensors, is written with for threads.
class ThreadSums {
protected:
  using Values = llvm::SmallVector<mlir::Value>;
  using Emit = llvm::function_ref<Values(
      mlir::OpBuilder &, mlir::ValueRange indices, mlir::ValueRange sums)>;

  ThreadSums(mlir::linalg::LinalgOp op, mlir::RewriterBase &rewriter);

  mlir::Value getIndex(mlir::OpBuilder &at, mlir::OpFoldResult number) {
    return mlir::getValueOrCreateConstantIndexOp(at, loc, number);
  }
  mlir::Value getIndex(mlir::OpBuilder &at, int64_t number) {
    return getIndex(at, mlir::OpFoldResult(at.getIndexAttr(number)));
  }
  /// Finds `lengths`; what follows is emitted before the op.
  void findLengths();
  /// Tensors of `sizes`, one element of each per thread: emit(b, indices, {}).
  Values emitThreads(llvm::ArrayRef<mlir::OpFoldResult> sizes, Emit emit);
  /// What `step` makes of the neutral elements in loops from `begin` to `end`.
  Values emitLoops(mlir::OpBuilder &at, mlir::ValueRange begin,
                   mlir::ValueRange end, Emit step);
  /// What changes no sum.
  Values emitNeutral(mlir::OpBuilder &at);
  /// What the op begins with.
  Values emitStarts(mlir::OpBuilder &at, mlir::ValueRange indices);
  Values emitJoin(mlir::OpBuilder &at, mlir::ValueRange sums,
                  mlir::ValueRange terms);
  /// A step of the op for `ivs`.
  Values emitStep(mlir::OpBuilder &at, llvm::ArrayRef<mlir::Value> ivs,
                  mlir::ValueRange sums);

  mlir::linalg::LinalgOp op;
  /// What joins a step of each reduction with what is there, if one op does.
  llvm::SmallVector<mlir::Operation *> combiners;
  mlir::RewriterBase &b;
  mlir::Location loc;
  /// Loops of the results' dimensions, and the others.
  llvm::SmallVector<unsigned> results, reductions;
  llvm::SmallVector<mlir::OpFoldResult> lengths;
};

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_THREADSUMS_H
