//===- OrderedRows.cpp - Rows of nodes that stand in another order --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of a graph in the order of mp.in_order have positions of nodes; node
// features lie as nodes are numbered. Rows are read and written one by one
// where the two differ, which is known when the graph is.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/CarriedTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;

void BlockFunction::findOrder() {
  if (!shape.inOrder)
    return;
  Value zero = arith::ConstantIndexOp::create(builder, getLoc(), 0);
  Value count = memref::DimOp::create(builder, getLoc(),
                                      getArray(GraphArray::nodeOrder), zero);
  isInOrder = arith::CmpIOp::create(builder, getLoc(), arith::CmpIPredicate::ne,
                                    count, zero);
}

Value BlockFunction::getNode(Value position) {
  if (!isInOrder)
    return position;
  auto branch = scf::IfOp::create(builder, getLoc(), builder.getIndexType(),
                                  isInOrder, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, getLoc(),
                       load(GraphArray::nodeOrder, position));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, getLoc(), position);
  return branch.getResult(0);
}

Value BlockFunction::takeRows(Value tensor, Value from, Value count,
                              Value into) {
  Location loc = getLoc();
  auto takeTogether = [&]() -> SmallVector<Value> {
    RowSlice slice(builder, cast<ShapedType>(into.getType()),
                   builder.getIndexAttr(0), count);
    return {tensor::InsertSliceOp::create(
        builder, loc, sliceRows(builder, loc, tensor, from, count), into,
        slice.offsets, slice.sizes, slice.strides)};
  };
  if (!isInOrder)
    return takeTogether().front();
  auto takeOneByOne = [&] {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return emitCarryingLoop(
        builder, loc, zero, count, 1, into,
        [&](Value row, ValueRange carried) -> FailureOr<SmallVector<Value>> {
          Value position = arith::AddIOp::create(builder, loc, from, row);
          Value node = load(GraphArray::nodeOrder, position);
          return SmallVector<Value>{
              insertRow(builder, loc, extractRow(builder, loc, tensor, node),
                        carried.front(), row)};
        });
  };
  return emitCarryingBranch(builder, loc, isInOrder, into, takeOneByOne,
                            takeTogether)
      ->front();
}

void BlockFunction::placeRows(Value tensor, Value output, Value from,
                              Value count) {
  if (!isInOrder) {
    storeFirstRows(tensor, output, from, count);
    return;
  }
  Location loc = getLoc();
  auto branch =
      scf::IfOp::create(builder, loc, isInOrder, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  storeFirstRows(tensor, output, from, count);

  builder.setInsertionPointToStart(branch.thenBlock());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto rows = scf::ForOp::create(builder, loc, zero, count, one);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = rows.getInductionVar();
  Value node = load(GraphArray::nodeOrder,
                    arith::AddIOp::create(builder, loc, from, row));
  storeRow(extractRow(builder, loc, tensor, row), output, node);
}
