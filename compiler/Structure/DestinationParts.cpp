//===- DestinationParts.cpp - What a destination makes of shared sums -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The destination's part of a value, applied to what all destinations of a
// graph or of a clique have in common.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/Sharing.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace clique;
using mp::AggregatorKind;

/// sum / max(degree, 1).
static Value divideByDegree(OpBuilder &b, Location loc, Value sum,
                            Value degree) {
  RankedTensorType number = getFeature(degree), type = getFeature(sum);
  Value one = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(number,
                             b.getFloatAttr(number.getElementType(), 1.0)));
  Value count = arith::MaximumFOp::create(b, loc, degree, one);
  if (type.getRank() != 0)
    count = mp::BroadcastOp::create(b, loc, type, count, /*trailing=*/false);
  return arith::DivFOp::create(b, loc, sum, count);
}

Value Sharing::getDegree(Part part) {
  if (op.getKind() != AggregatorKind::mean)
    return {};
  Type element = getElementTypeOrSelf(part.result.getType());
  return mp::DegreeOp::create(
      builder, loc, RankedTensorType::get(ShapedType::kDynamic, element),
      op.getGraph());
}

/// `value` where there are edges; 0 where there are none, even if the
/// destination's own part is not finite.
static Value keepIfSome(OpBuilder &b, Location loc, Value value, Value count) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(
      b, loc, Sharing::hasSome(b, loc, count, getFeature(value)), value, zero);
}

/// 0 where `isLowest`, whose shape is a prefix of the value's; else `value`.
static Value takeOutLowest(OpBuilder &b, Location loc, Value isLowest,
                           Value value) {
  RankedTensorType type = getFeature(value);
  Type truth = type.clone(b.getI1Type());
  if (isLowest.getType() != truth)
    isLowest = mp::BroadcastOp::create(b, loc, truth, isLowest,
                                       /*trailing=*/false);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return arith::SelectOp::create(b, loc, isLowest, zero, value);
}

Value Sharing::applyDestination(Part part, Value sum, Value within,
                                Value degree, Value count) {
  RankedTensorType stored = mp::getNodeFeature(part.result.getType());
  const SeparatedValue &value = part.value;
  const bool isScaled = value.factor || value.divisor;
  const bool isProduct = value.query && value.getSummed();
  if (!value.usesDestination())
    count = {};
  RankedTensorType summed = mp::getNodeFeature(sum.getType());
  if (!isScaled && !isProduct && !within && !degree && !count &&
      summed == stored)
    return sum;

  SmallVector<Value> nodes = {sum};
  for (Value more : {within, count, degree})
    if (more)
      nodes.push_back(more);
  const unsigned numOwn = nodes.size();
  if (isScaled || isProduct)
    llvm::append_range(nodes, part.message.getDst());
  return makeUpdate(
      builder, loc, nodes, stored, [&](OpBuilder &b, ValueRange args) -> Value {
        IRMapping mapping;
        if (isScaled || isProduct)
          mapping.map(part.message.getDstArgs(), args.drop_front(numOwn));
        Value result = args[0];
        if (isProduct) {
          Value query = cloneWithOperands(b, value.query, mapping);
          SmallVector<int64_t> shape(summed.getShape().drop_back());
          result =
              mp::DotOp::create(b, loc, summed.clone(shape), query, result);
          if (getFeature(result) != stored)
            result = mp::BroadcastOp::create(b, loc, stored, result,
                                             /*trailing=*/false);
        }
        if (value.factor)
          result = arith::MulFOp::create(
              b, loc, cloneWithOperands(b, value.factor, mapping), result);
        if (value.divisor)
          result = arith::DivFOp::create(
              b, loc, result, cloneWithOperands(b, value.divisor, mapping));
        if (isLowest)
          result = takeOutLowest(
              b, loc, cloneWithOperands(b, isLowest, mapping), result);
        if (count)
          result = keepIfSome(b, loc, result, args[within ? 2 : 1]);
        if (within)
          result = arith::AddFOp::create(b, loc, args[1], result);
        if (degree)
          result = divideByDegree(b, loc, result, args[numOwn - 1]);
        if (getFeature(result) != stored)
          result = arith::TruncFOp::create(b, loc, stored, result);
        return result;
      });
}

bool Sharing::usesDestinations() const {
  return llvm::any_of(
      parts, [](const Part &part) { return part.value.usesDestination(); });
}

Value Sharing::countEdges(Value graph) {
  return mp::DegreeOp::create(
      builder, loc,
      RankedTensorType::get(ShapedType::kDynamic, builder.getF32Type()), graph);
}

Value Sharing::hasSome(OpBuilder &b, Location loc, Value count,
                       RankedTensorType type) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(getFeature(count)));
  Value some =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, count, zero);
  if (type.getRank() == 0)
    return some;
  return mp::BroadcastOp::create(b, loc, type.clone(b.getI1Type()), some,
                                 /*trailing=*/false);
}
