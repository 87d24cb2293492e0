//===- SizeChecks.cpp - Checks in front of one op -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace clique;

/// "layer.mlir:7:8: 'arith.addf': ".
static std::string describePlace(Operation *op) {
  std::string text;
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text = llvm::formatv("{0}:{1}:{2}: ", place.getFilename().str(),
                         place.getLine(), place.getColumn());
  return text + "'" + op->getName().getStringRef().str() + "': ";
}

OpFoldResult SizeChecks::getSize(Value value, int64_t dim) {
  if (isa<mp::EdgesType>(value.getType()))
    return mp::NumRowsOp::create(builder, loc, value).getResult();
  return tensor::getMixedSize(builder, loc, value, dim);
}

OpFoldResult SizeChecks::apply(AffineExpr expr,
                               ArrayRef<OpFoldResult> numbers) {
  return affine::makeComposedFoldedAffineApply(builder, loc, expr, numbers);
}

Value SizeChecks::getValue(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

void SizeChecks::checkRange(OpFoldResult actual, OpFoldResult least,
                            OpFoldResult most, const Twine &wanted) {
  std::optional<int64_t> given = getConstantIntValue(actual);
  std::optional<int64_t> low = getConstantIntValue(least);
  std::optional<int64_t> high = getConstantIntValue(most);
  if (given && low && high && *low <= *given && *given <= *high)
    return;
  mp::CheckOp::create(builder, loc, getValue(actual), getValue(least),
                      getValue(most),
                      builder.getStringAttr(describePlace(op) + wanted));
}

void SizeChecks::checkEqual(OpFoldResult actual, OpFoldResult expected,
                            const Twine &wanted) {
  if (!isEqualConstantIntOrValue(actual, expected))
    checkRange(actual, expected, expected, wanted);
}

void SizeChecks::checkPosition(OpFoldResult position, OpFoldResult size,
                               const Twine &wanted) {
  AffineExpr d0 = builder.getAffineDimExpr(0);
  checkRange(position, getConstant(0), apply(d0 - 1, {size}), wanted);
}

void SizeChecks::checkSize(OpFoldResult size, const Twine &wanted) {
  checkRange(size, getConstant(0),
             getConstant(std::numeric_limits<int64_t>::max()), wanted);
}

void SizeChecks::checkResult(OpFoldResult size, int64_t dim) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.isDynamicDim(dim))
    checkEqual(size, getConstant(type.getDimSize(dim)),
               "dimension " + Twine(dim) +
                   " must be what the result's type says");
}

void SizeChecks::checkSameSize(unsigned first, unsigned second, int64_t dim) {
  checkEqual(getSize(op->getOperand(second), dim),
             getSize(op->getOperand(first), dim),
             "dimension " + Twine(dim) + " of operand #" + Twine(second) +
                 " must be that of operand #" + Twine(first));
}
