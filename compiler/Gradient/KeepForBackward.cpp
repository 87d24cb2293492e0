//===- KeepForBackward.cpp - What aggregations keep per node --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values stand beside the aggregation, of the same edge values and graph,
// so that they are one pass over the edges.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/Term.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;
using mp::AggregateOp;
using mp::AggregatorKind;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static RankedTensorType getNodeType(RankedTensorType feature) {
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  llvm::append_range(shape, feature.getShape());
  return feature.clone(shape);
}

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

using Combine = llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;

/// A custom monoid whose state is its values, and whose result `finalised` of
/// them are.
static AggregateOp makeMonoid(OpBuilder &b, Location loc, Value graph,
                              ValueRange values, ArrayRef<TypedAttr> identity,
                              Combine combine, ArrayRef<unsigned> finalised) {
  SmallVector<Type> types;
  for (unsigned index : finalised)
    types.push_back(getNodeType(getFeature(values[index])));
  auto op = AggregateOp::create(b, loc, types, graph, AggregatorKind::custom,
                                Value(), values);
  SmallVector<Type> state;
  for (Value value : values)
    state.push_back(getFeature(value));
  auto fill = [&](Region &region, unsigned copies, Combine make) {
    Block &block = region.emplaceBlock();
    for (unsigned k = 0; k < copies; ++k)
      for (Type type : state)
        block.addArgument(type, loc);
    OpBuilder inner = OpBuilder::atBlockEnd(&block);
    mp::YieldOp::create(inner, loc, make(inner, block.getArguments()));
  };
  fill(op.getIdentity(), 0, [&](OpBuilder &b, ValueRange) {
    SmallVector<Value> constants;
    for (TypedAttr attr : identity)
      constants.push_back(arith::ConstantOp::create(b, loc, attr));
    return constants;
  });
  fill(op.getLift(), 1,
       [](OpBuilder &, ValueRange args) { return SmallVector<Value>(args); });
  fill(op.getCombine(), 2, combine);
  fill(op.getFinalise(), 1, [&](OpBuilder &, ValueRange args) {
    SmallVector<Value> kept;
    for (unsigned index : finalised)
      kept.push_back(args[index]);
    return kept;
  });
  return op;
}

static TypedAttr splat(RankedTensorType type, double value) {
  return DenseElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), value).getValue());
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static bool isHalf(Value edges) {
  return getGradientType(edges.getType()) != edges.getType();
}

/// Aggregates in f32 what is of half precision: differences of results matter
/// that half precision does not show. The results are rounded after.
static AggregateOp widenAggregate(OpBuilder &b, AggregateOp op) {
  Location loc = op.getLoc();
  if (!isHalf(op.getValues()[0]))
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

static void keepLogSumExp(OpBuilder &b, AggregateOp op) {
  op = widenAggregate(b, op);
  if (op.getNumResults() > op.getValues().size())
    return;
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(getNodeType(getFeature(op.getScore())));
  auto both = AggregateOp::create(b, op.getLoc(), types, op.getGraph(),
                                  op.getKind(), op.getScore(), op.getValues());
  op->replaceAllUsesWith(both.getResults().drop_back());
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

/// Of one value: (value, number of the edge), the first of equal ones.
static Value keepWinner(OpBuilder &b, AggregateOp op, Value edges) {
  Location loc = op.getLoc();
  RankedTensorType type = getFeature(edges);
  auto numbers = type.clone(b.getI64Type());
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  mp::MessageOp numbered = makeMessage(
      b, loc, op.getGraph(), edges, [&](OpBuilder &b, ValueRange args) {
        Value number =
            mp::PositionOp::create(b, loc, scalar, mp::Endpoint::edge);
        if (type.getRank())
          number = mp::BroadcastOp::create(b, loc, numbers, number, false);
        return SmallVector<Value>{args[0], number};
      });
  bool isMax = op.getKind() == AggregatorKind::max;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TypedAttr identity[] = {
      splat(type, isMax ? -infinity : infinity),
      DenseElementsAttr::get(numbers, std::numeric_limits<int64_t>::max())};
  AggregateOp winner = makeMonoid(
      b, loc, op.getGraph(), numbered.getResults(), identity,
      [&](OpBuilder &b, ValueRange args) {
        Value x = args[0], nx = args[1], y = args[2], ny = args[3];
        auto ordered =
            isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
        Value isBetter = arith::CmpFOp::create(b, loc, ordered, y, x);
        Value isEqual =
            arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, y, x);
        Value isEarlier =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, ny, nx);
        Value wins = arith::OrIOp::create(
            b, loc, isBetter,
            arith::AndIOp::create(b, loc, isEqual, isEarlier));
        return SmallVector<Value>{
            arith::SelectOp::create(b, loc, wins, y, x),
            arith::SelectOp::create(b, loc, wins, ny, nx)};
      },
      /*finalised=*/1);
  return winner.getResult(0);
}

static std::pair<Value, Value> keepProduct(OpBuilder &b, AggregateOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = getFeature(op.getValues()[0]);
  mp::MessageOp parts = makeMessage(
      b, loc, op.getGraph(), op.getValues()[0],
      [&](OpBuilder &b, ValueRange args) {
        Term x(b, loc, args[0]);
        Term isZero = x == 0;
        return SmallVector<Value>{select(isZero, 1, x).getValue(),
                                  select(isZero, x.number(1), 0).getValue()};
      });
  AggregateOp product = makeMonoid(
      b, loc, op.getGraph(), parts.getResult(0), splat(type, 1),
      [&](OpBuilder &b, ValueRange args) {
        return SmallVector<Value>{
            arith::MulFOp::create(b, loc, args[0], args[1])};
      },
      /*finalised=*/0);
  auto zeros =
      AggregateOp::create(b, loc, op.getResultTypes(), op.getGraph(),
                          AggregatorKind::sum, Value(), parts.getResult(1));
  return {product.getResult(0), zeros.getResult(0)};
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
      for (auto [index, value] : llvm::enumerate(op.getValues()))
        kept.winners[{op, index}] = keepWinner(b, op, value);
      break;
    case AggregatorKind::custom:
      if (isProduct(op))
        kept.products[{op, 0}] = keepProduct(b, op);
      break;
    case AggregatorKind::sum:
    case AggregatorKind::mean:
      break;
    }
  }
  return kept;
}
