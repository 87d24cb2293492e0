//===- TensorRules.cpp - What moves the rows of whole tensors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

void FunctionGradient::addElement(tensor::ExtractOp op, Value g) {
  Value tensor = op.getTensor();
  auto type = cast<RankedTensorType>(getGradientType(tensor.getType()));
  Value zeros = makeZeros(op.getLoc(), type, getPrimal(tensor));
  addCotangent(tensor, tensor::InsertOp::create(builder, op.getLoc(), g, zeros,
                                                getPrimals(op.getIndices())));
}

void FunctionGradient::addInserted(tensor::InsertOp op, Value g) {
  Location loc = op.getLoc();
  SmallVector<Value> indices = getPrimals(op.getIndices());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(getElementTypeOrSelf(g.getType())));
  addCotangent(op.getScalar(),
               tensor::ExtractOp::create(builder, loc, g, indices));
  addCotangent(op.getDest(),
               tensor::InsertOp::create(builder, loc, zero, g, indices));
}

SmallVector<OpFoldResult>
FunctionGradient::getPrimalSizes(SmallVector<OpFoldResult> sizes) {
  for (OpFoldResult &size : sizes)
    if (auto dynamic = dyn_cast<Value>(size))
      size = getPrimal(dynamic);
  return sizes;
}

/// Bounds of a slice, of what stands for the forward values.
FunctionGradient::SliceBounds
FunctionGradient::getBounds(OffsetSizeAndStrideOpInterface op) {
  return {getPrimalSizes(op.getMixedOffsets()),
          getPrimalSizes(op.getMixedSizes()),
          getPrimalSizes(op.getMixedStrides())};
}

void FunctionGradient::addInsertedSlice(tensor::InsertSliceOp op, Value g) {
  Location loc = op.getLoc();
  auto [offsets, sizes, strides] = getBounds(op);
  auto type = cast<RankedTensorType>(getGradientType(op.getSourceType()));
  Value part = tensor::ExtractSliceOp::create(builder, loc, type, g, offsets,
                                              sizes, strides);
  addCotangent(op.getSource(), part);
  Value zero = makeZeros(loc, type, part);
  addCotangent(op.getDest(),
               tensor::InsertSliceOp::create(builder, loc, zero, g, offsets,
                                             sizes, strides));
}

bool FunctionGradient::addSliced(tensor::ExtractSliceOp op, Value g) {
  auto isStatic = [](ArrayRef<int64_t> numbers) {
    return !ShapedType::isDynamicShape(numbers);
  };
  if (op.getSourceType().hasStaticShape() && isStatic(op.getStaticOffsets()) &&
      isStatic(op.getStaticSizes()) && isStatic(op.getStaticStrides()))
    return false;
  Value source = op.getSource();
  auto type = cast<RankedTensorType>(getGradientType(source.getType()));
  Value zero = makeZeros(op.getLoc(), type, getPrimal(source));
  auto [offsets, sizes, strides] = getBounds(op);
  addCotangent(source,
               tensor::InsertSliceOp::create(builder, op.getLoc(), g, zero,
                                             offsets, sizes, strides));
  return true;
}

static OpFoldResult addSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  std::optional<int64_t> first = getConstantIntValue(a),
                         second = getConstantIntValue(b);
  if (first && second)
    return builder.getIndexAttr(*first + *second);
  return arith::AddIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

bool FunctionGradient::addConcatenated(tensor::ConcatOp op, Value g) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (llvm::all_of(op.getInputs().getTypes(), [](Type input) {
        return cast<RankedTensorType>(input).hasStaticShape();
      }))
    return false;
  int64_t dim = op.getDim();
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      steps(type.getRank(), builder.getIndexAttr(1));
  for (Value input : op.getInputs()) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, loc, getPrimal(input));
    Value part =
        tensor::ExtractSliceOp::create(builder, loc, g, offsets, sizes, steps);
    if (part.getType() != getGradientType(input.getType()))
      part = tensor::CastOp::create(builder, loc,
                                    getGradientType(input.getType()), part);
    addCotangent(input, part);
    offsets[dim] = addSizes(builder, loc, offsets[dim], sizes[dim]);
  }
  return true;
}

bool FunctionGradient::addPadded(tensor::PadOp op, Value g) {
  Value number = op.getConstantPaddingValue();
  if (!number || !matchPattern(number, m_Constant()))
    return false;
  Location loc = op.getLoc();
  Value source = op.getSource();
  SmallVector<OpFoldResult> steps(op.getSourceType().getRank(),
                                  builder.getIndexAttr(1));
  addCotangent(source,
               tensor::ExtractSliceOp::create(
                   builder, loc,
                   cast<RankedTensorType>(getGradientType(source.getType())), g,
                   getPrimalSizes(op.getMixedLowPad()),
                   tensor::getMixedSizes(builder, loc, getPrimal(source)),
                   steps));
  return true;
}

bool FunctionGradient::visitTensorOp(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value g = getCotangent(op->getResult(0));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    if (g)
      addElement(extract, g);
    return true;
  }
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!g || !type)
    return false;
  Location loc = op->getLoc();
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](tensor::ExtractSliceOp slice) { return addSliced(slice, g); })
      .Case([&](tensor::ConcatOp concat) { return addConcatenated(concat, g); })
      .Case([&](tensor::PadOp pad) { return addPadded(pad, g); })
      .Case([&](tensor::ExpandShapeOp reshape) {
        addCotangent(reshape.getSrc(),
                     tensor::CollapseShapeOp::create(
                         builder, loc, getGradientType(reshape.getSrcType()), g,
                         reshape.getReassociationIndices()));
        return true;
      })
      .Case([&](tensor::CollapseShapeOp reshape) {
        auto wanted =
            cast<RankedTensorType>(getGradientType(reshape.getSrcType()));
        addCotangent(reshape.getSrc(),
                     tensor::ExpandShapeOp::create(
                         builder, loc, wanted, g,
                         reshape.getReassociationIndices(),
                         tensor::getMixedSizes(builder, loc,
                                               getPrimal(reshape.getSrc()))));
        return true;
      })
      .Case([&](tensor::CastOp cast) {
        addCotangent(cast.getSource(), g);
        return true;
      })
      .Case([&](tensor::InsertOp insert) {
        addInserted(insert, g);
        return true;
      })
      .Case([&](tensor::InsertSliceOp insert) {
        addInsertedSlice(insert, g);
        return true;
      })
      .Default([](Operation *) { return false; });
}
