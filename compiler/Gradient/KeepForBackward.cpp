//===- KeepForBackward.cpp - What aggregations keep per node --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values stand beside the aggregation, of the same edge values and graph,
// so that they are one pass over the edges.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPNodeTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;
using mp::AggregateOp;
using mp::AggregatorKind;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static RankedTensorType getFeature(Value edges) {
  return cast<mp::EdgesType>(edges.getType()).getFeatureType();
}

/// A message that makes other values of given ones.
static mp::MessageOp makeMessage(
    OpBuilder &b, Location loc, Value graph, ValueRange edges,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  auto message = mp::MessageOp::create(b, loc, graph, ValueRange(),
                                       ValueRange(), edges, TypeRange());
  OpBuilder inner = OpBuilder::atBlockEnd(&message.getBody().front());
  SmallVector<Value> values =
      body(inner, message.getBody().front().getArguments());
  mp::YieldOp::create(inner, loc, values);
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(
        mp::EdgesType::get(cast<RankedTensorType>(value.getType())));
  // The results follow from what the region yields.
  auto typed = mp::MessageOp::create(b, loc, graph, ValueRange(), ValueRange(),
                                     edges, types);
  typed.getBody().takeBody(message.getBody());
  message.erase();
  return typed;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static bool isHalf(Value edges) {
  return getGradientType(edges.getType()) != edges.getType();
}

/// Aggregates in f32 what is of half precision: differences of results matter
/// that half precision does not show. Such results are rounded after.
static AggregateOp widenAggregate(OpBuilder &b, AggregateOp op) {
  Location loc = op.getLoc();
  if (llvm::none_of(op.getOperands().drop_front(), isHalf))
    return op;
  SmallVector<Value> operands(op->getOperands().drop_front());
  mp::MessageOp wide = makeMessage(b, loc, op.getGraph(), operands,
                                   [&](OpBuilder &b, ValueRange args) {
                                     SmallVector<Value> values;
                                     for (Value arg : args)
                                       values.push_back(widen(b, arg));
                                     return values;
                                   });
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.push_back(getGradientType(type));
  ValueRange values = wide.getResults();
  Value score = op.getScore() ? values[0] : Value();
  auto result = AggregateOp::create(b, loc, types, op.getGraph(), op.getKind(),
                                    score, values.drop_front(score ? 1 : 0));
  for (auto [before, after] :
       llvm::zip_equal(op.getResults(), result.getResults())) {
    if (before.getType() == after.getType()) {
      before.replaceAllUsesWith(after);
      continue;
    }
    auto rounded =
        mp::UpdateOp::create(b, loc, after, TypeRange(before.getType()));
    OpBuilder inner = OpBuilder::atBlockEnd(&rounded.getBody().front());
    Value half = arith::TruncFOp::create(inner, loc,
                                         mp::getNodeFeature(before.getType()),
                                         rounded.getBody().getArgument(0));
    mp::YieldOp::create(inner, loc, half);
    before.replaceAllUsesWith(rounded.getResult(0));
  }
  op.erase();
  return result;
}

/// Both parts of it: weights are computed again from it.
static void keepLogSumExp(OpBuilder &b, AggregateOp op) {
  op = widenAggregate(b, op);
  if (op.getLogSumExpLow())
    return;
  // Before what rounds the results.
  b.setInsertionPoint(op);
  SmallVector<Type> types(op.getResultTypes());
  types.resize(op.getValues().size() + 2,
               mp::getNodesType(getFeature(op.getScore())));
  auto softmax =
      AggregateOp::create(b, op.getLoc(), types, op.getGraph(), op.getKind(),
                          op.getScore(), op.getValues());
  for (auto [before, after] : llvm::zip(op.getResults(), softmax.getResults()))
    before.replaceAllUsesWith(after);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Deviations, extrema, products
//===----------------------------------------------------------------------===//

static void keepMeans(OpBuilder &b, AggregateOp op, KeptValues &kept) {
  op = widenAggregate(b, op);
  auto means =
      AggregateOp::create(b, op.getLoc(), op.getResultTypes(), op.getGraph(),
                          AggregatorKind::mean, Value(), op.getValues());
  for (auto [index, mean] : llvm::enumerate(means.getResults()))
    kept.means[{op, index}] = mean;
}

/// Of one value: the number of the edge that has it.
static Value keepWinner(OpBuilder &b, AggregateOp op, unsigned index) {
  if (op.getNumResults() > op.getValues().size())
    return op.getResults().back();
  Value edges = op.getValues()[index];
  RankedTensorType type = mp::getNodesType(getFeature(edges));
  auto winner = AggregateOp::create(
      b, op.getLoc(), TypeRange{type, type.clone(b.getI64Type())},
      op.getGraph(), op.getKind(), Value(), edges);
  return winner.getResult(1);
}

/// Of one value: the product of what is not 0, and how often it is 0.
static std::pair<Value, Value> keepProduct(OpBuilder &b, AggregateOp op,
                                           unsigned index) {
  Location loc = op.getLoc();
  mp::MessageOp parts = makeMessage(
      b, loc, op.getGraph(), op.getValues()[index],
      [&](OpBuilder &b, ValueRange args) {
        Term x(b, loc, args[0]);
        Term isZero = x == 0;
        return SmallVector<Value>{select(isZero, 1, x).getValue(),
                                  select(isZero, x.number(1), 0).getValue()};
      });
  auto aggregate = [&](AggregatorKind kind, Value edges) -> Value {
    return AggregateOp::create(b, loc,
                               TypeRange(mp::getNodesType(getFeature(edges))),
                               op.getGraph(), kind, Value(), edges)
        .getResult(0);
  };
  return {aggregate(AggregatorKind::prod, parts.getResult(0)),
          aggregate(AggregatorKind::sum, parts.getResult(1))};
}

KeptValues gradient::keepForBackward(func::FuncOp function) {
  KeptValues kept;
  SmallVector<AggregateOp> aggregates(
      function.getBody().front().getOps<AggregateOp>());
  for (AggregateOp op : aggregates) {
    OpBuilder b(op);
    b.setInsertionPointAfter(op);
    switch (op.getKind()) {
    case AggregatorKind::softmax:
      keepLogSumExp(b, op);
      break;
    case AggregatorKind::std:
      keepMeans(b, op, kept);
      break;
    case AggregatorKind::max:
    case AggregatorKind::min:
      // An only edge wins.
      if (hasOneEdgePerRow(op.getGraph()))
        break;
      for (unsigned index = 0; index < op.getValues().size(); ++index)
        kept.winners[{op, index}] = keepWinner(b, op, index);
      break;
    case AggregatorKind::prod:
      for (unsigned index = 0; index < op.getValues().size(); ++index)
        kept.products[{op, index}] = keepProduct(b, op, index);
      break;
    default:
      break;
    }
  }
  return kept;
}
