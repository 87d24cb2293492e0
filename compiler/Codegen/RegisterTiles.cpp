//===- RegisterTiles.cpp - What a tile of registers can be ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/RegisterTiles.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <set>

using namespace mlir;
using namespace clique;

/// The loop along which an operand is contiguous in memory.
static std::optional<unsigned> getContiguousLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

std::optional<unsigned> clique::getOutputLoop(linalg::LinalgOp op) {
  return getContiguousLoop(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
}

/// Some operands are contiguous along the loop, and none has its numbers apart.
static bool readsVectors(linalg::LinalgOp op, unsigned loop) {
  bool some = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (getContiguousLoop(map) == loop)
      some = true;
    else if (map.isFunctionOfDim(loop))
      return false;
  }
  return some;
}

std::optional<unsigned> clique::getVectorLoop(linalg::LinalgOp op) {
  std::optional<unsigned> outLoop = getOutputLoop(op);
  if (op.getNumReductionLoops() > 0 && outLoop && readsVectors(op, *outLoop))
    return outLoop;

  // Elements that lie in vectors along a loop, without those that lie apart.
  SmallVector<int64_t> votes(op.getNumLoops(), 0);
  std::set<unsigned> candidates;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> contiguous = getContiguousLoop(map);
    if (!type || !contiguous)
      continue;
    candidates.insert(*contiguous);
    const int64_t elements = type.hasStaticShape() ? type.getNumElements() : 1;
    for (unsigned loop = 0; loop < votes.size(); ++loop)
      if (loop == *contiguous)
        votes[loop] += elements;
      else if (map.isFunctionOfDim(loop))
        votes[loop] -= elements;
  }
  if (candidates.empty())
    return std::nullopt;
  return *std::max_element(
      candidates.begin(), candidates.end(),
      [&](unsigned a, unsigned b) { return votes[a] < votes[b]; });
}

int64_t clique::getLargestDivisor(int64_t size, int64_t limit) {
  for (int64_t divisor = std::min(size, limit); divisor > 1; --divisor)
    if (size % divisor == 0)
      return divisor;
  return 1;
}

SmallVector<int64_t> clique::getVectors(int64_t size, int64_t lanes,
                                        bool hasRows) {
  const bool isAlone = hasRows && size > lanes && size % lanes == 1;
  if (isAlone)
    size -= lanes + 1;
  SmallVector<int64_t> vectors;
  while (size > lanes) {
    vectors.push_back(lanes * llvm::bit_floor<uint64_t>(size / lanes));
    size -= vectors.back();
  }
  if (size > 0)
    vectors.push_back(size);
  if (isAlone)
    llvm::append_values(vectors, lanes / 2 + 1, lanes / 2);
  return vectors;
}

SmallVector<int64_t> clique::getVectorParts(int64_t size, int64_t lanes,
                                            int64_t longest, bool hasRows) {
  if (size <= longest)
    return getVectors(size, lanes, hasRows);
  int64_t rest = size % longest;
  if (rest == 0)
    return {size};
  if (rest == 1 && hasRows)
    rest += longest;
  SmallVector<int64_t> parts;
  if (size > rest)
    parts.push_back(size - rest);
  llvm::append_range(parts, getVectors(rest, lanes, hasRows));
  return parts;
}

bool clique::hasRows(linalg::LinalgOp op, unsigned vectorLoop) {
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  if (!linalg::isParallelIterator(types[vectorLoop]))
    return false;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (loop != vectorLoop && size != 1 &&
        linalg::isParallelIterator(types[loop]))
      return true;
  return false;
}

linalg::LinalgOp clique::getFinisher(linalg::LinalgOp op) {
  if (!op->hasOneUse())
    return {};
  OpOperand &use = *op->getUses().begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user || user.getNumReductionLoops() > 0 || !user.isDpsInput(&use) ||
      user.getNumDpsInits() != 1 ||
      !user.getMatchingIndexingMap(&use).isIdentity() ||
      !user.getMatchingIndexingMap(user.getDpsInitOperand(0)).isIdentity())
    return {};
  // The loops of both are the same, but for the reduced ones at the end.
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [k, loop] : llvm::enumerate(out.getResults()))
    if (loop != getAffineDimExpr(k, op.getContext()))
      return {};
  int64_t count = 0;
  for (Operation &step : user.getBody()->without_terminator()) {
    if (!isa<arith::ArithDialect>(step.getDialect()))
      return {};
    count += isa<arith::ConstantOp>(step) ? 0 : 1;
  }
  return count <= clique::tuning::finisherOps ? user : linalg::GenericOp();
}

bool clique::hasFunctions(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(), [](Operation &step) {
    return isa<math::MathDialect>(step.getDialect());
  });
}

bool clique::isStart(Operation *op) {
  if (isa<linalg::FillOp>(op))
    return true;
  auto repeat = dyn_cast<linalg::GenericOp>(op);
  if (!repeat || repeat.getNumDpsInputs() != 1 ||
      repeat.getNumDpsInits() != 1 || repeat.getNumReductionLoops() > 0)
    return false;
  Value yielded = repeat.getBlock()->getTerminator()->getOperand(0);
  return yielded == repeat.getBlock()->getArgument(0) &&
         repeat.getIndexingMapsArray().front().getNumResults() <
             repeat.getNumLoops();
}

bool clique::isContraction(linalg::LinalgOp op, unsigned vectorLoop) {
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() >= 2 &&
         linalg::isParallelIterator(op.getIteratorTypesArray()[vectorLoop]) &&
         (isOfPairs(op) ||
          linalg::detail::isContractionBody(
              *op.getBlock(), [](Operation *first, Operation *second) {
                return isa<arith::MulFOp>(first) && isa<arith::AddFOp>(second);
              }));
}

bool clique::isOfPairs(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0 &&
         isa<clique::mp::DotPairsOp>(op.getBlock()->front());
}

SmallVector<int64_t> clique::getSquare(linalg::LinalgOp op, int64_t lanes) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<int64_t> tiles(sizes.size(), 1);
  for (AffineMap map : op.getIndexingMapsArray())
    if (std::optional<unsigned> loop = getContiguousLoop(map))
      tiles[*loop] = getLargestDivisor(sizes[*loop], lanes);
  return tiles;
}

std::optional<unsigned> clique::getRowLoop(linalg::LinalgOp op,
                                           unsigned vectorLoop) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  std::optional<unsigned> row;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  for (unsigned loop = 0; loop < types.size(); ++loop) {
    bool shares = llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      AffineMap map = op.getMatchingIndexingMap(in);
      return getContiguousLoop(map) == vectorLoop && map.isFunctionOfDim(loop);
    });
    if (linalg::isParallelIterator(types[loop]) && loop != vectorLoop &&
        shares && sizes[loop] > 1 && !ShapedType::isDynamic(sizes[loop]))
      row = loop;
  }
  return row;
}
