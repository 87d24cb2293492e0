//===- CheckLoops.cpp - Lengths of the loops of structured ops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace clique;

namespace {
/// The loops of a structured op, and the operands that say how long they are.
class LoopChecks {
public:
  LoopChecks(linalg::LinalgOp op, SizeChecks &checks)
      : op(op), checks(checks), lengths(op.getNumLoops()),
        givers(op.getNumLoops()) {}

  void run() {
    for (OpOperand &operand : op->getOpOperands())
      checkPlainDims(operand);
    for (OpOperand &operand : op->getOpOperands())
      checkComputedDims(operand);
  }

private:
  static bool isTensor(OpOperand &operand) {
    return isa<RankedTensorType>(operand.get().getType());
  }
  static std::string describe(OpOperand &operand, int64_t dim) {
    return llvm::formatv("dimension {0} of operand #{1}", dim,
                         operand.getOperandNumber());
  }

  /// Dimensions that are one loop: all of a loop are alike.
  void checkPlainDims(OpOperand &operand) {
    if (!isTensor(operand))
      return;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      unsigned position = loop.getPosition();
      OpFoldResult size = checks.getSize(operand.get(), dim);
      if (!lengths[position]) {
        lengths[position] = size;
        givers[position] = describe(operand, dim);
      } else {
        checks.checkEqual(size, lengths[position],
                          describe(operand, dim) + " must be " +
                              givers[position]);
      }
    }
  }

  /// Dimensions along which a sum of loops runs, as in a convolution: their
  /// first and last position, where there are any.
  void checkComputedDims(OpOperand &operand) {
    if (!isTensor(operand))
      return;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (!isa<AffineDimExpr>(expr) && areLengthsKnown(expr))
        checkEnds(operand, dim, expr);
    }
  }

  bool areLengthsKnown(AffineExpr expr) {
    for (auto [loop, length] : llvm::enumerate(lengths))
      if (!length && expr.isFunctionOfDim(loop))
        return false;
    return true;
  }

  OpFoldResult countSteps();
  void checkEnds(OpOperand &operand, int64_t dim, AffineExpr expr);

  linalg::LinalgOp op;
  SizeChecks &checks;
  SmallVector<OpFoldResult> lengths;
  SmallVector<std::string> givers;
};
} // namespace

/// 0 if one of the loops is empty, else 1.
OpFoldResult LoopChecks::countSteps() {
  OpBuilder &b = checks.getBuilder();
  SmallVector<OpFoldResult> known;
  SmallVector<AffineExpr> exprs = {b.getAffineConstantExpr(1)};
  for (OpFoldResult length : lengths)
    if (length) {
      exprs.push_back(b.getAffineDimExpr(known.size()));
      known.push_back(length);
    }
  return affine::makeComposedFoldedAffineMin(
      b, op.getLoc(), AffineMap::get(known.size(), 0, exprs, b.getContext()),
      known);
}

void LoopChecks::checkEnds(OpOperand &operand, int64_t dim, AffineExpr expr) {
  OpBuilder &b = checks.getBuilder();
  OpFoldResult steps = countSteps();
  if (isZeroInteger(steps))
    return;
  SmallVector<OpFoldResult> last;
  SmallVector<AffineExpr> zeros;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  for (OpFoldResult length : lengths) {
    OpFoldResult end = length ? length : checks.getConstant(1);
    last.push_back(checks.apply(d0 - 1, {end}));
    zeros.push_back(b.getAffineConstantExpr(0));
  }
  OpFoldResult size = checks.getSize(operand.get(), dim);
  const bool hasSteps = isOneInteger(steps);
  // Without a step nothing is read: position 0 of one element.
  if (!hasSteps)
    size = affine::makeComposedFoldedAffineMax(
        b, op.getLoc(), AffineMap::get(2, 0, {d0, 1 - d1}, b.getContext()),
        {size, steps});
  auto check = [&](OpFoldResult position, StringRef which) {
    if (!hasSteps)
      position = b.createOrFold<arith::MulIOp>(
          op.getLoc(),
          getValueOrCreateConstantIndexOp(b, op.getLoc(), position),
          cast<Value>(steps));
    checks.checkPosition(position, size,
                         which + " position along " + describe(operand, dim));
  };
  check(checks.apply(expr.replaceDims(zeros), {}), "first");
  check(checks.apply(expr, last), "last");
}

void clique::checkLoops(linalg::LinalgOp op, SizeChecks &checks) {
  LoopChecks(op, checks).run();
}
