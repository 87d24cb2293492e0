//===- AggregateCost.cpp - What aggregations of a kernel execute ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As MessageCost.cpp, of what takes messages in: a row has its state in
// registers, tiles have products of matrices where they can.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ElementWork.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/ScatteredSums.h"
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Fusion/KernelCounter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::tuning;

Value KernelCounter::getYielded(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  return message ? message.getBody().front().getTerminator()->getOperand(
                       cast<OpResult>(edges).getResultNumber())
                 : Value();
}

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
  counts.edge[kEdgeRest] += countRests(value.getType(), lanes);
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
    counts.edge[isWeighted ? kEdgeMemory : kEdgeStored] += vectors;
  // An edge may have several products, of which it carries the sum.
  auto shared = getProductWithShared(value);
  const bool isOfMany =
      isSum && !isWeighted && shared && !shared->summed.empty();
  if (isOfMany)
    yielded = shared->product;
  Value factor = yielded && !isWeighted ? getWeighted(yielded) : Value();
  const Value factors = yielded ? yielded : value;
  const double rests = countTileRests(factors);
  const double products =
      getProductShare(getFeature(value.getType())) * getTileVectors(factors);
  // Of sources alone a tile has one sum for all rows, or multiplies by masks.
  if (isCopied) {
    counts.pair[kPairCopy] += products;
    counts.mask[kMaskProduct] += products;
    counts.mask[kMaskRest] += rests;
    return;
  }
  if (isSum && on == Ends::src) {
    counts.pair[kPairProduct] += products;
    return;
  }
  if (isSum && factor && getEnds(factor) == Ends::src) {
    const double vectors =
        countRepeats(yielded) * getSize(yielded.getType()) / double(lanes);
    // The weight is the product's other factor, and products of one edge are
    // added up where they are made.
    counts.pair[kPairVector] -= (isOfMany ? 2 : 1) * vectors;
    counts.pair[isOfMany ? kPairProduct : kPairWeighted] += products;
    counts.mask[kMaskWeighted] += isOfMany ? 0 : products;
    counts.mask[kMaskRest] += isOfMany ? 0 : rests;
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
      isMatrix
          ? getProductShare(getFeature(value.getType())) * getTileVectors(value)
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
