//===- MessageCost.cpp - What the versions of a kernel execute ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts instructions before they are made, by the rules of the lowerings: a
// row has vectors along the features of one edge; a tile has them along its
// sources, computes what depends on one end once for all of the other, and has
// products of matrices (compiler/Lowering/Lifting.h).
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageCost.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/ScatteredSums.h"
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Analysis/TileRows.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Analysis/WinningFeatures.h"
#include "compiler/Fusion/ElementWork.h"
#include "compiler/Fusion/HeadDimension.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::tuning;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
class KernelCounter {
public:
  explicit KernelCounter(mp::KernelOp kernel);
  KernelCounts count();

private:
  void countMessage(mp::MessageOp message);
  void countProduct(Operation &op, double size, double depth, Ends lhs,
                    Ends rhs);
  void countElementwise(Operation &op);
  void countMapOfWinners(mp::LinearOp linear);
  void countAggregate(mp::AggregateOp aggregate);
  /// What is done for each edge by what combines it with the state.
  void countStep(Region &region);
  void countState(TypeRange state);
  void countScore(Value score);
  void countValue(mp::AggregateOp aggregate, Value value);
  void countStored();

  Ends getEnds(Value value) const {
    Ends all = Ends::none;
    for (const EndpointDependence &message : ends)
      all = all | message.get(value);
    return all;
  }
  bool isPerEdge(Value value) const {
    return getEnds(value) == Ends::src || getEnds(value) == Ends::edge;
  }
  /// What a value is the product of with one weight of the edge, if it is one.
  Value getWeighted(Value value) const;
  void countSourceSum(Value value);
  void countColumns(Value value, RankedTensorType feature);
  /// What a product of matrices of such factors takes, in products of f32.
  double getProductShare(Type factor) const {
    return mp::getCpu(kernel).getBf16Pairs() &&
                   getElementTypeOrSelf(factor).isBF16()
               ? 0.5
               : 1;
  }
  /// What a message yields.
  static Value getYielded(Value edges);
  /// Vectors of a row of a product of matrices. They are computed two by two;
  /// one alone, and one that is not full, wait for what they multiply.
  double getProductVectors(Type type) const {
    const double vectors = getVectors(type, lanes);
    const bool isOdd = int64_t(vectors) % 2 != 0;
    const bool isFull = int64_t(getSize(type)) % lanes == 0;
    return vectors + (isOdd ? 0.5 : 0) + (isFull ? 0 : 1);
  }
  /// How often a pair computes a value: what heads share, for each of them.
  double countRepeats(Value value) const {
    return dimension && !dimension->dims.contains(value) ? heads : 1;
  }

  mp::KernelOp kernel;
  int64_t lanes;
  /// What heads are taken apart along.
  std::optional<HeadDimension> dimension;
  double heads;
  /// Multiply-adds of linear maps of an edge, and vectors of them.
  double edgeMaps = 0, edgeMapVectors = 0, edgeProductVectors = 0;
  KernelCounts counts;
  /// Of each message.
  SmallVector<EndpointDependence> ends;
};
} // namespace

KernelCounter::KernelCounter(mp::KernelOp kernel)
    : kernel(kernel), lanes(mp::getCpu(kernel).getVectorBits() / 32),
      dimension(findHeadDimension(kernel)),
      heads(dimension ? double(dimension->size) : 1) {}

Value KernelCounter::getYielded(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  return message ? message.getBody().front().getTerminator()->getOperand(
                       cast<OpResult>(edges).getResultNumber())
                 : Value();
}

/// `size` results, each the sum of `depth` products.
void KernelCounter::countProduct(Operation &op, double size, double depth,
                                 Ends lhs, Ends rhs) {
  if (getEnds(op.getResult(0)) != Ends::edge)
    return;
  double products =
      countRepeats(op.getResult(0)) * size * depth / double(lanes);
  bool isMatrix = lhs != Ends::edge && rhs != Ends::edge;
  bool isMap = lhs == Ends::none || rhs == Ends::none;
  if (isMatrix)
    products *= getProductShare(op.getResult(0).getType());
  counts.pair[isMatrix             ? kPairProduct
              : isMap && depth > 1 ? kPairMap
                                   : kPairVector] += products;
}

void KernelCounter::countElementwise(Operation &op) {
  ElementWork work = getElementWork(op);
  Value value = op.getResult(0);
  for (Value operand : op.getOperands())
    if (getSize(operand.getType()) > getSize(value.getType()))
      value = operand;
  double vectors = getVectors(value.getType(), lanes);
  counts.edge[kEdgeVector] += work.arithmetic * vectors;
  counts.edge[kEdgeDivision] += work.divisions * vectors;
  counts.edge[kEdgeFunction] += work.functions * vectors;
  counts.edge[kEdgeWait] += work.functions;
  if (getEnds(op.getResult(0)) != Ends::edge)
    return;
  double filled =
      countRepeats(op.getResult(0)) * getSize(value.getType()) / double(lanes);
  counts.pair[kPairVector] += work.arithmetic * filled;
  counts.pair[kPairDivision] += work.divisions * filled;
  counts.pair[kPairFunction] += work.functions * filled;
}

/// Rows make bits of the comparison, 64 bits for each element; all edges of a
/// row together have the elements once.
void KernelCounter::countMapOfWinners(mp::LinearOp linear) {
  counts.edge[kEdgeVector] +=
      2 * 2 * getVectors(linear.getX().getType(), lanes);
  counts.edge[kEdgeReduction] += 1;
  counts.row[kRowMap] += double(linear.getContractedSize()) *
                         getVectors(linear.getResult().getType(), lanes);
}

void KernelCounter::countMessage(mp::MessageOp message) {
  int64_t line = mp::getCpu(kernel).getLineBytes();
  for (ValueRange args : {message.getSrcArgs(), message.getEdgeArgs()})
    for (Value arg : args) {
      int64_t bytes = getBytes(cast<RankedTensorType>(arg.getType()));
      const auto lines = double(llvm::divideCeil(bytes, line));
      counts.edge[kEdgeLine] += lines;
      // Half precision is widened as it is read.
      if (getBits(getElementTypeOrSelf(arg.getType())) < 32 &&
          isa<FloatType>(getElementTypeOrSelf(arg.getType())))
        counts.edge[kEdgeVector] += getVectors(arg.getType(), lanes);
      bool isEdge = llvm::is_contained(message.getEdgeArgs(), arg);
      if (isEdge) {
        counts.tileEdge[kTileEdge] += heads;
        counts.tileEdge[kTileEdgeElement] += getSize(arg.getType());
      } else {
        counts.farEdge[kFarLine] += lines;
        counts.registerBlock[kBlockSource] += getSize(arg.getType());
      }
    }
  for (Operation &op : message.getBody().front().without_terminator()) {
    if (op.getNumResults() == 0 || !isPerEdge(op.getResult(0)))
      continue;
    Type type = op.getResult(0).getType();
    if (auto linear = dyn_cast<mp::LinearOp>(op)) {
      double depth = double(linear.getContractedSize());
      if (isMapOfWinners(linear)) {
        countMapOfWinners(linear);
      } else {
        edgeMaps += depth * getSize(type);
        edgeMapVectors += depth * getVectors(type, lanes);
        edgeProductVectors += depth * getProductVectors(type);
      }
      countProduct(op, getSize(type), depth, getEnds(linear.getX()),
                   getEnds(linear.getWeights()));
    } else if (auto dot = dyn_cast<mp::DotOp>(op)) {
      Type operand = dot.getLhs().getType();
      counts.edge[kEdgeVector] += getVectors(operand, lanes);
      counts.edge[kEdgeReduction] += getSize(type);
      double depth = getSize(operand) / getSize(type);
      Ends lhs = getEnds(dot.getLhs()), rhs = getEnds(dot.getRhs());
      // A sum over features within a pair is elementwise.
      if (lhs == Ends::edge || rhs == Ends::edge)
        counts.pair[kPairVector] +=
            countRepeats(op.getResult(0)) * getSize(operand) / double(lanes);
      else
        countProduct(op, getSize(type), depth, lhs, rhs);
    } else {
      countElementwise(op);
      // Registers are along the innermost dimension.
      auto reduce = dyn_cast<mp::ReduceOp>(op);
      if (reduce && reducesInnermost(reduce))
        counts.edge[kEdgeReduction] += getSize(type);
      // Rows read a row of the table where they use it, tiles gather it.
      Value value = op.getResult(0);
      if (isa<mp::LookupOp>(op) && getEnds(value) == Ends::edge)
        counts.pair[kPairLookup] += countRepeats(value) * getSize(type);
    }
  }
}

//===----------------------------------------------------------------------===//
// Aggregations
//===----------------------------------------------------------------------===//

Value KernelCounter::getWeighted(Value value) const {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {};
  auto isWeight = [&](Value factor) {
    return getEnds(factor) == Ends::edge &&
           factor.getDefiningOp<mp::BroadcastOp>();
  };
  if (isWeight(product.getLhs()))
    return product.getRhs();
  return isWeight(product.getRhs()) ? product.getLhs() : Value();
}

void KernelCounter::countScore(Value score) {
  double size = getSize(score.getType());
  counts.edge[kEdgeSoftmax] += 1;
  counts.edge[kEdgeScore] += size;
  counts.pair[kPairScore] += size / double(lanes);
}

/// Sums over sources are products of matrices where each source has one value,
/// or one for each destination but for a weight.
void KernelCounter::countValue(mp::AggregateOp aggregate, Value value) {
  double vectors = getVectors(value.getType(), lanes);
  double size = getSize(value.getType());
  if (tensor::ScatterOp scatter = getScatteredTerm(aggregate, value)) {
    counts.edge[kEdgeSum] += getVectors(scatter.getSourceType(), lanes);
    counts.row[kRowState] += vectors;
    counts.pair[kPairCombine] += getSize(scatter.getSourceType());
    return;
  }
  mp::AggregatorKind kind = aggregate.getKind();
  bool isWeighted = kind == mp::AggregatorKind::softmax;
  bool isStd = kind == mp::AggregatorKind::std;
  bool isSum = isWeighted || kind == mp::AggregatorKind::sum ||
               kind == mp::AggregatorKind::mean;
  counts.row[kRowState] += vectors;
  if (isWeighted)
    counts.mask[kMaskState] += vectors;
  Value yielded = getYielded(value);
  Ends on = yielded ? getEnds(yielded) : Ends::edge;
  const bool isCopied = isSum && !isWeighted && on == Ends::src;
  counts.edge[isCopied ? kEdgeCopy
              : isSum  ? kEdgeSum
              : isStd  ? kEdgeDeviation
                       : kEdgeCombine] += vectors;
  if (2 * vectors > double(mp::getCpu(kernel).getRegisters()))
    counts.edge[kEdgeMemory] += vectors;
  // An edge may have several products, of which it carries the sum.
  if (auto shared = getProductWithShared(value);
      isSum && !isWeighted && shared && !shared->summed.empty()) {
    yielded = shared->product;
    vectors = getVectors(yielded.getType(), lanes);
  }
  Value factor = yielded && !isWeighted ? getWeighted(yielded) : Value();
  const double products =
      getProductShare(getFeature(value.getType())) * vectors;
  // Of sources alone a tile has one sum for all rows, or multiplies by masks.
  if (isCopied) {
    counts.mask[kMaskProduct] += products;
    return;
  }
  if (isSum && (on == Ends::src || (factor && getEnds(factor) == Ends::src))) {
    counts.pair[kPairProduct] += products;
    return;
  }
  const PairUnit unit = isSum              ? kPairSum
                        : isStd            ? kPairDeviation
                        : on == Ends::edge ? kPairExtremum
                                           : kPairCombine;
  counts.pair[unit] += size;
  if (on == Ends::edge && yielded && !factor)
    countColumns(yielded, getFeature(value.getType()));
}

/// As countValue(), of a sum over destinations.
void KernelCounter::countSourceSum(Value value) {
  Value factor = getWeighted(getYielded(value));
  bool isMatrix = factor && getEnds(factor) == Ends::dst;
  counts.pair[isMatrix ? kPairProduct : kPairSum] +=
      isMatrix ? getProductShare(getFeature(value.getType())) *
                     getVectors(value.getType(), lanes)
               : getSize(value.getType());
}

/// Elements of sources that meet those of a destination, but in products: each
/// has a vector along the sources, which is added up for the state's element.
void KernelCounter::countColumns(Value value, RankedTensorType feature) {
  SetVector<Value> cone;
  cone.insert(value);
  double columns = 0;
  for (unsigned k = 0; k < cone.size(); ++k) {
    Operation *op = cone[k].getDefiningOp();
    if (isa_and_nonnull<mp::LinearOp, mp::DotOp, mp::ReduceOp>(op))
      return;
    bool isBoth = getEnds(cone[k]) == Ends::edge;
    if (!op || !isBoth)
      columns +=
          isPerEdge(cone[k]) && getSize(cone[k].getType()) >= getSize(feature);
    else
      cone.insert_range(op->getOperands());
  }
  counts.pair[kPairColumn] += columns * getSize(feature);
}

void KernelCounter::countAggregate(mp::AggregateOp aggregate) {
  if (Value score = aggregate.getScore())
    countScore(score);
  if (aggregate.getKind() != mp::AggregatorKind::custom) {
    for (Value value : aggregate.getValues())
      countValue(aggregate, value);
    return;
  }
  // Tiles combine their sources one after the other, as rows do: each op is a
  // loop over the rows of a register block, between loads and stores. Edge
  // values of both ends are read by column.
  countStep(aggregate.getLift());
  countStep(aggregate.getCombine());
  for (Value value : aggregate.getValues())
    if (Value yielded = getYielded(value);
        !yielded || getEnds(yielded) == Ends::edge)
      counts.pair[kPairElement] += getSize(value.getType());
  countState(aggregate.getLift().front().getTerminator()->getOperandTypes());
}

void KernelCounter::countStep(Region &region) {
  for (Operation &op : region.front().without_terminator()) {
    ElementWork work = getElementWork(op);
    double size = getSize(op.getResult(0).getType());
    double vectors = getVectors(op.getResult(0).getType(), lanes);
    const double steps = work.arithmetic + work.divisions;
    counts.edge[kEdgeCombine] += steps * vectors;
    counts.pair[kPairElement] += steps * size;
    // A row waits for each function, unless it has several vectors of it.
    counts.edge[kEdgeFunction] += work.functions * (3 + vectors);
    counts.pair[kPairFunction] += work.functions * size / double(lanes);
  }
}

void KernelCounter::countState(TypeRange state) {
  for (Type part : state)
    counts.row[kRowState] += getVectors(part, lanes);
}

/// Edge values that the kernel returns.
void KernelCounter::countStored() {
  int64_t line = mp::getCpu(kernel).getLineBytes();
  for (Type type : kernel->getResultTypes()) {
    auto edges = dyn_cast<mp::EdgesType>(type);
    if (!edges)
      continue;
    int64_t bytes = getBytes(edges.getFeatureType());
    counts.edge[kEdgeLine] += double(llvm::divideCeil(bytes, line));
    counts.tileEdge[kTileEdge] += heads;
    counts.tileEdge[kTileEdgeElement] += getSize(type);
  }
}

KernelCounts KernelCounter::count() {
  counts.edge[kEdge] = 1;
  counts.row[kRow] = 1;
  counts.pair[kPair] = heads / double(lanes);
  counts.mask[kMask] = 1 / double(lanes);
  counts.registerBlock[kBlock] = heads;
  counts.tileRows = getTileRows(KernelInfo(kernel), mp::getCpu(kernel));
  for (auto message : kernel.getBody().getOps<mp::MessageOp>()) {
    ends.emplace_back(message, /*knowsPositions=*/true);
    countMessage(message);
  }
  for (auto aggregate : kernel.getBody().getOps<mp::AggregateOp>())
    countAggregate(aggregate);
  for (auto sum : kernel.getBody().getOps<mp::SourceSumOp>())
    llvm::for_each(sum.getValues(), [&](Value v) { countSourceSum(v); });
  for (auto scan : kernel.getBody().getOps<mp::ScanOp>()) {
    countStep(scan.getBody());
    countState(TypeRange(scan.getBody().getArgumentTypes())
                   .take_front(scan.getFrom().size()));
  }
  countStored();
  // Large ones are products of matrices over a chunk of edges.
  if (edgeMaps < double(leastEdgeProduct))
    counts.edge[kEdgeMap] += edgeMapVectors;
  else
    counts.edge[kEdgeProduct] += edgeProductVectors;
  return counts;
}

KernelCounts clique::countKernel(mp::KernelOp kernel) {
  return KernelCounter(kernel).count();
}
