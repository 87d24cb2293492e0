//===- KernelCaller.h - The caller's side of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, the graph's arrays, the parallel loop over blocks and the results. How
// destinations are divided into blocks is each lowering's own.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_KERNELCALLER_H
#define CLIQUE_COMPILER_LOWERING_KERNELCALLER_H

#include "compiler/Lowering/BlockOutliner.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPAccess.h"

namespace clique {

/// Replaces one kernel by the loop that calls its block function, in blocks of
/// equal numbers of rows.
class KernelCaller {
public:
  KernelCaller(const KernelInfo &info, TileShape shape)
      : info(info), shape(shape), builder(info.kernel),
        loc(info.kernel->getLoc()) {}
  virtual ~KernelCaller() = default;

  void replaceWithCalls(mlir::func::FuncOp function);

protected:
  using Bounds = std::pair<mlir::Value, mlir::Value>;
  /// A block, its head if there are heads, and the same of the job that the
  /// thread most likely takes next. `headsFirst`: whether a block's other heads
  /// come before the next block; null where they do not.
  struct Job {
    mlir::Value block, head, nextBlock, nextHead, headsFirst;
  };

  /// What is read of the graph before anything else.
  virtual void emitGraphReads() {}
  virtual mlir::Value getArray(GraphArray array);
  /// The number of blocks, and the bounds of block %b as a function of it.
  virtual mlir::Value emitSplit();
  virtual Bounds getBounds(mlir::Value block);
  /// What goes before the loop over blocks; `args`: what block functions take
  /// behind the rows.
  virtual void emitBeforeBlocks(mlir::ValueRange args) {}
  /// The work of a block in the loop over blocks.
  virtual void emitJob(mlir::func::FuncOp function, const Job &job,
                       mlir::ValueRange args) {
    emitCall(function, job, args);
  }
  /// Whether jobs take all heads of a block before the next block.
  virtual mlir::Value emitHeadsFirst();
  /// Where a block [first, last) ends for its function, in the loop; the call
  /// goes where the builder is then.
  virtual mlir::Value getLast(mlir::Value first, mlir::Value last) {
    return last;
  }
  /// Arguments of the call behind all others.
  virtual llvm::SmallVector<mlir::Value> getLastArgs(const Job &job) {
    return {};
  }

  /// The result of a new op.
  template <typename Op, typename... Args>
  mlir::Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::Value constantIndex(int64_t value);
  /// A node or edge feature as a tensor.
  mlir::Value asTensor(mlir::Value feature);
  mlir::Value asBuffer(mlir::Value tensor);
  /// What stands for an array that its function does not read.
  mlir::Value getNoArray(GraphArray array);
  /// Of an array of the first row of each block, and one entry more.
  mlir::Value countBlocks(mlir::Value split);
  /// Two entries of an array, from `number` on.
  Bounds loadBounds(mlir::Value array, mlir::Value number);

  const KernelInfo &info;
  TileShape shape;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Value graph, numRows;
  /// The memory of results with a row for each source.
  llvm::SmallVector<mlir::Value> sourceOutputs;

  /// The number of blocks.
  mlir::Value getBlocks();
  /// The number behind `number`, which has `end` behind it, if that is one.
  mlir::Value emitNext(mlir::Value number, mlir::Value end);
  /// A call of `function` for a block.
  void emitCall(mlir::func::FuncOp function, const Job &job,
                mlir::ValueRange args);

private:
  mlir::Value blocks, partBlocks;
  /// A weight in the type in which the block function takes it.
  mlir::Value getCapture(mlir::Value capture);
  /// The block that a launch begins as number `block` of `blocks`.
  mlir::Value orderBlock(mlir::Value block, mlir::Value blocks);
  /// The block and, if there are heads, the head of a job.
  Bounds splitJob(mlir::Value job, mlir::Value blocks, mlir::Value headsFirst);
  /// What a block function wrote to `output`, as a result of the kernel.
  mlir::Value toResult(mlir::Type type, mlir::Value output);
  /// The memory of a result, through a memref of `type`.
  mlir::Value emitOutput(mlir::MemRefType type, mlir::Value yielded,
                         mlir::Value numEdges);
  /// Blocks of a part of those for which sums over nodes are taken by
  /// themselves; fewer in the last one.
  mlir::Value getPartBlocks();
  /// The loop over blocks; `args` as in emitBeforeBlocks.
  void emitJobs(mlir::func::FuncOp function, mlir::ValueRange args);
  /// The loops over parts and the blocks of each.
  void emitParts(mlir::func::FuncOp function, const PartedArgs &args);
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_KERNELCALLER_H
