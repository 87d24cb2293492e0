//===- ScatterRule.cpp - Cotangents of a slice at an index ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters are what gradients of look-ups are made of: this is a rule of second
// derivatives first of all.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/ReverseSweep.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

LogicalResult ReverseSweep::visitScatter(Operation *op, Value g) {
  auto scatter = cast<tensor::ScatterOp>(op);
  Location loc = op->getLoc();
  auto fill = [&](RankedTensorType type, Attribute value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  };
  auto write = [&](Value source, Value dest) -> Value {
    return tensor::ScatterOp::create(builder, loc, dest.getType(), source, dest,
                                     primal(scatter.getIndices()),
                                     scatter.getScatterDims(), /*unique=*/true);
  };
  auto whole = cast<RankedTensorType>(g.getType());
  auto slice = cast<RankedTensorType>(getGradientType(scatter.getSourceType()));
  Attribute zero = builder.getZeroAttr(whole.getElementType());
  if (isActive(scatter.getDest()))
    add(scatter.getDest(), write(fill(slice, zero), g));
  if (!isActive(scatter.getSource()))
    return success();
  // A region has no slice of what differs from edge to edge: a sum with all
  // else 0.
  Type truth = builder.getI1Type();
  Value isWritten = write(fill(slice.clone(truth), builder.getBoolAttr(true)),
                          fill(whole.clone(truth), builder.getBoolAttr(false)));
  Value written =
      arith::SelectOp::create(builder, loc, isWritten, g, fill(whole, zero));
  add(scatter.getSource(),
      mp::ReduceOp::create(builder, loc, slice, mp::ReductionKind::sum, written,
                           scatter.getScatterDims()));
  return success();
}
