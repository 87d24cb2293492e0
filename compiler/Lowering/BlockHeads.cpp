//===- BlockHeads.cpp - What a block function takes of its head -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where heads are computed apart: the head's parts of inputs, weights and
// outputs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace clique;

Value BlockFunction::makeContiguous(Value tensor) {
  if (!tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  Value packed = tensor::EmptyOp::create(builder, getLoc(), type.getShape(),
                                         type.getElementType());
  return linalg::CopyOp::create(builder, getLoc(), tensor, packed)
      ->getResult(0);
}

Value BlockFunction::getHeadIndex(Value index, Value ofHead) {
  auto pair = index.getDefiningOp<affine::AffineDelinearizeIndexOp>();
  if (!pair)
    return ofHead;
  Value whole = getHeadIndex(pair.getLinearIndex(), ofHead);
  Value size = arith::ConstantIndexOp::create(builder, getLoc(),
                                              pair.getStaticBasis().back());
  if (index == pair.getResult(0))
    return arith::DivUIOp::create(builder, getLoc(), whole, size);
  return arith::RemUIOp::create(builder, getLoc(), whole, size);
}

void BlockFunction::setHead(tensor::ExtractSliceOp slice, Value ofHead,
                            SmallVector<OpFoldResult> &offsets,
                            SmallVector<OpFoldResult> &sizes) {
  // Of several unit dimensions the slice's type does not say which are dropped:
  // those that a head is an index of.
  offsets = slice.getMixedOffsets();
  for (auto [offset, size] : llvm::zip_equal(offsets, sizes)) {
    if (auto index = dyn_cast<Value>(offset)) {
      offset = getHeadIndex(index, ofHead);
      size = builder.getIndexAttr(1);
    }
  }
}

Value BlockFunction::takeHead(tensor::ExtractSliceOp slice, Value whole) {
  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, getLoc(), whole);
  setHead(slice, head, offsets, sizes);
  auto type =
      RankedTensorType::get(slice.getType().getShape(),
                            cast<ShapedType>(whole.getType()).getElementType());
  return tensor::ExtractSliceOp::create(builder, getLoc(), type, whole, offsets,
                                        sizes, slice.getMixedStrides());
}

Value BlockFunction::viewInput(Value input, Value ofHead) {
  Value tensor = getTensor(input);
  auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  if (part)
    tensor = part.getSource();
  Value buffer = tensor.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  if (!part)
    return buffer;
  auto slice = input.getDefiningOp<tensor::ExtractSliceOp>();
  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(builder, getLoc(), buffer);
  setHead(slice, ofHead, offsets, sizes);
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      slice.getType().getShape(), cast<MemRefType>(buffer.getType()), offsets,
      sizes, slice.getMixedStrides()));
  return memref::SubViewOp::create(builder, getLoc(), type, buffer, offsets,
                                   sizes, slice.getMixedStrides());
}

Value BlockFunction::getHeadOfOutput(Value output) {
  auto type = cast<MemRefType>(output.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)),
      sizes = memref::getMixedSizes(builder, getLoc(), output);
  offsets[1] = head;
  sizes[1] = builder.getIndexAttr(1);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + 1);
  auto part = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides));
  return memref::SubViewOp::create(builder, getLoc(), part, output, offsets,
                                   sizes, strides);
}
