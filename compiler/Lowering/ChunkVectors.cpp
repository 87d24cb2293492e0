//===- ChunkVectors.cpp - The edges of a chunk in vectors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/ChunkVectors.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

Value clique::reshapeStatic(OpBuilder &b, Location loc, Value value,
                            ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  if (type.getRank() == 0)
    value = tensor::ExpandShapeOp::create(b, loc, flat, value, all(0));
  else if (type.getRank() > 1)
    value = tensor::CollapseShapeOp::create(b, loc, flat, value,
                                            all(type.getRank()));
  auto wanted = RankedTensorType::get(shape, type.getElementType());
  if (shape.empty())
    return tensor::CollapseShapeOp::create(b, loc, wanted, value, all(0));
  if (shape.size() == 1)
    return value;
  return tensor::ExpandShapeOp::create(b, loc, wanted, value,
                                       all(shape.size()));
}

ChunkVectors::ChunkVectors(OpBuilder &builder, Location loc,
                           RankedTensorType chunk)
    : builder(builder), loc(loc), shape(chunk.getShape()),
      type(chunk.getElementType()), numEdges(chunk.getDimSize(0)),
      size(chunk.getNumElements() / numEdges) {
  // Edges per vector: a power of two, which divides the chunk.
  while (2 * edges * size <= tuning::vectorScores && 2 * edges <= numEdges)
    edges *= 2;
  // What is long takes several vectors, a part of the features each.
  width = std::min(size, tuning::longestScores);
  while (size % width != 0)
    --width;
}

Value ChunkVectors::countRows(Value count) {
  return arith::CeilDivUIOp::create(builder, loc, count, index(edges));
}

Value ChunkVectors::splatRow(double value) {
  return detail::constant(builder, loc, VectorType::get(edges * width, type),
                          value);
}

Value ChunkVectors::read(Value tensor, ValueRange position, int64_t count) {
  Value padding = ub::PoisonOp::create(builder, loc, type);
  return vector::TransferReadOp::create(
      builder, loc, VectorType::get(count, type), tensor, position, padding,
      ArrayRef<bool>{true});
}

Value ChunkVectors::write(Value vector, Value tensor, ValueRange position) {
  return vector::TransferWriteOp::create(builder, loc, vector, tensor, position,
                                         ArrayRef<bool>{true})
      .getResult();
}

Value ChunkVectors::pad(Value chunk, Value count, double value) {
  if (width != size)
    return chunk; // a vector is part of an edge
  Value last = arith::SubIOp::create(builder, loc, countRows(count), index(1));
  return toChunk(write(splatRow(value), toRows(chunk), {last, index(0)}));
}

Value ChunkVectors::reduce(Value vector,
                           llvm::function_ref<Value(Value, Value)> combine) {
  for (int64_t half = edges / 2; half > 0; half /= 2) {
    int64_t elements = half * width;
    auto part = [&](int64_t offset) {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, vector, ArrayRef<int64_t>{offset},
          ArrayRef<int64_t>{elements}, ArrayRef<int64_t>{1});
    };
    Value low = part(0), high = part(elements);
    vector = combine(low, high);
  }
  return vector;
}

Value ChunkVectors::repeat(Value perFeature) {
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < edges * width; ++lane)
    lanes.push_back(lane % width);
  return vector::ShuffleOp::create(builder, loc, perFeature, perFeature, lanes);
}
