//===- CheckControlFlow.cpp - Bounds and carried values of loops ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPOps.h"

#include <limits>

using namespace mlir;
using namespace clique;

/// Carried values keep their sizes: those of `values` are those of `before`.
static void checkCarried(ValueRange values, ValueRange before,
                         SizeChecks &checks) {
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(values, before))) {
    auto [value, first] = pair;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type && !isa<mp::EdgesType>(value.getType()))
      continue;
    for (int64_t dim = 0; dim < (type ? type.getRank() : 1); ++dim)
      if (!type || type.isDynamicDim(dim))
        checks.checkEqual(
            checks.getSize(value, dim), checks.getSize(first, dim),
            "dimension " + Twine(dim) + " of carried value #" + Twine(number) +
                " must be what it was before the loop");
  }
}

void clique::checkCountedLoop(scf::ForOp op, SizeChecks &checks) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  checks.checkRange(op.getStep(), checks.getConstant(1),
                    checks.getConstant(most), "step of the loop");
  // The number behind the last is one that 64 bits hold.
  AffineExpr s0 = getAffineSymbolExpr(0, op.getContext());
  checks.checkRange(op.getUpperBound(),
                    checks.getConstant(std::numeric_limits<int64_t>::min()),
                    checks.apply(-s0 + most, {op.getStep()}),
                    "upper bound of the loop");
  // So does the number of steps, which upstream computes of known bounds.
  std::optional<int64_t> begin = getConstantIntValue(op.getLowerBound());
  if (begin && *begin < 0)
    checks.checkRange(op.getUpperBound(),
                      checks.getConstant(std::numeric_limits<int64_t>::min()),
                      checks.getConstant(*begin + most),
                      "upper bound of the loop");
}

void clique::checkYield(scf::YieldOp op, SizeChecks &checks) {
  Operation *parent = op->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    checkCarried(op.getResults(), loop.getInitArgs(), checks);
  else if (auto loop = dyn_cast<scf::WhileOp>(parent))
    checkCarried(op.getResults(), loop.getInits(), checks);
}
