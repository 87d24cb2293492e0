//===- RowOfOp.cpp - Elementwise ops row by row ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/RowOfOp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace clique;

RowPlace::RowPlace(OpBuilder &builder, ShapedType type, Value number) {
  ArrayRef<int64_t> shape = type.getShape();
  offsets.assign(shape.size(), builder.getIndexAttr(0));
  strides.assign(shape.size(), builder.getIndexAttr(1));
  offsets.front() = number;
  sizes.push_back(builder.getIndexAttr(1));
  for (int64_t size : shape.drop_front())
    sizes.push_back(builder.getIndexAttr(size));
}

bool clique::canComputeByRow(linalg::GenericOp op, int64_t lanes) {
  if (op.getNumReductionLoops() > 0 || op.getNumResults() != 1 ||
      op.hasIndexSemantics())
    return false;
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  if (type.getRank() < 2 || !type.hasStaticShape() ||
      type.getShape().back() % lanes != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *use) {
    AffineMap map = op.getMatchingIndexingMap(use);
    return map.isProjectedPermutation() &&
           (!map.isFunctionOfDim(0) || map.getResult(0).isFunctionOfDim(0));
  });
}

/// A map of the dimensions of a row, given that of all rows.
static AffineMap getRowMap(AffineMap map) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims = {getAffineConstantExpr(0, context)};
  for (unsigned dim = 1; dim < map.getNumDims(); ++dim)
    dims.push_back(getAffineDimExpr(dim - 1, context));
  ArrayRef<AffineExpr> results = map.getResults();
  if (map.isFunctionOfDim(0))
    results = results.drop_front();
  return AffineMap::get(map.getNumDims(), 0, results, context)
      .replaceDimsAndSymbols(dims, {}, map.getNumDims() - 1, 0);
}

/// The part of an operand in a row.
static Value sliceRow(OpBuilder &builder, AffineMap map, Value operand,
                      Value number) {
  if (!map.isFunctionOfDim(0))
    return operand;
  auto type = cast<RankedTensorType>(operand.getType());
  auto row = RankedTensorType::get(type.getShape().drop_front(),
                                   type.getElementType());
  RowPlace place(builder, type, number);
  return tensor::ExtractSliceOp::create(builder, operand.getLoc(), row, operand,
                                        place.offsets, place.sizes,
                                        place.strides);
}

Value clique::computeRow(OpBuilder &builder, linalg::GenericOp op, Value number,
                         function_ref<Value(Value)> takeRow) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *use : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(use);
    Value row = takeRow ? takeRow(use->get()) : Value();
    inputs.push_back(row ? row : sliceRow(builder, map, use->get(), number));
    maps.push_back(getRowMap(map));
  }
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  maps.push_back(getRowMap(op.getMatchingIndexingMap(op.getDpsInitOperand(0))));
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(),
                                        type.getShape().drop_front(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank() - 1,
                                             utils::IteratorType::parallel);
  auto row = linalg::GenericOp::create(builder, op.getLoc(), empty.getType(),
                                       inputs, empty, maps, iterators);
  IRMapping body;
  op.getRegion().cloneInto(&row.getRegion(), body);
  return row.getResult(0);
}
