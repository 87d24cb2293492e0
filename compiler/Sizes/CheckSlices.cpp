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

/// Steps that no product of 64 bits overflows with.
static constexpr int64_t kSmallStride = int64_t(1) << 20;

/// The size and the stride of a part, or where they lead out of `there`
/// positions numbers that do, too, and whose product does not overflow.
static std::pair<OpFoldResult, OpFoldResult> clamp(OpFoldResult size,
                                                   OpFoldResult stride,
                                                   OpFoldResult there,
                                                   OpBuilder &b, Location loc) {
  auto getValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, loc, number);
  };
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  OpFoldResult length = size;
  if (!getConstantIntValue(size)) {
    Value more = arith::AddIOp::create(b, loc, getValue(there), one);
    length = arith::MinSIOp::create(b, loc, getValue(size), more).getResult();
  }
  std::optional<int64_t> known = getConstantIntValue(stride);
  if (known && std::abs(*known) <= kSmallStride)
    return {length, stride};
  // The number of steps times this is at least `there`.
  Value steps = arith::SubIOp::create(b, loc, getValue(length), one);
  steps = arith::MaxSIOp::create(b, loc, steps, one);
  Value most = arith::DivUIOp::create(b, loc, getValue(there), steps);
  most = arith::AddIOp::create(b, loc, most, one);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value least = arith::SubIOp::create(b, loc, zero, most);
  Value step = arith::MinSIOp::create(b, loc, getValue(stride), most);
  step = arith::MaxSIOp::create(b, loc, step, least);
  return {length, OpFoldResult(step)};
}

static void checkSlice(OffsetSizeAndStrideOpInterface op, Value whole,
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
    auto [length, stride] = clamp(size, strides[dim], there, b, loc);
    OpFoldResult last =
        checks.apply(s0 + (s1 - 1) * s2, {offsets[dim], length, stride});
    checks.checkPosition(unlessEmpty(size, last), there,
                         "last position along dimension " + Twine(dim));
  }
}

/// Whether the part is known to lead out of `whole`, through casts that hide
/// its size.
static bool leadsOut(OffsetSizeAndStrideOpInterface op, Value whole) {
  while (auto cast = whole.getDefiningOp<tensor::CastOp>())
    whole = cast.getSource();
  auto type = cast<RankedTensorType>(whole.getType());
  for (auto [there, first, length, step] :
       llvm::zip_equal(type.getShape(), op.getMixedOffsets(),
                       op.getMixedSizes(), op.getMixedStrides())) {
    std::optional<int64_t> offset = getConstantIntValue(first),
                           size = getConstantIntValue(length),
                           stride = getConstantIntValue(step);
    if (ShapedType::isDynamic(there) || !offset || !size || !stride)
      continue;
    // Large strides would overflow; they need no second step to lead out.
    if (*size > 0 &&
        (*offset >= there || (*size - 1 >= there - *offset && *stride >= 1)))
      return true;
  }
  return false;
}

void clique::checkExtractSlice(tensor::ExtractSliceOp op, SizeChecks &checks) {
  checkSlice(op, op.getSource(), checks);
  // The check fails wherever it runs; what is left behind it has to be valid.
  if (op.getType().hasStaticShape() && leadsOut(op, op.getSource())) {
    OpBuilder b(op);
    op.replaceAllUsesWith(tensor::EmptyOp::create(b, op.getLoc(),
                                                  op.getType().getShape(),
                                                  op.getType().getElementType())
                              .getResult());
    op.erase();
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
  if (leadsOut(op, op.getDest())) {
    op.replaceAllUsesWith(op.getDest());
    op.erase();
  }
}
