//===- EdgeChunkLoops.h - Loops over the edges of a block -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chunk of edges begins and ends anywhere in a row: the loops over its rows,
// and what is done to tensors row by row.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGECHUNKLOOPS_H
#define CLIQUE_COMPILER_LOWERING_EDGECHUNKLOOPS_H

#include "compiler/Lowering/CarriedTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace clique {

/// Edges [begin, past) of all, the row of the first or one before it, and that
/// of the last.
struct EdgeRange {
  mlir::Value begin, past, firstRow, lastRow;
};

class EdgeChunkLoops {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  explicit EdgeChunkLoops(BlockFunction &function)
      : function(function), builder(function.getBuilder()),
        loc(function.getLoc()) {}

  /// A loop that carries `initial`; returns what it ends with.
  mlir::FailureOr<Values> emitLoop(mlir::Value begin, mlir::Value end,
                                   int64_t step, mlir::ValueRange initial,
                                   CarryingBody body) {
    return emitCarryingLoop(builder, loc, begin, end, step, initial, body);
  }
  /// A loop over the rows of a chunk: `body` gets a row and the places in the
  /// chunk where its edges begin and end.
  using RowBody = llvm::function_ref<mlir::FailureOr<Values>(
      mlir::Value, mlir::Value, mlir::Value, mlir::ValueRange)>;
  mlir::FailureOr<Values> emitRows(const EdgeRange &chunk,
                                   mlir::ValueRange initial, RowBody body);
  /// The row of edge `last`, which is `row` or a later one.
  mlir::Value findRow(mlir::Value row, mlir::Value last);

  /// Row `row` of a tensor, and the tensor with another one.
  mlir::Value extractRow(mlir::Value tensor, mlir::Value row) {
    return clique::extractRow(builder, loc, tensor, row);
  }
  mlir::Value insertRow(mlir::Value value, mlir::Value tensor,
                        mlir::Value row) {
    return clique::insertRow(builder, loc, value, tensor, row);
  }

  mlir::Value constantIndex(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(builder, loc, x, y);
  }
  mlir::Value subtract(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(builder, loc, x, y);
  }
  mlir::Value min(mlir::Value x, mlir::Value y) {
    return mlir::arith::MinSIOp::create(builder, loc, x, y);
  }

protected:
  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGECHUNKLOOPS_H
