//===- RowSums.cpp - Sums over the rows of whole tensors ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/RowSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// The op that adds a term to what is there; null if there is none.
static arith::AddFOp getAddition(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1)
    return {};
  Value total = op.getRegionOutputArgs().front();
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto sum = yield.getValues().front().getDefiningOp<arith::AddFOp>();
  bool adds =
      sum && total.hasOneUse() && llvm::is_contained(sum->getOperands(), total);
  return adds ? sum : arith::AddFOp();
}

bool clique::isSumOverRows(linalg::GenericOp op) {
  if (op.hasPureBufferSemantics() || !getAddition(op))
    return false;
  AffineExpr rows;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() == 0 || (rows && map.getResult(0) != rows))
      return false;
    rows = map.getResult(0);
  }
  auto dim = dyn_cast_if_present<AffineDimExpr>(rows);
  return dim &&
         op.getIteratorTypesArray()[dim.getPosition()] ==
             utils::IteratorType::reduction &&
         !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
              .isFunctionOfDim(dim.getPosition());
}

bool clique::hasZeroTerms(linalg::GenericOp sum) {
  Value total = sum.getRegionOutputArgs().front();
  arith::AddFOp addition = getAddition(sum);
  Value term =
      addition.getLhs() == total ? addition.getRhs() : addition.getLhs();
  auto isInput = [&](Value value) {
    return value != total && isa<BlockArgument>(value) &&
           value.getParentBlock() == sum.getBody();
  };
  if (auto product = term.getDefiningOp<arith::MulFOp>())
    return llvm::all_of(product->getOperands(), isInput);
  return isInput(term);
}

Value clique::getSummedRows(Value input) {
  auto flat = input.getDefiningOp<tensor::CollapseShapeOp>();
  if (!flat)
    return input;
  SmallVector<ReassociationIndices> groups = flat.getReassociationIndices();
  return !groups.empty() && groups.front().size() == 1 ? flat.getSrc()
                                                       : Value();
}
