//===- HubCalls.h - Rows of very many edges ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller's side of hubs, on graphs that have any: a parallel loop over all
// their chunks, and one over the hubs, which combines the chunks of each in
// their order. Both depend on the graph alone. To the loop over blocks a hub is
// empty.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_HUBCALLS_H
#define CLIQUE_COMPILER_LOWERING_HUBCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clique {

/// A hub's edges are divided among threads: `chunk` takes the states of a part
/// of them to scratch, `merge` joins those of a row and finishes it.
///
///   @gat_1_sparse_chunk(%row, %row + 1, ..., %begin, %end, %chunk, <scratch>)
///   @gat_1_sparse_merge(%row, %row + 1, ..., %firstChunk, %lastChunk,
///   <scratch>)
struct HubFunctions {
  mlir::func::FuncOp chunk, merge;
  /// A state per chunk.
  llvm::SmallVector<mlir::MemRefType> scratch;
};

class HubCalls {
public:
  /// `longestRow`: edges of a chunk, and of a row that is not divided, at most.
  /// Rows of more are blocks of their own.
  HubCalls(mlir::OpBuilder &builder, mlir::Location loc, HubFunctions functions,
           mlir::Value longestRow)
      : builder(builder), loc(loc), functions(std::move(functions)),
        longestRow(longestRow) {}

  /// The loops over chunks and hubs. `args`: what block functions take behind
  /// the rows, the row pointers first.
  void emit(mlir::Value graph, mlir::ValueRange args);
  /// Where a block [first, last) ends for its function: a hub has no rows.
  mlir::Value getLast(mlir::Value first, mlir::Value last);

private:
  mlir::Value constantIndex(int64_t value);
  /// Entry `position` of an array of the graph, as index.
  mlir::Value load(mlir::Value array, mlir::Value position);
  /// Row of a chunk, or with `part` 1 its first edge.
  mlir::Value loadChunk(mlir::Value chunk, int64_t part);

  /// A parallel loop up to `count`; the body gets the index.
  void emitLoop(mlir::Value count, llvm::function_ref<void(mlir::Value)> body);
  /// Takes the edges of a chunk to scratch.
  void callChunk(mlir::Value chunk, mlir::ValueRange args);
  /// Makes the results of a hub from its chunks.
  void callMerge(mlir::Value hubs, mlir::Value hub, mlir::ValueRange args);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  HubFunctions functions;
  mlir::Value longestRow, indptr, chunks;
  llvm::SmallVector<mlir::Value> scratch;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_HUBCALLS_H
