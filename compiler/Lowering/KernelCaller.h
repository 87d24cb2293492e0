//===- KernelCaller.h - The caller's side of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, the graph's arrays, the split into blocks, the
// parallel loop and the results.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_KERNELCALLER_H
#define CLIQUE_COMPILER_LOWERING_KERNELCALLER_H

#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/TypedProduct.h"
#include "dialect/IR/MPAccess.h"

namespace clique {

/// Replaces one kernel by the loop that calls its block function.
class KernelCaller {
public:
  KernelCaller(const KernelInfo &info, mp::Lowering lowering, TileShape shape,
               std::optional<TypedProduct> typed)
      : info(info), lowering(lowering), shape(shape), typed(typed),
        builder(info.kernel), loc(info.kernel->getLoc()),
        blockEdges(constantIndex(shape.edges)) {}

  /// `hubs`: the functions of rows that are divided, if there are any.
  void replaceWithCalls(mlir::func::FuncOp function,
                        const std::optional<HubFunctions> &hubs);

private:
  /// The result of a new op.
  template <typename Op, typename... Args>
  mlir::Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::Value constantIndex(int64_t value);

  /// A node or edge feature as a tensor.
  mlir::Value asTensor(mlir::Value feature);
  mlir::Value asBuffer(mlir::Value tensor);
  mlir::Value getArray(GraphArray array);
  /// A weight in the type in which the block function takes it.
  mlir::Value getCapture(mlir::Value capture);
  /// Whether jobs take all heads of a block before the next block.
  mlir::Value emitHeadsFirst();
  /// The block and, if there are heads, the head of a job.
  std::pair<mlir::Value, mlir::Value>
  splitJob(mlir::Value job, mlir::Value blocks, mlir::Value headsFirst);
  /// Destinations per block of dense tiles on this graph.
  mlir::Value emitDenseRows();
  /// The first tile of a block that is listed, and the one past its last.
  std::pair<mlir::Value, mlir::Value> getTileBounds(mlir::Value block);
  /// Edges per block where a block takes them by type.
  mlir::Value emitTypedBlockEdges();
  /// The arrays of edges by type, as their functions take them.
  llvm::SmallVector<mlir::Value> emitTypedArrays();
  /// The loop over blocks; `args`: what their functions take behind the rows.
  void emitJobs(mlir::func::FuncOp function, mlir::ValueRange args,
                const std::optional<HubFunctions> &hubs);
  /// Whether every block but the last has as many rows: a block of one row has
  /// no fewer.
  bool isEven() const {
    return lowering == mp::Lowering::nodes ||
           (lowering == mp::Lowering::sparse && shape.rows == 1);
  }
  /// Number of blocks, and the bounds of block %b as a function of it.
  mlir::Value emitSplit();
  std::pair<mlir::Value, mlir::Value> getBounds(mlir::Value block);
  /// Two entries of an array, from `number` on.
  std::pair<mlir::Value, mlir::Value> loadBounds(mlir::Value array,
                                                 mlir::Value number);

  const KernelInfo &info;
  mp::Lowering lowering;
  TileShape shape;
  std::optional<TypedProduct> typed;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Value blockEdges, graph, numRows, split;
  /// The first chunk of each block, where it takes its edges by type.
  mlir::Value typeBlocks;
  /// Of dense tiles.
  mlir::Value denseRows;
  mp::TileListOp tiles;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_KERNELCALLER_H
