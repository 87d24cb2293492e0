//===- LevelRows.cpp - Rows that one step of a loop writes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/LevelRows.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

namespace {
/// Where a level begins: an element of the offsets of mp.levels.
struct Begin {
  Value offsets;
  int64_t ahead; ///< 0: of the level with the step's number, 1: of the next
};
} // namespace

static std::optional<Begin> matchBegin(scf::ForOp loop, OpFoldResult number) {
  auto value = dyn_cast<Value>(number);
  auto element =
      value ? skipCasts(value).getDefiningOp<tensor::ExtractOp>() : nullptr;
  if (!element || element.getIndices().size() != 1)
    return std::nullopt;
  auto levels = element.getTensor().getDefiningOp<mp::LevelsOp>();
  // Levels made in the loop may be of another graph in each step.
  if (!levels || element.getTensor() != levels.getOffsets() ||
      !loop.isDefinedOutsideOfLoop(levels.getOffsets()))
    return std::nullopt;
  Value index = element.getIndices()[0];
  if (index == loop.getInductionVar())
    return Begin{levels.getOffsets(), 0};
  auto next = index.getDefiningOp<arith::AddIOp>();
  if (next && next.getLhs() == loop.getInductionVar() &&
      matchPattern(next.getRhs(), m_One()))
    return Begin{levels.getOffsets(), 1};
  return std::nullopt;
}

/// Whether these are the rows of the level that has the step's number.
static bool isLevel(scf::ForOp loop, OpFoldResult first, OpFoldResult size) {
  std::optional<Begin> begin = matchBegin(loop, first);
  auto value = dyn_cast<Value>(size);
  auto length =
      value ? skipCasts(value).getDefiningOp<arith::SubIOp>() : nullptr;
  if (!begin || begin->ahead != 0 || !length)
    return false;
  std::optional<Begin> past = matchBegin(loop, length.getLhs());
  std::optional<Begin> from = matchBegin(loop, length.getRhs());
  return past && from && past->ahead == 1 && from->ahead == 0 &&
         past->offsets == begin->offsets && from->offsets == begin->offsets;
}

tensor::InsertSliceOp gradient::findLevelRows(scf::ForOp loop,
                                              unsigned carried) {
  auto insertion =
      loop.getYieldedValues()[carried].getDefiningOp<tensor::InsertSliceOp>();
  if (!insertion || insertion.getDest() != loop.getRegionIterArg(carried))
    return nullptr;
  RankedTensorType type = insertion.getDestType();
  SmallVector<OpFoldResult> offsets = insertion.getMixedOffsets(),
                            sizes = insertion.getMixedSizes();
  if (type.getRank() != insertion.getSourceType().getRank() ||
      !insertion.hasUnitStride())
    return nullptr;
  for (int64_t dim = 1; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) || !isConstantIntValue(offsets[dim], 0) ||
        !isConstantIntValue(sizes[dim], type.getDimSize(dim)))
      return nullptr;
  return isLevel(loop, offsets[0], sizes[0]) ? insertion : nullptr;
}
