//===- EdgeChunk.cpp - Some edges of a row --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of all edges of a chunk, and how it is stored and read.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeChunk.h"
#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// What a result of a message is computed from, in the message's region.
static llvm::SetVector<Value> getSlice(Value result) {
  auto message = cast<mp::MessageOp>(result.getDefiningOp());
  Block &body = message.getBody().front();
  llvm::SetVector<Value> slice;
  slice.insert(body.getTerminator()->getOperand(
      cast<OpResult>(result).getResultNumber()));
  for (size_t k = 0; k < slice.size(); ++k)
    if (Operation *op = slice[k].getDefiningOp())
      if (op->getBlock() == &body)
        slice.insert(op->operand_begin(), op->operand_end());
  return slice;
}

/// Whether a result of a message costs no more than a load and a few
/// instructions: then it is computed again rather than stored and read.
static bool isCheap(Value result) {
  return llvm::all_of(getSlice(result), [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op->getParentOp() != result.getDefiningOp() ||
           isa<mp::BroadcastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
               tensor::ExtractSliceOp, arith::AddFOp, arith::SubFOp,
               arith::MulFOp, arith::ExtFOp, arith::ConstantOp>(op);
  });
}

Layout clique::getChunkLayout(unsigned featureRank) {
  Layout layout = {kSrcAxis};
  for (unsigned k = 0; k < featureRank; ++k)
    layout.push_back(static_cast<int>(k));
  return layout;
}

Lifted clique::createChunk(Lifter &lifter, Location loc,
                           ArrayRef<int64_t> shape, Type elementType) {
  return lifter.empty(loc, shape, getComputeType(elementType),
                      getChunkLayout(shape.size()));
}

Value clique::insertEdge(OpBuilder &b, Location loc, Value edge, Value chunk,
                         Value place) {
  RowSlice one(b, cast<ShapedType>(chunk.getType()), place, b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, loc, edge, chunk, one.offsets,
                                       one.sizes, one.strides);
}

EdgeChunk::EdgeChunk(const EdgeStream &stream, Lifter &lifter, Value count)
    : stream(stream), lifter(lifter), count(count), kept(stream.getAhead()),
      numAhead(kept.size()) {
  for (mp::AggregateOp op : stream.getInfo().aggregates)
    for (Value value : op.getValues())
      if (!isCheap(value))
        kept.insert(value);
}

SmallVector<Value> EdgeChunk::create(Location loc) {
  SmallVector<Value> tensors;
  for (auto [k, value] : llvm::enumerate(kept)) {
    auto type = cast<mp::EdgesType>(value.getType());
    Lifted chunk =
        createChunk(lifter, loc, type.getShape(), type.getElementType());
    if (k < numAhead)
      chunk = stream.prepareAhead(lifter, value, chunk, count);
    tensors.push_back(chunk.tensor);
  }
  return tensors;
}

SmallVector<Value>
EdgeChunk::insert(Location loc, ValueRange tensors, Value place,
                  const DenseMap<Value, Lifted> &edgeValues) {
  SmallVector<Value> next;
  for (auto [value, tensor] : llvm::zip_equal(kept, tensors))
    next.push_back(insertEdge(lifter.getBuilder(), loc,
                              edgeValues.lookup(value).tensor, tensor, place));
  return next;
}

DenseMap<Value, Lifted> EdgeChunk::getValues(ValueRange tensors) {
  DenseMap<Value, Lifted> values;
  for (auto [value, tensor] : llvm::zip_equal(kept, tensors)) {
    unsigned rank = cast<RankedTensorType>(tensor.getType()).getRank() - 1;
    values[value] = {tensor, getChunkLayout(rank)};
  }
  return values;
}

void EdgeChunk::replace(Location loc, const DenseMap<Value, Lifted> &chunk,
                        Value place, DenseMap<Value, Lifted> &edgeValues) {
  for (Value value : llvm::drop_begin(kept, numAhead))
    edgeValues[value] = getEdge(lifter, loc, chunk.lookup(value), place);
}
