//===- OutlineUpdates.cpp - Updates behind their kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/OutlineUpdates.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace clique;
using mp::KernelOp;

KernelOp clique::outlineUpdates(KernelOp kernel) {
  // Sums over nodes go with them.
  auto isUpdate = [](Operation &op) {
    return isa<mp::UpdateOp, linalg::GenericOp, tensor::CollapseShapeOp>(op);
  };
  SmallVector<Operation *> updates;
  for (Operation &op : kernel.getBody().front())
    if (isUpdate(op))
      updates.push_back(&op);
  if (updates.empty())
    return kernel;
  // What the first kernel hands over, and what the second one yields.
  llvm::SetVector<Value> aggregated, updated;
  for (Value yielded : kernel.getYield().getValues())
    (llvm::is_contained(updates, yielded.getDefiningOp()) ? updated
                                                          : aggregated)
        .insert(yielded);
  for (Operation *update : updates)
    for (Value operand : update->getOperands())
      if (operand.getDefiningOp<mp::AggregateOp>() &&
          operand.getParentRegion() == &kernel.getBody())
        aggregated.insert(operand);

  // Of a sum there is one for each part of the nodes.
  DenseMap<Value, Type> wholeTypes;
  for (Value value : aggregated)
    wholeTypes[value] = value.getType();
  for (auto [value, type] :
       llvm::zip_equal(kernel.getYield().getValues(), kernel.getResultTypes()))
    wholeTypes[value] = type;
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto makeKernel = [&](StringRef name, mp::LoweringAttr lowering,
                        ArrayRef<Value> yielded) {
    SmallVector<Type> types;
    for (Value value : yielded)
      types.push_back(wholeTypes.lookup(value));
    return KernelOp::create(builder, loc, types, name, lowering, IntegerAttr(),
                            Attribute());
  };
  auto edges = makeKernel(kernel.getSym(), kernel.getLoweringAttr(),
                          aggregated.getArrayRef());
  auto nodes = makeKernel(
      (kernel.getSym() + "_update").str(),
      mp::LoweringAttr::get(builder.getContext(), mp::Lowering::nodes),
      updated.getArrayRef());

  DenseMap<Value, Value> outside;
  for (auto [value, result] : llvm::zip_equal(aggregated, edges->getResults()))
    outside[value] = result;
  for (auto [value, result] : llvm::zip_equal(updated, nodes->getResults()))
    outside[value] = result;
  for (auto [result, yielded] :
       llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues()))
    result.replaceAllUsesWith(outside.lookup(yielded));

  Block &body = nodes.getBody().emplaceBlock();
  for (Operation *update : updates) {
    update->moveBefore(&body, body.end());
    for (OpOperand &operand : update->getOpOperands())
      if (aggregated.contains(operand.get()))
        operand.set(outside.lookup(operand.get()));
  }
  builder.setInsertionPointToEnd(&body);
  mp::YieldOp::create(builder, loc, updated.getArrayRef());
  kernel.getYield().erase();
  edges.getBody().takeBody(kernel.getBody());
  builder.setInsertionPointToEnd(&edges.getBody().front());
  mp::YieldOp::create(builder, loc, aggregated.getArrayRef());
  kernel.erase();
  return edges;
}
