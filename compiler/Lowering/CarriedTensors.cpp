//===- CarriedTensors.cpp - Tensors that loops carry ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/CarriedTensors.h"
#include "dialect/IR/MPNodeTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// Ends a block with what it carries on; a block that carries nothing is ended.
static LogicalResult yield(OpBuilder &builder, Location loc,
                           const FailureOr<SmallVector<Value>> &next) {
  if (failed(next))
    return failure();
  if (!next->empty())
    scf::YieldOp::create(builder, loc, *next);
  return success();
}

FailureOr<SmallVector<Value>>
clique::emitCarryingLoop(OpBuilder &builder, Location loc, Value begin,
                         Value end, int64_t step, ValueRange initial,
                         CarryingBody body) {
  auto loop = scf::ForOp::create(
      builder, loc, begin, end,
      arith::ConstantIndexOp::create(builder, loc, step), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  if (failed(yield(builder, loc,
                   body(loop.getInductionVar(), loop.getRegionIterArgs()))))
    return failure();
  return SmallVector<Value>(loop.getResults());
}

FailureOr<SmallVector<Value>>
clique::emitCarryingBranch(OpBuilder &builder, Location loc, Value condition,
                           ValueRange states, CarryingBranch then,
                           CarryingBranch otherwise) {
  auto branch = scf::IfOp::create(builder, loc, TypeRange(states), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [target, emit] : {std::pair(branch.thenBlock(), then),
                              std::pair(branch.elseBlock(), otherwise)}) {
    builder.setInsertionPointToStart(target);
    if (failed(yield(builder, loc, emit())))
      return failure();
  }
  return SmallVector<Value>(branch.getResults());
}

Value clique::extractRow(OpBuilder &builder, Location loc, Value tensor,
                         Value row) {
  auto type = cast<RankedTensorType>(tensor.getType());
  RowSlice one(builder, type, row, builder.getIndexAttr(1));
  auto rowType = RankedTensorType::get(type.getShape().drop_front(),
                                       type.getElementType());
  return tensor::ExtractSliceOp::create(builder, loc, rowType, tensor,
                                        one.offsets, one.sizes, one.strides);
}

Value clique::insertRow(OpBuilder &builder, Location loc, Value value,
                        Value tensor, Value row) {
  RowSlice one(builder, cast<ShapedType>(tensor.getType()), row,
               builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, value, tensor, one.offsets,
                                       one.sizes, one.strides);
}

LogicalResult clique::storeStates(BlockFunction &function, ValueRange states,
                                  Value chunk) {
  if (failed(function.verifyScratch(states)))
    return failure();
  for (auto [state, scratch] : llvm::zip_equal(states, function.getScratch()))
    function.storeRow(state, scratch, chunk);
  return success();
}
