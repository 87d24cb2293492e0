//===- SegmentCliques.cpp - Segments as ranges of nodes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/SegmentCliques.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using Predicate = arith::CmpIPredicate;

Segments clique::findSegments(OpBuilder &builder, Location loc, Value numbers) {
  auto getIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = getIndex(0), one = getIndex(1);
  Value count = tensor::DimOp::create(builder, loc, numbers, zero);
  Value length = arith::AddIOp::create(builder, loc, count, one);
  auto type = RankedTensorType::get(ShapedType::kDynamic, builder.getI64Type());
  Value offsets = tensor::EmptyOp::create(builder, loc, type, length);
  auto put = [&](OpBuilder &b, Location loc, Value number, Value into,
                 Value place) -> Value {
    Value offset = arith::IndexCastOp::create(b, loc, b.getI64Type(), number);
    return tensor::InsertOp::create(b, loc, offset, into, place);
  };
  // In this order: of no nodes both are the same place.
  offsets = put(builder, loc, zero, offsets, zero);
  offsets = put(builder, loc, count, offsets, count);
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto loop = scf::ForOp::create(
      builder, loc, one, count, one, ValueRange{yes, zero, offsets},
      [&](OpBuilder &b, Location loc, Value node, ValueRange carried) {
        Value before = arith::SubIOp::create(b, loc, node, one);
        Value last = tensor::ExtractOp::create(b, loc, numbers, before);
        Value number = tensor::ExtractOp::create(b, loc, numbers, node);
        Value rises =
            arith::CmpIOp::create(b, loc, Predicate::sle, last, number);
        Value isSame =
            arith::CmpIOp::create(b, loc, Predicate::eq, last, number);
        Value sorted = arith::AndIOp::create(b, loc, carried[0], rises);
        Value first = arith::SelectOp::create(b, loc, isSame, carried[1], node);
        scf::YieldOp::create(
            b, loc,
            ValueRange{sorted, first, put(b, loc, first, carried[2], node)});
      });
  return {loop.getResult(0), loop.getResult(2)};
}
