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
#include "compiler/Analysis/EdgeProducts.h"
#include "compiler/Analysis/ElementWork.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Analysis/TileRows.h"
#include "compiler/Analysis/WinningFeatures.h"
#include "compiler/Fusion/KernelCounter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::tuning;

KernelCounter::KernelCounter(mp::KernelOp kernel)
    : kernel(kernel), lanes(mp::getCpu(kernel).getVectorBits() / 32),
      dimension(findHeadDimension(kernel)),
      heads(dimension ? double(dimension->size) : 1) {}

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
        edgeMapVectors += depth * getVectors(type, lanes);
        edgeProductVectors += depth * getProductVectors(type);
      }
      countProduct(op, getSize(type), depth, getEnds(linear.getX()),
                   getEnds(linear.getWeights()));
    } else if (auto dot = dyn_cast<mp::DotOp>(op)) {
      Type operand = dot.getLhs().getType();
      counts.edge[kEdgeVector] += getVectors(operand, lanes);
      // Several heads of few features are reduced together.
      counts.edge[kEdgeReduction] +=
          std::min(getSize(type), getVectors(operand, lanes));
      passes += 1;
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
      passes += getElementWork(op).functions > 0 ||
                llvm::any_of(op.getOperands(), [](Value operand) {
                  return operand.getDefiningOp<mp::LinearOp>();
                });
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
  // A register block has as many states as rows.
  counts.registerBlock[kBlockState] =
      double(counts.tileRows) * counts.row[kRowState];
  countStored();
  // Large ones are products of matrices over a chunk of edges.
  if (isWorthChunks(KernelInfo(kernel))) {
    counts.edge[kEdgeProduct] += edgeProductVectors;
    counts.edge[kEdgePass] += passes;
  } else {
    counts.edge[kEdgeMap] += edgeMapVectors;
  }
  return counts;
}

KernelCounts clique::countKernel(mp::KernelOp kernel) {
  return KernelCounter(kernel).count();
}