//===- ChunkVectors.h - The edges of a chunk in vectors ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of the edges of a chunk, [edge, feature...], is seen as vectors of
// several edges, [edge / k, k * feature], of which as many are computed as the
// edges fill. This is written in vectors rather than in linalg: tilings and
// fusions made for features would take the edges of a vector apart.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_CHUNKVECTORS_H
#define CLIQUE_COMPILER_LOWERING_CHUNKVECTORS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace clique {

/// `value` with another static shape of as many elements.
mlir::Value reshapeStatic(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value, llvm::ArrayRef<int64_t> shape);

class ChunkVectors {
public:
  /// `chunk`: the type of the value, [edge, feature...], all sizes static.
  ChunkVectors(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::RankedTensorType chunk);

  /// Elements of one edge.
  int64_t getSize() const { return size; }
  /// Elements of one edge in a vector: all, or a part of long ones.
  int64_t getWidth() const { return width; }
  /// How many rows of vectors `count` edges touch.
  mlir::Value countRows(mlir::Value count);
  /// [edge, feature...] as [row, lane], and back.
  mlir::Value toRows(mlir::Value chunk) {
    return reshapeStatic(builder, loc, chunk, {numEdges / edges, edges * size});
  }
  mlir::Value toChunk(mlir::Value rows) {
    return reshapeStatic(builder, loc, rows, shape);
  }

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// A vector of equal elements, as long as those of rows.
  mlir::Value splatRow(double value);

  mlir::Value read(mlir::Value tensor, mlir::ValueRange position,
                   int64_t count);
  mlir::Value readRow(mlir::Value rows, mlir::Value row, mlir::Value feature) {
    return read(rows, {row, feature}, edges * width);
  }
  mlir::Value write(mlir::Value vector, mlir::Value tensor,
                    mlir::ValueRange position);
  /// The chunk with `value` in the last row that `count` edges touch: what is
  /// computed of its lanes without an edge is computed of `value`. Nothing is
  /// changed where a row has no such lanes.
  mlir::Value pad(mlir::Value chunk, mlir::Value count, double value);

  /// An element per feature, taken over the edges of a vector.
  mlir::Value
  reduce(mlir::Value vector,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  /// The same elements for each edge of a vector.
  mlir::Value repeat(mlir::Value perFeature);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<int64_t> shape;
  mlir::Type type;
  int64_t numEdges, size, edges = 1, width;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_CHUNKVECTORS_H
