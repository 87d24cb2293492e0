//===- ScanRule.cpp - Recurrences over the edges of a node ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cotangents of s_k+1, y_k = f(s_k, x_k) over the edges k into a node are a
// recurrence too, from the last edge to the first: c_k = f_s(s_k, x_k)^T
// (c_k+1, g_k), and x_k gets f_x(s_k, x_k)^T (c_k+1, g_k), where g is the
// cotangent of y. A custom monoid whose parts mix is the recurrence of its
// combine.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "dialect/IR/MPNodeTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

namespace clique::gradient {
class ScanRule {
public:
  /// `step`: takes the state, then the edge's values; yields the next state,
  /// then `yielded`. `values`: of the original function, operands of `op` from
  /// `firstValue` on.
  ScanRule(FunctionGradient &gradient, Operation *op, bool reversed,
           Block &step, ValueRange values, unsigned firstValue)
      : gradient(gradient), builder(gradient.builder), op(op),
        loc(op->getLoc()), reversed(reversed), step(step), values(values),
        firstValue(firstValue),
        numStates(step.getNumArguments() - values.size()) {}

  /// The states with which the recurrence begins, in the precision of
  /// gradients.
  SmallVector<Value> from;
  /// The cotangents of the last states, null where nothing arrives.
  SmallVector<Value> ofLast;
  /// Edge features that the step yields behind the state.
  ValueRange yielded;

  /// Writes the scans; `ofFrom` gets the cotangents of `from`, or nothing if no
  /// cotangent arrives.
  LogicalResult run(SmallVectorImpl<Value> &ofFrom);

private:
  using Lookup = std::function<Value(Value)>;
  /// The edge's values, and the cotangents of what it yields.
  LogicalResult findEdges();
  void scanStates();
  LogicalResult scanCotangents(SmallVectorImpl<Value> &ofFrom);
  LogicalResult addWeights();
  /// Clones the step and sweeps it backwards; `known` has its arguments.
  FailureOr<std::unique_ptr<ReverseSweep>>
  sweepStep(OpBuilder &b, DenseMap<Value, Value> &known, ValueRange ofNext,
            ValueRange ofYielded);
  void cloneStep(OpBuilder &b, DenseMap<Value, Value> &known);
  Value lookUp(const DenseMap<Value, Value> &known, Value value) {
    auto it = known.find(value);
    return it == known.end() ? gradient.getWidePrimal(value) : it->second;
  }
  bool isActive(Value value) const {
    return value.getParentRegion() == step.getParent()
               ? isDifferentiable(value.getType())
               : gradient.isActive(value);
  }
  bool keepsZeros();
  Value zero(OpBuilder &b, Type type) {
    return arith::ConstantOp::create(b, loc,
                                     cast<TypedAttr>(b.getZeroAttr(type)));
  }
  RankedTensorType getStateType(unsigned k) {
    return cast<RankedTensorType>(
        getGradientType(step.getArgument(k).getType()));
  }

  FunctionGradient &gradient;
  OpBuilder &builder;
  Operation *op;
  Location loc;
  bool reversed;
  Block &step;
  ValueRange values;
  unsigned firstValue, numStates;

  Value graph; ///< of the backward function, as all that follows
  SmallVector<Value> edgeValues, before, ofYielded, ofNext;
  /// Numbers of the states that have cotangents, and of what is yielded.
  SmallVector<unsigned> floatStates, activeYielded;
};
} // namespace clique::gradient

/// Where infinite numbers are about, a cotangent of 0 stays 0; so it does in
/// gradients of such steps, which ask for NaN.
bool ScanRule::keepsZeros() {
  auto isSpecial = [](Value value) {
    DenseFPElementsAttr numbers;
    return matchPattern(value, m_Constant(&numbers)) &&
           llvm::any_of(numbers, [](const APFloat &number) {
             return !number.isFinite();
           });
  };
  auto isInfinite = [&](Block &block) {
    return llvm::any_of(block, [&](Operation &inner) {
      auto comparison = dyn_cast<arith::CmpFOp>(inner);
      return (comparison &&
              comparison.getPredicate() == arith::CmpFPredicate::UNO) ||
             llvm::any_of(inner.getOperands(), isSpecial);
    });
  };
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return isInfinite(region.front());
  });
}

LogicalResult ScanRule::findEdges() {
  EdgeScope scope(gradient, loc, op->getOperand(0), /*reversed=*/false);
  graph = scope.getGraph();
  SmallVector<Value> all;
  for (Value value : values)
    all.push_back(scope.getPrimal(value));
  for (auto [k, value] : llvm::enumerate(yielded)) {
    if (!gradient.isActive(value))
      continue;
    FailureOr<Value> cotangent = scope.getCotangent(value);
    if (failed(cotangent))
      return failure();
    if (!*cotangent)
      continue;
    activeYielded.push_back(k);
    all.push_back(*cotangent);
  }
  if (activeYielded.empty() &&
      llvm::none_of(ofLast, [](Value value) { return bool(value); }))
    return success();
  mp::MessageOp message = scope.finish(all);
  ValueRange results = message.getResults();
  llvm::append_range(edgeValues, results.take_front(values.size()));
  llvm::append_range(ofYielded, results.drop_front(values.size()));
  return success();
}

void ScanRule::cloneStep(OpBuilder &b, DenseMap<Value, Value> &known) {
  for (Operation &inner : step.without_terminator()) {
    if (isa<arith::ConstantOp>(inner))
      known[inner.getResult(0)] = widen(b, b.clone(inner)->getResult(0));
    else
      cloneWidened(
          b, &inner, [&](Value value) { return lookUp(known, value); },
          [&](Value from, Value to) { known[from] = to; });
  }
}

FailureOr<std::unique_ptr<ReverseSweep>>
ScanRule::sweepStep(OpBuilder &b, DenseMap<Value, Value> &known,
                    ValueRange ofNext, ValueRange ofYielded) {
  cloneStep(b, known);
  ReverseSweep::Environment environment = gradient.makeEnvironment(
      [&](Value value) { return lookUp(known, value); });
  environment.isActive = [this](Value value) { return isActive(value); };
  environment.keepsZeros = keepsZeros();
  auto sweep = std::make_unique<ReverseSweep>(b, step, std::move(environment));
  Operation *yield = step.getTerminator();
  for (auto [k, cotangent] : llvm::zip_equal(floatStates, ofNext))
    sweep->add(yield->getOperand(k), cotangent);
  for (auto [k, cotangent] : llvm::zip_equal(activeYielded, ofYielded))
    sweep->add(yield->getOperand(numStates + k), cotangent);
  if (failed(sweep->run()))
    return failure();
  return sweep;
}

/// The states before each edge.
void ScanRule::scanStates() {
  SmallVector<Type> types;
  for (unsigned k = 0; k < numStates; ++k)
    types.push_back(mp::getNodesType(getStateType(k)));
  for (unsigned k = 0; k < numStates; ++k)
    types.push_back(mp::EdgesType::get(getStateType(k)));
  auto scan = mp::ScanOp::create(builder, loc, graph, reversed, from,
                                 edgeValues, types);
  // What the step uses from outside stands before it.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(scan);
  Block &body = scan.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  DenseMap<Value, Value> known;
  for (auto [arg, own] :
       llvm::zip_equal(step.getArguments(), body.getArguments()))
    known[arg] = own;
  cloneStep(inner, known);
  SmallVector<Value> next;
  for (Value value : step.getTerminator()->getOperands().take_front(numStates))
    next.push_back(lookUp(known, value));
  llvm::append_range(next, scan.getFromArgs());
  mp::YieldOp::create(inner, loc, next);
  llvm::append_range(before, scan.getEdgeResults());
}

LogicalResult ScanRule::scanCotangents(SmallVectorImpl<Value> &ofFrom) {
  SmallVector<Value> last;
  SmallVector<Type> nodeTypes, edgeTypes;
  for (unsigned k : floatStates) {
    nodeTypes.push_back(mp::getNodesType(getStateType(k)));
    last.push_back(
        ofLast[k]
            ? ofLast[k]
            : gradient.makeZeros(loc, cast<RankedTensorType>(nodeTypes.back()),
                                 from[k]));
  }
  // Of each edge: the cotangents of its values, and of the state behind it.
  SmallVector<unsigned> active;
  for (auto [k, value] : llvm::enumerate(values))
    if (gradient.isActive(value)) {
      active.push_back(k);
      edgeTypes.push_back(mp::EdgesType::get(cast<RankedTensorType>(
          getGradientType(step.getArgument(numStates + k).getType()))));
    }
  for (unsigned k : floatStates)
    edgeTypes.push_back(mp::EdgesType::get(getStateType(k)));
  SmallVector<Value> edges(edgeValues);
  llvm::append_range(edges, before);
  llvm::append_range(edges, ofYielded);
  SmallVector<Type> types(nodeTypes);
  llvm::append_range(types, edgeTypes);
  auto scan =
      mp::ScanOp::create(builder, loc, graph, !reversed, last, edges, types);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(scan);
  OpBuilder inner = OpBuilder::atBlockEnd(&scan.getBody().front());
  DenseMap<Value, Value> known;
  ArrayRef<BlockArgument> args = scan.getEdgeArgs();
  for (auto [arg, own] :
       llvm::zip(step.getArguments().drop_front(numStates), args))
    known[arg] = own;
  for (auto [arg, own] : llvm::zip(step.getArguments().take_front(numStates),
                                   args.drop_front(values.size())))
    known[arg] = own;
  SmallVector<Value> next(scan.getFromArgs()), given;
  llvm::append_range(given, args.take_back(ofYielded.size()));
  FailureOr<std::unique_ptr<ReverseSweep>> sweep =
      sweepStep(inner, known, next, given);
  if (failed(sweep))
    return failure();
  auto get = [&](unsigned arg) {
    Value cotangent = (*sweep)->get(step.getArgument(arg));
    return cotangent
               ? cotangent
               : zero(inner, getGradientType(step.getArgument(arg).getType()));
  };
  SmallVector<Value> results;
  for (unsigned k : floatStates)
    results.push_back(get(k));
  for (unsigned k : active)
    results.push_back(get(numStates + k));
  llvm::append_range(results, scan.getFromArgs());
  mp::YieldOp::create(inner, loc, results);

  ofFrom.assign(numStates, Value());
  for (auto [k, cotangent] : llvm::zip_equal(floatStates, scan.getLast()))
    ofFrom[k] = cotangent;
  for (auto [k, cotangent] : llvm::zip(active, scan.getEdgeResults()))
    gradient.handedBack[{op, firstValue + k}] = cotangent;
  llvm::append_range(ofNext, scan.getEdgeResults().drop_front(active.size()));
  return success();
}

/// What the step uses from outside: an edge adds to its cotangent.
LogicalResult ScanRule::addWeights() {
  bool usesActive = false;
  for (Operation &inner : step)
    for (Value operand : inner.getOperands())
      usesActive |= operand.getParentRegion() != step.getParent() &&
                    gradient.isActive(operand);
  if (!usesActive)
    return success();
  EdgeScope scope(gradient, loc, op->getOperand(0), /*reversed=*/false);
  auto getEdges = [&](ArrayRef<Value> edges) {
    return llvm::map_to_vector(
        edges, [&](Value value) { return scope.getEdge(value); });
  };
  DenseMap<Value, Value> known;
  SmallVector<Value> args = getEdges(before);
  llvm::append_range(args, getEdges(edgeValues));
  for (auto [arg, own] : llvm::zip_equal(step.getArguments(), args))
    known[arg] = own;
  FailureOr<std::unique_ptr<ReverseSweep>> sweep = sweepStep(
      scope.getBuilder(), known, getEdges(ofNext), getEdges(ofYielded));
  if (failed(sweep))
    return failure();
  EdgeResults results;
  addEdgeTerms(scope, (*sweep)->getTerms(), /*isReversed=*/false, results);
  results.finish(scope);
  return success();
}

LogicalResult ScanRule::run(SmallVectorImpl<Value> &ofFrom) {
  for (unsigned k = 0; k < numStates; ++k)
    if (isDifferentiable(step.getArgument(k).getType()))
      floatStates.push_back(k);
  if (failed(findEdges()))
    return failure();
  if (edgeValues.empty()) // nothing arrives
    return success();
  scanStates();
  if (failed(scanCotangents(ofFrom)))
    return failure();
  return addWeights();
}

//===----------------------------------------------------------------------===//
// Of the function
//===----------------------------------------------------------------------===//

/// A row for each destination of what the identity yields.
static SmallVector<Value> makeIdentity(FunctionGradient &gradient,
                                       mp::AggregateOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = gradient.getBuilder();
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.push_back(getGradientType(type));
  Value degrees = gradient.getDegrees(op.getGraph(), builder.getF32Type());
  auto update = mp::UpdateOp::create(builder, loc, degrees, types);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(update);
  OpBuilder inner = OpBuilder::atBlockEnd(&update.getBody().front());
  DenseMap<Value, Value> known;
  auto lookUp = [&](Value value) {
    auto it = known.find(value);
    return it == known.end() ? gradient.getWidePrimal(value) : it->second;
  };
  Block &identity = op.getIdentity().front();
  for (Operation &op : identity.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      known[op.getResult(0)] = inner.clone(op)->getResult(0);
    else
      cloneWidened(inner, &op, lookUp,
                   [&](Value from, Value to) { known[from] = to; });
  }
  mp::YieldOp::create(
      inner, loc,
      llvm::map_to_vector(identity.getTerminator()->getOperands(), lookUp));
  return SmallVector<Value>(update.getResults());
}

/// Whether ops of the identity, or what it yields, depend on what is
/// differentiated.
static bool hasActiveIdentity(const FunctionGradient &gradient,
                              mp::AggregateOp op) {
  return llvm::any_of(op.getIdentity().front(), [&](Operation &inner) {
    return llvm::any_of(inner.getOperands(), [&](Value operand) {
      return gradient.isActive(operand);
    });
  });
}

/// Edges ask built-in aggregations for their rule.
LogicalResult FunctionGradient::visitAggregate(mp::AggregateOp op) {
  if (op.getKind() != mp::AggregatorKind::custom)
    return success();
  Block &combine = op.getCombine().front();
  ScanRule rule(*this, op, /*reversed=*/false, combine, op.getValues(),
                /*firstValue=*/1);
  for (Value result : op.getResults())
    rule.ofLast.push_back(getCotangent(result));
  if (llvm::none_of(rule.ofLast, [](Value value) { return bool(value); }))
    return success();
  if (hasActiveIdentity(*this, op))
    return op.emitOpError("has no derivative: its identity depends on what is "
                          "differentiated; make it of constants");
  rule.from = makeIdentity(*this, op);
  SmallVector<Value> ofFrom;
  return rule.run(ofFrom);
}

LogicalResult FunctionGradient::visitScan(mp::ScanOp op) {
  ScanRule rule(*this, op, op.getReversed(), op.getBody().front(), op.getEdge(),
                /*firstValue=*/1 + op.getFrom().size());
  for (Value state : op.getFrom()) {
    Value primal = getPrimal(state);
    if (getGradientType(primal.getType()) != primal.getType())
      primal = makeUpdate(
          op.getLoc(), primal,
          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
    rule.from.push_back(primal);
  }
  for (Value state : op.getLast())
    rule.ofLast.push_back(getCotangent(state));
  rule.yielded = op.getEdgeResults();
  SmallVector<Value> ofFrom;
  if (failed(rule.run(ofFrom)))
    return failure();
  for (auto [state, cotangent] : llvm::zip(op.getFrom(), ofFrom))
    if (cotangent)
      addCotangent(state, cotangent);
  return success();
}
