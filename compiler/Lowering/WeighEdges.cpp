//===- WeighEdges.cpp - Online softmax of a chunk of edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of a chunk, [edge, feature...], are seen as vectors of several
// edges, [edge / k, k * feature]: maxima, exponentials and sums are those of
// whole vectors, and only of as many as the edges fill. This is written in
// vectors rather than in linalg: tilings and fusions made for features would
// take the edges of a vector apart.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

/// `value` with another static shape of as many elements.
static Value reshape(OpBuilder &b, Location loc, Value value,
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

namespace {
/// The scores of a chunk as rows of vectors.
class ScoreVectors {
public:
  ScoreVectors(OpBuilder &builder, Location loc, RankedTensorType scores)
      : builder(builder), loc(loc), shape(scores.getShape()),
        type(scores.getElementType()), chunk(scores.getDimSize(0)),
        size(scores.getNumElements() / chunk) {
    // Edges per vector: a power of two, which divides the chunk.
    while (2 * edges * size <= tuning::vectorScores && 2 * edges <= chunk)
      edges *= 2;
    // Long scores take several vectors, a part of the features each.
    width = std::min(size, tuning::longestScores);
    while (size % width != 0)
      --width;
  }

  int64_t getSize() const { return size; }
  /// Features of one vector.
  int64_t getWidth() const { return width; }
  /// How many rows `count` edges touch.
  Value countRows(Value count) {
    return arith::CeilDivUIOp::create(builder, loc, count, index(edges));
  }
  Value toRows(Value scores) {
    return reshape(builder, loc, scores, {chunk / edges, edges * size});
  }
  Value toScores(Value rows) { return reshape(builder, loc, rows, shape); }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// A vector of `edges` x `width` elements.
  Value splatRow(double value) {
    return constant(builder, loc, VectorType::get(edges * width, type), value);
  }

  Value read(Value tensor, ValueRange position, int64_t count) {
    Value padding = ub::PoisonOp::create(builder, loc, type);
    return vector::TransferReadOp::create(
        builder, loc, VectorType::get(count, type), tensor, position, padding,
        ArrayRef<bool>{true});
  }
  Value readRow(Value rows, Value row, Value feature) {
    return read(rows, {row, feature}, edges * width);
  }
  Value write(Value vector, Value tensor, ValueRange position) {
    return vector::TransferWriteOp::create(builder, loc, vector, tensor,
                                           position, ArrayRef<bool>{true})
        .getResult();
  }

  /// A number per feature, taken over the edges of a vector.
  Value reduce(Value vector, llvm::function_ref<Value(Value, Value)> combine) {
    for (int64_t half = edges / 2; half > 0; half /= 2) {
      int64_t numbers = half * width;
      auto part = [&](int64_t offset) {
        return vector::ExtractStridedSliceOp::create(
            builder, loc, vector, ArrayRef<int64_t>{offset},
            ArrayRef<int64_t>{numbers}, ArrayRef<int64_t>{1});
      };
      Value low = part(0), high = part(numbers);
      vector = combine(low, high);
    }
    return vector;
  }
  /// The same elements for each edge of a vector.
  Value repeat(Value perFeature) {
    SmallVector<int64_t> lanes;
    for (int64_t lane = 0; lane < edges * width; ++lane)
      lanes.push_back(lane % width);
    return vector::ShuffleOp::create(builder, loc, perFeature, perFeature,
                                     lanes);
  }

private:
  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
  Type type;
  int64_t chunk, size, edges = 1, width;
};

/// accumulateChunk() for the features of one vector.
class Weighing {
public:
  Weighing(OpBuilder &builder, Location loc, ScoreVectors &vectors,
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
  ScoreVectors &vectors;
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

Lifted OnlineSoftmax::padChunk(Lifter &lifter, Lifted scores,
                               Value count) const {
  OpBuilder &builder = lifter.getBuilder();
  ScoreVectors vectors(builder, loc, scores.getType());
  if (vectors.getWidth() != vectors.getSize())
    return scores; // a vector is part of an edge
  Value last = arith::SubIOp::create(builder, loc, vectors.countRows(count),
                                     vectors.index(1));
  Value padded =
      vectors.write(vectors.splatRow(-kInfinity), vectors.toRows(scores.tensor),
                    {last, vectors.index(0)});
  return {vectors.toScores(padded), scores.layout};
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
  ScoreVectors vectors(builder, loc, scores.getType());
  Weighing weighing(builder, loc, vectors, reference);
  int64_t size = vectors.getSize();
  RankedTensorType feature = state[0].getType();
  auto flat = RankedTensorType::get(size, feature.getElementType());

  Value numRows = vectors.countRows(count);
  SmallVector<Value> parts = {vectors.toRows(scores.tensor)};
  MutableArrayRef<Lifted> own = state.take_front(getNumParts());
  for (const Lifted &part : own)
    parts.push_back(reshape(builder, loc, part.tensor, size));
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
    part.tensor = reshape(builder, loc, tensor, feature.getShape());
  if (!reference)
    scaleSums(lifter, loc, state.drop_front(own.size()),
              {reshape(builder, loc, parts.back(), feature.getShape()),
               state[0].layout});
  return {vectors.toScores(parts[0]), scores.layout};
}
