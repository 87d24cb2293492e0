//===- RowLowering.h - Sparse rows ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each destination of the block, its edge list: gather, compute, combine,
// one write. No edge value outlives its edge, and no row is shared between
// threads, so that there are no atomics and the order of the edges is fixed. A
// row of very many edges is divided: functions of its own take its edges chunk
// by chunk, and their states to the row.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_ROWLOWERING_H
#define CLIQUE_COMPILER_LOWERING_ROWLOWERING_H

#include "compiler/Lowering/CarriedTensors.h"
#include "compiler/Lowering/EdgeFunctions.h"
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/OuterProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace clique {

class RowLowering {
public:
  explicit RowLowering(BlockFunction &function)
      : info(function.getInfo()), function(function),
        builder(function.getBuilder()), loc(function.getLoc()),
        stream(info, /*hasDst=*/false) {
    if (function.getShape().chunkEdges == 0)
      return;
    products = findOuterProducts(info);
    if (products.empty() && stream.getAhead().empty())
      functions = EdgeFunctions(info);
  }

  /// A block of rows.
  mlir::LogicalResult run();
  /// The same of a scan.
  mlir::LogicalResult runScan();
  /// A part of a row's edges, to the scratch.
  mlir::LogicalResult runChunk();
  /// A row whose edges are in the scratch.
  mlir::LogicalResult runMerge();

private:
  /// The results of all aggregations.
  llvm::SmallVector<mlir::Value> getAggregated();
  /// Whether values of edges leave the kernel.
  bool storesMessages();
  /// The loop over the block's rows; returns the blocks of these results of
  /// aggregations. The others are stored.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitRows(llvm::ArrayRef<mlir::Value> inBlocks);
  /// One row; returns the aggregated features.
  mlir::FailureOr<llvm::SmallVector<Lifted>> emitRow(mlir::Value row);
  /// The loop over the edges [begin, end) of a row; returns the states.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitEdges(Lifter &lifter,
                                                            mlir::Value row,
                                                            mlir::Value begin,
                                                            mlir::Value end);
  /// The same in parts, so that the error of a sum grows less with its length.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitParts(Lifter &lifter,
                                                            mlir::Value row,
                                                            mlir::Value begin,
                                                            mlir::Value end);
  /// The states of a row in chunks.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitMerge(Lifter &lifter);
  /// The first edge of a row.
  mlir::Value loadBegin(mlir::Value row) {
    return function.load(GraphArray::indptr, row);
  }
  mlir::Value loadEnd(mlir::Value row) {
    return loadBegin(
        mlir::arith::AddIOp::create(builder, loc, row, constantIndex(1)));
  }
  /// What an edge is computed from: its row, its position among all edges, how
  /// much further its source stands in the array of sources, and the row's own
  /// features.
  struct Edge {
    mlir::Value row, position, shift;
    const llvm::DenseMap<mlir::Value, Lifted> &dst;
  };
  using EdgeValues = llvm::DenseMap<mlir::Value, Lifted>;
  using Accumulate =
      llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
          Lifter &, EdgeValues &)>;
  /// One edge: messages, and what `accumulate` makes of them. `store`: those
  /// that leave the kernel are written. `prepare`: what is known before.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitEdge(const Edge &edge, bool store, Accumulate accumulate,
           llvm::function_ref<void(Lifter &)> prepare = {});
  /// Edge `place` of those that begin with `first`.
  Edge getEdgeAt(const Edge &first, mlir::Value place);
  /// A loop that carries `initial`; returns what it ends with.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitLoop(mlir::Value begin, mlir::Value end, int64_t step,
           mlir::ValueRange initial, CarryingBody body) {
    return emitCarryingLoop(builder, loc, begin, end, step, initial, body);
  }
  /// One row of a scan.
  mlir::LogicalResult emitScanRow(mlir::Value row);
  /// The states behind one edge, given those before it; what it yields is
  /// stored.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitScanStep(Lifter &lifter, const Edge &edge, const EdgeValues &values,
               mlir::ValueRange states);
  /// A chunk of a row's edges, where some of it is taken in ahead; returns the
  /// states.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitChunk(const Edge &firstEdge, mlir::Value count, mlir::ValueRange states);
  /// The same where functions of the chunk's edges are computed at once.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitFunctionChunk(const Edge &firstEdge, mlir::Value count,
                    mlir::ValueRange states);
  /// The same where outer products are summed: their factors are put together
  /// for the chunk, everything else is taken in edge by edge.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitProductChunk(const Edge &firstEdge, mlir::Value count,
                   mlir::ValueRange states);
  /// `state` and the products of the first `count` edges of a chunk, whose
  /// factors are `chunks`, [src, feature...].
  mlir::Value emitProduct(const OuterProduct &product, mlir::ValueRange chunks,
                          mlir::Value count, mlir::Value state);

  mlir::Value constantIndex(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }

  const KernelInfo &info;
  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  EdgeStream stream;
  /// What is summed for a chunk of edges at once.
  llvm::SmallVector<OuterProduct> products;
  EdgeFunctions functions;

  /// Of a merging function: the chunks of the row, and their states.
  struct Merge {
    mlir::Value firstChunk, lastChunk;
    mlir::ValueRange scratch;
  };
  std::optional<Merge> merge;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_ROWLOWERING_H
