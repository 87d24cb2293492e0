//===- AggregateRules.cpp - What aggregations hand back to their edges ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each from values per destination: the cotangent of its result and what
// KeepForBackward had the forward function keep.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/Term.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;
using mp::AggregatorKind;

namespace {
class AggregateRule {
public:
  AggregateRule(EdgeScope &scope, mp::AggregateOp op, unsigned operand)
      : scope(scope), gradient(scope.getGradient()), op(op), operand(operand),
        first(op.getScore() ? 2 : 1) {}

  Value get();

private:
  Value getSoftmaxScore();
  Term getWeight();
  Term getHasChoice();
  Value getStd();
  Value getExtremum();
  Value getProduct();

  Term term(Value value) {
    return Term(scope.getBuilder(), op.getLoc(), value);
  }
  /// The feature at this edge's destination of a tensor per node.
  Term atNode(Value nodes) {
    return term(scope.getNodeAt(nodes, op.getGraph()));
  }
  /// A tensor per node that is computed once for all edges' rules.
  Value once(llvm::function_ref<Value()> make) {
    Value &value = gradient.perNode[{op, operand}];
    if (!value)
      value = make();
    return value;
  }
  Value getDegrees(Value like) {
    return gradient.getDegrees(op.getGraph(),
                               getElementTypeOrSelf(like.getType()));
  }
  Value repeat(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return mp::BroadcastOp::create(scope.getBuilder(), op.getLoc(), type, value,
                                   /*trailing=*/false);
  }

  EdgeScope &scope;
  FunctionGradient &gradient;
  mp::AggregateOp op;
  unsigned operand, first;
  /// Of a value: its result, and that one's cotangent.
  Value result, g;
};
} // namespace

/// The sum over the last dimensions of a feature, all but `rank`.
static Term sumTrailing(Term x, int64_t rank) {
  auto type = cast<RankedTensorType>(x.getValue().getType());
  if (type.getRank() == rank)
    return x;
  auto dims = llvm::to_vector(llvm::seq<int64_t>(rank, type.getRank()));
  auto sum = type.clone(type.getShape().take_front(rank));
  return x.with(mp::ReduceOp::create(x.getBuilder(), x.getLoc(), sum,
                                     mp::ReductionKind::sum, x.getValue(),
                                     dims));
}

/// The products of two features, summed over the last dimensions.
static Term dotTrailing(Term x, Term y, int64_t rank) {
  auto type = cast<RankedTensorType>(x.getValue().getType());
  if (type.getRank() != rank + 1)
    return sumTrailing(x * y, rank);
  auto sum = type.clone(type.getShape().take_front(rank));
  return x.with(mp::DotOp::create(x.getBuilder(), x.getLoc(), sum, x.getValue(),
                                  y.getValue()));
}

/// exp((s - l) - e), the weight of this edge, of the log-sum-exp in two parts.
/// 1 for an only edge.
Term AggregateRule::getWeight() {
  Term high = atNode(gradient.getPrimal(op.getLogSumExp()));
  Term low = atNode(gradient.getPrimal(op.getLogSumExpLow()));
  return exp((term(scope.getPrimal(op.getScore())) - high) - low);
}

/// 1 for nodes with several in-neighbours, else 0: the weight of an only edge
/// is 1 whatever its score, and rounding must not say otherwise.
Term AggregateRule::getHasChoice() {
  Value &value = gradient.perNode[{op, 0}];
  if (!value)
    value = gradient.makeUpdate(
        op.getLoc(), getDegrees(op.getLogSumExp()),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Term degree(b, loc, args[0]);
          return select(degree > 1, degree.number(1), 0).getValue();
        });
  return atNode(value);
}

/// p (a (sum_k <g_k, v_k> - D) + l), D = sum_k <g_k, out_k>, l the cotangent of
/// the log-sum-exp, and a from getHasChoice.
Value AggregateRule::getSoftmaxScore() {
  int64_t rank = cast<mp::EdgesType>(op.getScore().getType()).getShape().size();
  SmallVector<Value> cotangents, nodes;
  for (Value result : op.getResults().take_front(op.getValues().size())) {
    cotangents.push_back(gradient.getCotangent(result));
    if (cotangents.back())
      nodes.append({cotangents.back(), gradient.getPrimal(result)});
  }
  // The low part is the other's rounding: its derivative is 0.
  Value ofSum = gradient.getCotangent(op.getLogSumExp());
  if (nodes.empty() && !ofSum)
    return Value();
  Term weight = getWeight();
  if (nodes.empty())
    return (weight * atNode(ofSum)).getValue();
  Value offset = once([&] {
    return gradient.makeUpdate(
        op.getLoc(), nodes,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          auto at = [&](Value value) { return Term(b, loc, value); };
          Term sum;
          for (size_t k = 0; k < args.size(); k += 2) {
            Term dot = dotTrailing(at(args[k]), at(args[k + 1]), rank);
            sum = sum ? sum + dot : dot;
          }
          return sum.getValue();
        });
  });
  Term all;
  for (auto [value, cotangent] : llvm::zip_equal(op.getValues(), cotangents)) {
    if (!cotangent)
      continue;
    Term dot =
        dotTrailing(atNode(cotangent), term(scope.getPrimal(value)), rank);
    all = all ? all + dot : dot;
  }
  Term difference = all - atNode(offset);
  difference = difference * spread(getHasChoice(), difference);
  if (ofSum)
    difference = difference + atNode(ofSum);
  return (weight * difference).getValue();
}

/// g (m - mean) / (n std); 0 where all values are equal.
Value AggregateRule::getStd() {
  unsigned index = operand - first;
  Value mean = gradient.getKeptValues().means.lookup({op, index});
  Value slope = once([&] {
    Value deviation = gradient.getPrimal(result);
    return gradient.makeUpdate(
        op.getLoc(), {g, deviation, getDegrees(g), gradient.getPrimal(mean)},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Term g(b, loc, args[0]), std(b, loc, args[1]), mean(b, loc, args[3]);
          Term degree = spread(g.with(args[2]), g);
          // The deviation of equal values is what rounding makes of them. No
          // division by 0, and nothing from a node without in-neighbours.
          const bool isDouble = getElementTypeOrSelf(args[0].getType()).isF64();
          const double rounding = 8 * (isDouble ? 0x1p-52 : 0x1p-23);
          Term isSpread = std > select(mean > 0, mean, -mean) * rounding;
          return select(isSpread,
                        g / (select(isSpread, std, 1) *
                             select(degree > 1, degree, 1)),
                        0)
              .getValue();
        });
  });
  Term value = term(scope.getPrimal(op.getValues()[index]));
  return (atNode(slope) * (value - atNode(gradient.getPrimal(mean))))
      .getValue();
}

/// g for the edge that won; for all where no row has two.
Value AggregateRule::getExtremum() {
  Value winner = gradient.getKeptValues().winners.lookup({op, operand - first});
  if (!winner)
    return atNode(g).getValue();
  Value number = scope.getNumber();
  Value wins = scope.getNodeAt(gradient.getPrimal(winner), op.getGraph());
  OpBuilder &b = scope.getBuilder();
  Value isWinner =
      arith::CmpIOp::create(b, op.getLoc(), arith::CmpIPredicate::eq, wins,
                            repeat(number, wins.getType()));
  return select(term(isWinner), atNode(g), 0).getValue();
}

/// g times the product of the others: of all but one zero.
Value AggregateRule::getProduct() {
  auto [nonzero, zeros] =
      gradient.getKeptValues().products.lookup({op, operand - first});
  Term x = term(scope.getPrimal(op.getValues()[operand - first]));
  Term count = atNode(gradient.getPrimal(zeros));
  Term others = atNode(gradient.getPrimal(nonzero));
  Term isZero = x == 0;
  // Own zero: the others are whole if it is the only one.
  Term ofZero = select(count == 1, others, 0);
  Term ofOther = select(count == 0, others / select(isZero, 1, x), 0);
  return (atNode(g) * select(isZero, ofZero, ofOther)).getValue();
}

Value AggregateRule::get() {
  if (llvm::none_of(op.getResults(), [&](Value result) {
        return gradient.getCotangent(result);
      }))
    return Value();
  if (op.getScore() && operand == 1)
    return getSoftmaxScore();
  result = op.getResult(operand - first);
  g = gradient.getCotangent(result);
  if (!g)
    return Value();
  switch (op.getKind()) {
  case AggregatorKind::sum:
    return atNode(g).getValue();
  case AggregatorKind::mean:
    return atNode(once([&] {
             return gradient.makeUpdate(
                 op.getLoc(), {g, getDegrees(g)},
                 [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                   Term g(b, loc, args[0]), degree(b, loc, args[1]);
                   Term count = select(degree > 1, degree, 1);
                   return (g / spread(count, g)).getValue();
                 });
           }))
        .getValue();
  case AggregatorKind::max:
  case AggregatorKind::min:
    return getExtremum();
  case AggregatorKind::std:
    return getStd();
  case AggregatorKind::softmax: {
    Term weight = getWeight(), feature = atNode(g);
    return (feature * spread(weight, feature)).getValue();
  }
  case AggregatorKind::prod:
    return getProduct();
  default: // a scan, or others since normalise()
    llvm_unreachable("unknown aggregator");
  }
}

Value gradient::getAggregateCotangent(EdgeScope &scope, mp::AggregateOp op,
                                      unsigned index) {
  return AggregateRule(scope, op, index).get();
}
