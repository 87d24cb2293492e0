//===- Monoids.cpp - Custom monoids as aggregations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A custom monoid each part of whose state is combined by itself is a few
// aggregations that have rules: lift becomes a message, finalise an update.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/Term.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace clique;
using namespace clique::gradient;
using mp::AggregateOp;
using mp::AggregatorKind;

/// How one part of a state is combined; nothing if not by itself or otherwise.
static std::optional<AggregatorKind> getPartKind(AggregateOp op,
                                                 unsigned part) {
  Block &combine = op.getCombine().front();
  unsigned numParts = combine.getNumArguments() / 2;
  Operation *join = combine.getTerminator()->getOperand(part).getDefiningOp();
  DenseElementsAttr identity;
  if (!join || join->getNumOperands() != 2 ||
      !matchPattern(op.getIdentity().front().getTerminator()->getOperand(part),
                    m_Constant(&identity)) ||
      !identity.isSplat() || !isa<FloatType>(identity.getElementType()))
    return std::nullopt;
  Value a = combine.getArgument(part), b = combine.getArgument(part + numParts);
  if (!(join->getOperand(0) == a && join->getOperand(1) == b) &&
      !(join->getOperand(0) == b && join->getOperand(1) == a))
    return std::nullopt;
  double neutral = identity.getSplatValue<FloatAttr>().getValueAsDouble();
  if (isa<arith::AddFOp>(join) && neutral == 0)
    return AggregatorKind::sum;
  if (isa<arith::MulFOp>(join) && neutral == 1)
    return AggregatorKind::prod;
  if (isa<arith::MaximumFOp>(join) && neutral == -INFINITY)
    return AggregatorKind::max;
  if (isa<arith::MinimumFOp>(join) && neutral == INFINITY)
    return AggregatorKind::min;
  return std::nullopt;
}

static RankedTensorType getNodeType(Type feature) {
  auto type = cast<RankedTensorType>(feature);
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// -inf or inf, and not the 0 of built-in extrema, where a node has no
/// in-neighbours.
static Value restoreIdentity(OpBuilder &b, Location loc, AggregateOp op,
                             unsigned part, Value value, Value degree) {
  Value identity = op.getIdentity().front().getTerminator()->getOperand(part);
  Value constant = b.clone(*identity.getDefiningOp())->getResult(0);
  Term receives = Term(b, loc, degree) > 0;
  if (value.getType() != degree.getType()) {
    auto type = cast<RankedTensorType>(value.getType());
    receives = receives.with(mp::BroadcastOp::create(
        b, loc, type.clone(b.getI1Type()), receives.getValue(), false));
  }
  return arith::SelectOp::create(b, loc, receives.getValue(), value, constant);
}

static void decompose(AggregateOp op, ArrayRef<AggregatorKind> kinds) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Block &lift = op.getLift().front(), &finalise = op.getFinalise().front();
  SmallVector<Type> types;
  for (Value value : lift.getTerminator()->getOperands())
    types.push_back(
        mp::EdgesType::get(cast<RankedTensorType>(value.getType())));
  auto message = mp::MessageOp::create(b, loc, op.getGraph(), ValueRange(),
                                       ValueRange(), op.getValues(), types);
  message.getBody().takeBody(op.getLift());

  SmallVector<Value> nodes;
  bool needsDegree = false;
  for (auto [part, kind] : llvm::enumerate(kinds)) {
    Value edges = message.getResult(part);
    needsDegree |= kind == AggregatorKind::max || kind == AggregatorKind::min;
    Type feature = finalise.getArgument(part).getType();
    nodes.push_back(AggregateOp::create(b, loc, TypeRange(getNodeType(feature)),
                                        op.getGraph(), kind, Value(), edges)
                        .getResult(0));
  }
  if (needsDegree) {
    Type element = getElementTypeOrSelf(finalise.getArgument(0).getType());
    nodes.push_back(mp::DegreeOp::create(
        b, loc, RankedTensorType::get({ShapedType::kDynamic}, element),
        op.getGraph()));
  }
  auto update = mp::UpdateOp::create(b, loc, nodes, op.getResultTypes());
  Block &body = update.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  IRMapping mapping;
  for (auto [part, kind] : llvm::enumerate(kinds)) {
    Value value = body.getArgument(part);
    if (kind == AggregatorKind::max || kind == AggregatorKind::min)
      value = restoreIdentity(inner, loc, op, part, value,
                              body.getArguments().back());
    mapping.map(finalise.getArgument(part), value);
  }
  for (Operation &inside : finalise)
    inner.clone(inside, mapping);
  op->replaceAllUsesWith(update);
  op.erase();
}

void gradient::decomposeMonoids(func::FuncOp function) {
  SmallVector<AggregateOp> aggregates(
      function.getBody().front().getOps<AggregateOp>());
  for (AggregateOp op : aggregates) {
    if (op.getKind() != AggregatorKind::custom)
      continue;
    SmallVector<AggregatorKind> kinds;
    unsigned numParts = op.getFinalise().front().getNumArguments();
    while (kinds.size() < numParts) {
      std::optional<AggregatorKind> kind = getPartKind(op, kinds.size());
      if (!kind)
        break;
      kinds.push_back(*kind);
    }
    if (kinds.size() == numParts)
      decompose(op, kinds);
  }
}
