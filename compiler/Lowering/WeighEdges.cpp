//===- WeighEdges.cpp - Online softmax of a chunk of edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the scores of a chunk maxima, exponentials and sums are those of whole
// vectors (ChunkVectors.h).
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/ChunkVectors.h"
#include "compiler/Lowering/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// accumulateChunk() for the features of one vector.
class Weighing {
public:
  Weighing(OpBuilder &builder, Location loc, ChunkVectors &vectors,
           std::optional<double> reference)
      : builder(builder), loc(loc), vectors(vectors), reference(reference) {}

  /// `rows`: the scores. `tensors`: maximum, sum and factor, [feature], or with
  /// a reference the sum alone. Returns the weights in place of the scores, and
  /// the tensors.
  SmallVector<Value> run(Value rows, Value numRows, Value feature,
                         ValueRange tensors);

private:
  /// Of `x`, which is a number, and a score: as emitLargerScore() has it, but
  /// one instruction, which most machines have, in place of four.
  Value max(Value x, Value score) {
    Value isLarger = arith::CmpFOp::create(builder, loc,
                                           arith::CmpFPredicate::OGT, score, x);
    return arith::SelectOp::create(builder, loc, isLarger, score, x);
  }
  Value add(Value x, Value y) {
    return arith::AddFOp::create(builder, loc, x, y);
  }
  Value expOfDifference(Value x, Value y) {
    return math::ExpOp::create(builder, loc,
                               arith::SubFOp::create(builder, loc, x, y));
  }
  /// The largest score of each feature.
  Value findMaximum(Value rows, Value numRows, Value feature);
  /// Weights in place of the scores, and their sums.
  std::pair<Value, Value> computeWeights(Value rows, Value numRows,
                                         Value feature, Value reference);

  OpBuilder &builder;
  Location loc;
  ChunkVectors &vectors;
  std::optional<double> reference;
};
} // namespace

Value Weighing::findMaximum(Value rows, Value numRows, Value feature) {
  auto loop =
      scf::ForOp::create(builder, loc, vectors.index(0), numRows,
                         vectors.index(1), vectors.splatRow(-kInfinity));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value scores = vectors.readRow(rows, loop.getInductionVar(), feature);
  scf::YieldOp::create(builder, loc, max(loop.getRegionIterArgs()[0], scores));
  builder.setInsertionPointAfter(loop);
  return vectors.reduce(loop.getResult(0),
                        [&](Value x, Value y) { return max(x, y); });
}

std::pair<Value, Value> Weighing::computeWeights(Value rows, Value numRows,
                                                 Value feature,
                                                 Value reference) {
  auto loop = scf::ForOp::create(builder, loc, vectors.index(0), numRows,
                                 vectors.index(1),
                                 ValueRange{rows, vectors.splatRow(0.0)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar(), weights = loop.getRegionIterArgs()[0];
  Value weight =
      expOfDifference(vectors.readRow(weights, row, feature), reference);
  Value sum = add(loop.getRegionIterArgs()[1], weight);
  weights = vectors.write(weight, weights, {row, feature});
  scf::YieldOp::create(builder, loc, ValueRange{weights, sum});
  builder.setInsertionPointAfter(loop);
  return {loop.getResult(0),
          vectors.reduce(loop.getResult(1),
                         [&](Value x, Value y) { return add(x, y); })};
}

SmallVector<Value> Weighing::run(Value rows, Value numRows, Value feature,
                                 ValueRange tensors) {
  int64_t width = vectors.getWidth();
  if (reference) {
    auto [weights, sum] =
        computeWeights(rows, numRows, feature, vectors.splatRow(*reference));
    Value oldSum = vectors.read(tensors[0], feature, width);
    return {weights, vectors.write(add(oldSum, sum), tensors[0], feature)};
  }
  Value oldMax = vectors.read(tensors[0], feature, width);
  Value oldSum = vectors.read(tensors[1], feature, width);
  Value newMax = max(oldMax, findMaximum(rows, numRows, feature));
  Value reference = emitReference(builder, loc, newMax);
  Value factor = expOfDifference(oldMax, reference);
  auto [weights, sum] =
      computeWeights(rows, numRows, feature, vectors.repeat(reference));
  Value newSum = multiplyAdd(builder, loc, oldSum, factor, sum);
  return {weights, vectors.write(newMax, tensors[0], feature),
          vectors.write(newSum, tensors[1], feature),
          vectors.write(factor, tensors[2], feature)};
}

Lifted OnlineSoftmax::padChunk(Lifter &lifter, const Lifted &scores,
                               Value count) const {
  OpBuilder &builder = lifter.getBuilder();
  ChunkVectors vectors(builder, loc, scores.getType());
  return {vectors.pad(scores.tensor, count, -kInfinity), scores.layout};
}

/// The sums of values times `factor`.
static void scaleSums(Lifter &lifter, Location loc,
                      MutableArrayRef<Lifted> sums, const Lifted &factor) {
  for (Lifted &sum : sums)
    sum = lifter.generic(
        loc, factor, sum,
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::MulFOp::create(b, loc, args[1], args[0]);
        });
}

Lifted OnlineSoftmax::accumulateChunk(Lifter &lifter,
                                      MutableArrayRef<Lifted> state,
                                      const Lifted &scores, Value count) const {
  OpBuilder &builder = lifter.getBuilder();
  ChunkVectors vectors(builder, loc, scores.getType());
  Weighing weighing(builder, loc, vectors, reference);
  int64_t size = vectors.getSize();
  RankedTensorType feature = state[0].getType();
  auto flat = RankedTensorType::get(size, feature.getElementType());

  Value numRows = vectors.countRows(count);
  SmallVector<Value> parts = {vectors.toRows(scores.tensor)};
  MutableArrayRef<Lifted> own = state.take_front(getNumParts());
  for (const Lifted &part : own)
    parts.push_back(reshapeStatic(builder, loc, part.tensor, size));
  if (!reference)
    parts.push_back(tensor::EmptyOp::create(builder, loc, flat.getShape(),
                                            flat.getElementType()));
  if (vectors.getWidth() == size) {
    parts = weighing.run(parts[0], numRows, vectors.index(0),
                         ArrayRef<Value>(parts).drop_front());
  } else {
    auto loop =
        scf::ForOp::create(builder, loc, vectors.index(0), vectors.index(size),
                           vectors.index(vectors.getWidth()), parts);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    scf::YieldOp::create(builder, loc,
                         weighing.run(carried[0], numRows,
                                      loop.getInductionVar(),
                                      carried.drop_front()));
    parts = loop.getResults();
  }
  for (auto [part, tensor] :
       llvm::zip(own, ArrayRef<Value>(parts).drop_front()))
    part.tensor = reshapeStatic(builder, loc, tensor, feature.getShape());
  if (!reference)
    scaleSums(lifter, loc, state.drop_front(own.size()),
              {reshapeStatic(builder, loc, parts.back(), feature.getShape()),
               state[0].layout});
  return {vectors.toChunk(parts[0]), scores.layout};
}
