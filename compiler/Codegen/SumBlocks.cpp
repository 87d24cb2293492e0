//===- SumBlocks.cpp - How sums of whole tensors are divided --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/SumBlocks.h"
#include "compiler/Analysis/Tuning.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

/// A product of matrices whose result is far larger than a cache.
static bool isLargeProduct(linalg::LinalgOp op) {
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  return type.getRank() == 2 && op.getNumDpsInputs() == 2 &&
         op.getNumReductionLoops() > 0 &&
         type.getNumElements() > tuning::mostPartElements;
}

/// So many that they divide `size`, if there is such a number; else `other`.
static int64_t divide(int64_t size, int64_t least, int64_t most,
                      int64_t other) {
  for (int64_t part = most; part >= least; --part)
    if (size % part == 0)
      return part;
  return other;
}

SmallVector<int64_t> clique::getBlockSizes(linalg::LinalgOp op) {
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  SmallVector<int64_t> sizes(type.getShape());
  if (sizes.size() < 2)
    return sizes;
  int64_t length = ShapedType::getNumElements(ArrayRef(sizes).drop_front());
  int64_t most = tuning::sumElements / length;
  if (isLargeProduct(op)) {
    most = tuning::mostProductRows;
    if (sizes.back() > tuning::mostSumColumns)
      sizes.back() = divide(sizes.back(), tuning::leastSumColumns,
                            tuning::mostSumColumns, sizes.back());
  }
  most = std::min(std::max(most, tuning::leastSumRows), sizes.front());
  sizes.front() = divide(sizes.front(), tuning::leastSumRows, most, most);
  return sizes;
}

static Operation *getCombinerOf(linalg::LinalgOp op, unsigned result) {
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), result, combiners);
  return term && combiners.size() == 1 ? combiners.front() : nullptr;
}

Operation *clique::getCombiner(linalg::LinalgOp op) {
  return getCombinerOf(op, 0);
}

SmallVector<Operation *> clique::getCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  for (unsigned k = 0; k < op.getRegionOutputArgs().size(); ++k) {
    Operation *combiner = getCombinerOf(op, k);
    if (!combiner || !arith::getNeutralElement(combiner))
      return {};
    combiners.push_back(combiner);
  }
  return combiners;
}

Value clique::emitCombiner(OpBuilder &b, Location loc, Operation *combiner,
                           Value sum, Value term) {
  Operation *step = Operation::create(
      loc, combiner->getName(), sum.getType(), {sum, term},
      combiner->getDiscardableAttrDictionary(),
      combiner->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
  b.insert(step);
  return step->getResult(0);
}

std::optional<unsigned> clique::getPartedLoop(linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  if (!combiner || !arith::getNeutralElement(combiner) || isLargeProduct(op))
    return std::nullopt;
  // Sums of half precision are rounded once (clique-split-sums).
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 32)
    return std::nullopt;
  SmallVector<int64_t> lengths = op.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (unsigned loop : loops)
    if (ShapedType::isDynamic(lengths[loop]))
      return loop;
  return std::nullopt;
}

int64_t clique::getPartTerms(ArrayRef<int64_t> shape) {
  constexpr int64_t least = tuning::leastSumTerms;
  int64_t elements = ShapedType::getNumElements(shape);
  int64_t read = 0; // A product of vectors per term.
  for (int64_t size : shape)
    read += size;
  return shape.size() < 2 ? least
                          : std::max(least, tuning::sumParts * elements / read);
}
