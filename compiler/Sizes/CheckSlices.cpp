//===- CheckSlices.cpp - Parts of tensors ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace clique;

void clique::checkSlice(OffsetSizeAndStrideOpInterface op, Value whole,
                        SizeChecks &checks) {
  OpBuilder &b = checks.getBuilder();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  // What is empty may begin anywhere: it counts as position 0.
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  auto unlessEmpty = [&](OpFoldResult size, OpFoldResult number) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return *known == 0 ? checks.getConstant(0) : number;
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          cast<Value>(size), zero);
    Value position = getValueOrCreateConstantIndexOp(b, loc, number);
    return OpFoldResult(
        arith::SelectOp::create(b, loc, isEmpty, zero, position).getResult());
  };
  for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim) {
    OpFoldResult size = sizes[dim];
    checks.checkSize(size, "size of the part along dimension " + Twine(dim));
    OpFoldResult there = checks.getSize(whole, dim);
    if (isZeroInteger(offsets[dim]) && isOneInteger(strides[dim])) {
      checks.checkRange(size, checks.getConstant(0), there,
                        "size of the part along dimension " + Twine(dim));
      continue;
    }
    // Of nothing position 0 is good enough.
    there = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1, {s0, b.getAffineConstantExpr(1)}, b.getContext()),
        {there});
    checks.checkPosition(unlessEmpty(size, offsets[dim]), there,
                         "first position along dimension " + Twine(dim));
    OpFoldResult last =
        checks.apply(s0 + (s1 - 1) * s2, {offsets[dim], size, strides[dim]});
    checks.checkPosition(unlessEmpty(size, last), there,
                         "last position along dimension " + Twine(dim));
  }
}

void clique::checkInsertSlice(tensor::InsertSliceOp op, SizeChecks &checks) {
  checkSlice(op, op.getDest(), checks);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t dim = 0;
  for (auto [number, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped[number])
      continue;
    checks.checkEqual(checks.getSize(op.getSource(), dim), size,
                      "dimension " + Twine(dim) +
                          " of the source must be that of the part");
    ++dim;
  }
}
