//===- Monoids.cpp - Custom monoids as aggregations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A custom monoid each part of whose state is combined by itself is a few
// aggregations that have rules: lift becomes a message, finalise an update.
// Where parts mix, one aggregation of the lifted state is left between them,
// which ScanRule.cpp knows.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/Activity.h"
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPNodeTypes.h"
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
    nodes.push_back(AggregateOp::create(b, loc,
                                        TypeRange(mp::getNodesType(
                                            cast<RankedTensorType>(feature))),
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

/// Whether lift and finalise hand on what they get.
static bool isSeparated(AggregateOp op) {
  auto handsOn = [](Region &region) {
    Block &block = region.front();
    return llvm::equal(block.getTerminator()->getOperands(),
                       block.getArguments());
  };
  return handsOn(op.getLift()) && handsOn(op.getFinalise());
}

/// The ops of `from` at the builder, in the precision of gradients; what is
/// yielded.
static SmallVector<Value> cloneWide(OpBuilder &b, Block &from,
                                    ValueRange args) {
  DenseMap<Value, Value> values;
  for (auto [before, after] : llvm::zip_equal(from.getArguments(), args))
    values[before] = widen(b, after);
  auto lookUp = [&](Value value) {
    Value &wide = values[value];
    if (!wide) // from outside
      wide = isDifferentiable(value.getType()) ? widen(b, value) : value;
    return wide;
  };
  for (Operation &op : from.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      values[op.getResult(0)] = widen(b, b.clone(op)->getResult(0));
    else
      cloneWidened(b, &op, lookUp,
                   [&](Value before, Value after) { values[before] = after; });
  }
  return llvm::map_to_vector(from.getTerminator()->getOperands(), lookUp);
}

/// Fills `region` with the widened ops of `from`, or with none, so that it
/// hands on its arguments; `types` are theirs.
static void fillWide(Region &region, Block *from, TypeRange types,
                     Location loc) {
  Block &block = region.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  OpBuilder b = OpBuilder::atBlockEnd(&block);
  SmallVector<Value> yielded(block.getArguments());
  if (from)
    yielded = cloneWide(b, *from, block.getArguments());
  mp::YieldOp::create(b, loc, yielded);
}

/// Lift before the aggregation, finalise behind it.
static void separate(AggregateOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Block &finalise = op.getFinalise().front();
  SmallVector<Type> features, edges, nodes;
  for (Type type : finalise.getArgumentTypes()) {
    auto feature = cast<RankedTensorType>(getGradientType(type));
    features.push_back(feature);
    edges.push_back(mp::EdgesType::get(feature));
    nodes.push_back(mp::getNodesType(cast<RankedTensorType>(feature)));
  }
  auto message = mp::MessageOp::create(b, loc, op.getGraph(), ValueRange(),
                                       ValueRange(), op.getValues(), edges);
  Block &lifted = message.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&lifted);
  mp::YieldOp::create(
      inner, loc,
      cloneWide(inner, op.getLift().front(), lifted.getArguments()));

  auto total =
      AggregateOp::create(b, loc, nodes, op.getGraph(), AggregatorKind::custom,
                          Value(), message.getResults());
  SmallVector<Type> twice(features);
  llvm::append_range(twice, features);
  fillWide(total.getIdentity(), &op.getIdentity().front(), {}, loc);
  fillWide(total.getLift(), nullptr, features, loc);
  fillWide(total.getCombine(), &op.getCombine().front(), twice, loc);
  fillWide(total.getFinalise(), nullptr, features, loc);

  auto update =
      mp::UpdateOp::create(b, loc, total.getResults(), op.getResultTypes());
  Block &body = update.getBody().front();
  inner.setInsertionPointToEnd(&body);
  SmallVector<Value> results = cloneWide(inner, finalise, body.getArguments());
  for (auto [value, type] : llvm::zip_equal(results, op.getResultTypes()))
    if (RankedTensorType wanted = mp::getNodeFeature(type);
        value.getType() != wanted)
      value = arith::TruncFOp::create(inner, loc, wanted, value);
  mp::YieldOp::create(inner, loc, results);
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
    else if (!isSeparated(op) &&
             llvm::any_of(op.getResultTypes(), isDifferentiable))
      separate(op);
  }
}
