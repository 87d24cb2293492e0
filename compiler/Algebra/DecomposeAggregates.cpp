//===- DecomposeAggregates.cpp - Aggregators that are others --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-decompose-aggregates.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeLogSumExp.h"
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <limits>

namespace clique {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATESPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;

static RankedTensorType getFeature(Value edges) {
  return cast<mp::EdgesType>(edges.getType()).getFeatureType();
}

static TypedAttr splat(RankedTensorType type, double value) {
  return DenseElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), value).getValue());
}

using Body = llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;

/// Fills the regions of a custom aggregation whose state is its values.
static void fillMonoid(AggregateOp op, ArrayRef<TypedAttr> identity,
                       Body combine, Body finalise) {
  Location loc = op.getLoc();
  SmallVector<Type> state;
  for (Value value : op.getValues())
    state.push_back(getFeature(value));
  auto fill = [&](Region &region, unsigned copies, Body make) {
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
  fill(op.getFinalise(), 1, finalise);
}

namespace {
struct ProductAsMonoid : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AggregateOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != AggregatorKind::prod)
      return failure();
    Location loc = op.getLoc();
    const size_t count = op.getValues().size();
    auto monoid = AggregateOp::create(rewriter, loc, op.getResultTypes(),
                                      op.getGraph(), AggregatorKind::custom,
                                      /*score=*/Value(), op.getValues());
    SmallVector<TypedAttr> ones;
    for (Value value : op.getValues())
      ones.push_back(splat(getFeature(value), 1.0));
    fillMonoid(
        monoid, ones,
        [&](OpBuilder &b, ValueRange args) {
          SmallVector<Value> products;
          for (size_t k = 0; k < count; ++k)
            products.push_back(
                arith::MulFOp::create(b, loc, args[k], args[k + count]));
          return products;
        },
        [](OpBuilder &, ValueRange args) { return SmallVector<Value>(args); });
    rewriter.replaceOp(op, monoid);
    return success();
  }
};

/// What joins two pairs of a value and the number of its edge. NaN is more
/// than any value, as the extrema have it; of equal values the first edge wins.
struct Contest {
  Contest(OpBuilder &b, Location loc, bool isMax)
      : b(b), loc(loc), isMax(isMax) {}

  SmallVector<Value> join(Value x, Value xEdge, Value y, Value yEdge) {
    Value xIsNumber = compare(arith::CmpFPredicate::ORD, x, x);
    Value yIsNaN = compare(arith::CmpFPredicate::UNO, y, y);
    // Both are true where one of the two is NaN.
    Value isMore = compare(
        isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT, y, x);
    Value isAsMuch = compare(
        isMax ? arith::CmpFPredicate::UGE : arith::CmpFPredicate::ULE, y, x);
    Value isEarlier =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, yEdge, xEdge);
    Value isEqual = both(isAsMuch, either(xIsNumber, yIsNaN));
    Value wins = either(both(xIsNumber, isMore), both(isEqual, isEarlier));
    return {arith::SelectOp::create(b, loc, wins, y, x),
            arith::SelectOp::create(b, loc, wins, yEdge, xEdge)};
  }

private:
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }

  OpBuilder &b;
  Location loc;
  bool isMax;
};

struct WinnerAsMonoid : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AggregateOp op,
                                PatternRewriter &rewriter) const override {
    const bool isMax = op.getKind() == AggregatorKind::max;
    if ((!isMax && op.getKind() != AggregatorKind::min) ||
        op.getNumResults() == op.getValues().size())
      return failure();
    Location loc = op.getLoc();
    Value edges = op.getValues()[0];
    RankedTensorType type = getFeature(edges);
    auto numbers = type.clone(rewriter.getI64Type());
    AggregateOp alone = findAlone(op);
    if (alone && alone->isBeforeInBlock(op))
      rewriter.setInsertionPoint(alone);
    auto pairs = makePairs(rewriter, loc, op.getGraph(), edges, numbers);
    auto winner = AggregateOp::create(rewriter, loc, op.getResultTypes(),
                                      op.getGraph(), AggregatorKind::custom,
                                      /*score=*/Value(), pairs.getResults());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr int64_t none = std::numeric_limits<int64_t>::max();
    TypedAttr identity[] = {splat(type, isMax ? -infinity : infinity),
                            DenseElementsAttr::get(numbers, none)};
    fillMonoid(
        winner, identity,
        [&](OpBuilder &b, ValueRange args) {
          return Contest(b, loc, isMax)
              .join(args[0], args[1], args[2], args[3]);
        },
        [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          auto constant = [&](int64_t value) -> Value {
            return arith::ConstantOp::create(
                b, loc, DenseElementsAttr::get(numbers, value));
          };
          Value isNone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                               args[1], constant(none));
          Value zero = arith::ConstantOp::create(b, loc, splat(type, 0.0));
          return {
              arith::SelectOp::create(b, loc, isNone, zero, args[0]),
              arith::SelectOp::create(b, loc, isNone, constant(-1), args[1])};
        });
    rewriter.replaceOp(op, winner);
    // The walk may be about to visit it: it stays, without a use.
    if (alone)
      rewriter.replaceAllUsesWith(alone.getResult(0), winner.getResult(0));
    return success();
  }

private:
  /// The same extremum without its winner, which the monoid makes too.
  static AggregateOp findAlone(AggregateOp op) {
    for (Operation *user : op.getValues()[0].getUsers()) {
      auto other = dyn_cast<AggregateOp>(user);
      if (other && other.getKind() == op.getKind() &&
          other.getGraph() == op.getGraph() && other.getNumResults() == 1 &&
          other->getBlock() == op->getBlock())
        return other;
    }
    return {};
  }

  /// Each edge's value and its number.
  static mp::MessageOp makePairs(OpBuilder &builder, Location loc, Value graph,
                                 Value edges, RankedTensorType numbers) {
    auto message = mp::MessageOp::create(
        builder, loc, graph, /*dst=*/ValueRange(), /*src=*/ValueRange(), edges,
        TypeRange{edges.getType(), mp::EdgesType::get(numbers)});
    OpBuilder b = OpBuilder::atBlockEnd(&message.getBody().front());
    Value number = mp::PositionOp::create(
        b, loc, RankedTensorType::get({}, b.getI64Type()), mp::Endpoint::edge);
    if (numbers.getRank() > 0)
      number = mp::BroadcastOp::create(b, loc, numbers, number,
                                       /*trailing=*/false);
    mp::YieldOp::create(b, loc,
                        ValueRange{message.getBody().getArgument(0), number});
    return message;
  }
};

struct DecomposeAggregatesPass
    : clique::impl::DecomposeAggregatesPassBase<DecomposeAggregatesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ProductAsMonoid, WinnerAsMonoid>(&getContext());
    populateDecomposeLogSumExpPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
