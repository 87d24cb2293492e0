//===- EdgeScope.cpp - The region of a backward message -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

/// The graph that `graph` is a view of, and whether its edges are turned round.
static std::pair<Value, bool> getRoot(Value graph) {
  bool turned = false;
  while (Operation *op = graph.getDefiningOp()) {
    if (!isa<mp::ReverseOp, mp::CastOp>(op))
      break;
    turned ^= isa<mp::ReverseOp>(op);
    graph = op->getOperand(0);
  }
  return {graph, turned};
}

EdgeScope::EdgeScope(FunctionGradient &gradient, Location loc, Value graph,
                     bool reversed)
    : gradient(gradient), loc(loc), graph(gradient.getGraph(graph, reversed)),
      block(std::make_unique<Block>()), builder(loc.getContext()) {
  builder.setInsertionPointToEnd(block.get());
  std::tie(root, turned) = getRoot(graph);
  turned ^= reversed;
}

EdgeScope::~EdgeScope() { block->dropAllReferences(); }

std::optional<bool> EdgeScope::isTurned(Value other) const {
  auto [otherRoot, otherTurned] = getRoot(other);
  if (otherRoot != root)
    return std::nullopt;
  return otherTurned != turned;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static RankedTensorType getFeatureType(Value input) {
  if (auto edges = dyn_cast<mp::EdgesType>(input.getType()))
    return edges.getFeatureType();
  return mp::getNodeFeature(input.getType());
}

Value EdgeScope::getNode(Value nodes, bool atDst) {
  unsigned role = atDst ? dst : src;
  Value &feature = features[{nodes, role}];
  if (!feature) {
    inputs.push_back({nodes, role});
    Value arg = block->addArgument(getFeatureType(nodes), loc);
    ends[arg] = role;
    feature = widen(builder, arg);
  }
  return feature;
}

Value EdgeScope::getNodeAt(Value nodes, Value graph) {
  return getNode(nodes, /*atDst=*/!*isTurned(graph));
}

Value EdgeScope::getEdge(Value edges) {
  Value &feature = features[{edges, edge}];
  if (!feature) {
    inputs.push_back({edges, edge});
    Value arg = block->addArgument(getFeatureType(edges), loc);
    ends[arg] = edge;
    feature = widen(builder, arg);
  }
  return feature;
}

Value EdgeScope::getNumber() {
  if (!number)
    number = mp::PositionOp::create(
        builder, loc, RankedTensorType::get({}, builder.getI64Type()),
        mp::Endpoint::edge);
  return number;
}

unsigned EdgeScope::getEnds(Value value) {
  if (value.getParentBlock() != block.get())
    return none;
  auto it = ends.find(value);
  if (it != ends.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  unsigned all = isa<mp::PositionOp>(op) ? edge : none;
  for (Value operand : op->getOperands())
    all |= getEnds(operand);
  ends[value] = all;
  return all;
}

//===----------------------------------------------------------------------===//
// Forward values
//===----------------------------------------------------------------------===//

Value EdgeScope::lookUp(Value value) {
  auto it = primals.find(value);
  if (it != primals.end())
    return it->second;
  return gradient.getWidePrimal(value);
}

void EdgeScope::recompute(mp::MessageOp message) {
  if (!recomputed.insert(message).second)
    return;
  bool messageTurned = *isTurned(message.getGraph());
  for (auto [arg, operand] :
       llvm::zip_equal(message.getDstArgs(), message.getDst()))
    primals[arg] = getNode(gradient.getPrimal(operand), !messageTurned);
  for (auto [arg, operand] :
       llvm::zip_equal(message.getSrcArgs(), message.getSrc()))
    primals[arg] = getNode(gradient.getPrimal(operand), messageTurned);
  for (auto [arg, operand] :
       llvm::zip_equal(message.getEdgeArgs(), message.getEdge()))
    primals[arg] = getPrimal(operand);
  for (Operation &op : message.getBody().front().without_terminator()) {
    cloneWidened(
        builder, &op, [&](Value value) { return lookUp(value); },
        [&](Value before, Value after) { primals[before] = after; });
    auto position = dyn_cast<mp::PositionOp>(op);
    if (!position || !messageTurned ||
        position.getEndpoint() == mp::Endpoint::edge)
      continue;
    bool ofDst = position.getEndpoint() == mp::Endpoint::dst;
    cast<mp::PositionOp>(primals[position].getDefiningOp())
        .setEndpoint(ofDst ? mp::Endpoint::src : mp::Endpoint::dst);
  }
}

Value EdgeScope::getPrimal(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (!message)
    return getEdge(gradient.getPrimal(edges));
  if (!isTurned(message.getGraph()))
    return getEdge(gradient.storeEdges(edges));
  recompute(message);
  unsigned index = cast<OpResult>(edges).getResultNumber();
  return lookUp(message.getYield().getOperand(index));
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

FailureOr<ReverseSweep *> EdgeScope::getAdjoint(mp::MessageOp message) {
  auto it = adjoints.find(message);
  if (it != adjoints.end())
    return it->second.get();
  // Cotangents first: they may be of no edge.
  SmallVector<Value> cotangents;
  for (Value result : message.getResults()) {
    Value cotangent;
    if (gradient.isActive(result)) {
      FailureOr<Value> found = getCotangent(result);
      if (failed(found))
        return failure();
      cotangent = *found;
    }
    cotangents.push_back(cotangent);
  }
  if (llvm::none_of(cotangents, [](Value value) { return bool(value); })) {
    adjoints[message] = nullptr;
    return static_cast<ReverseSweep *>(nullptr);
  }
  recompute(message);
  auto sweep = std::make_unique<ReverseSweep>(
      builder, message.getBody().front(),
      gradient.makeEnvironment([this](Value value) { return lookUp(value); }));
  for (auto [value, cotangent] :
       llvm::zip_equal(message.getYield().getOperands(), cotangents))
    if (cotangent)
      sweep->add(value, cotangent);
  if (failed(sweep->run()))
    return failure();
  ReverseSweep *result = sweep.get();
  adjoints[message] = std::move(sweep);
  return result;
}

FailureOr<Value> EdgeScope::getFromMessage(mp::MessageOp user,
                                           unsigned operand) {
  FailureOr<ReverseSweep *> sweep = getAdjoint(user);
  if (failed(sweep))
    return failure();
  // The graph is operand 0.
  return *sweep ? (*sweep)->get(user.getBody().getArgument(operand - 1))
                : Value();
}

FailureOr<Value> EdgeScope::getContribution(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned index = use.getOperandNumber();
  auto aggregation = dyn_cast<mp::AggregateOp>(user);
  const bool isRecurrence =
      isa<mp::ScanOp>(user) ||
      (aggregation && aggregation.getKind() == mp::AggregatorKind::custom);
  if (isRecurrence) {
    // Stored in between: an edge has it from those around it.
    Value edges = gradient.getHandedBack(user, index);
    return edges ? getEdge(edges) : Value();
  }
  Value userGraph = aggregation ? aggregation.getGraph()
                                : cast<mp::MessageOp>(user).getGraph();
  auto getHere = [&](EdgeScope &scope) -> FailureOr<Value> {
    if (aggregation)
      return getAggregateCotangent(scope, aggregation, index);
    return scope.getFromMessage(cast<mp::MessageOp>(user), index);
  };
  if (isTurned(userGraph))
    return getHere(*this);
  // Of another graph whose edges have the same numbers: stored in between.
  EdgeScope other(gradient, user->getLoc(), userGraph, /*reversed=*/false);
  FailureOr<Value> cotangent = getHere(other);
  if (failed(cotangent) || !*cotangent)
    return cotangent;
  return getEdge(other.finish(*cotangent).getResult(0));
}

FailureOr<Value> EdgeScope::getCotangent(Value edges) {
  Value sum;
  auto add = [&](Value value) {
    if (value)
      sum = sum ? arith::AddFOp::create(builder, loc, sum, value).getResult()
                : value;
  };
  // As a result of the function.
  for (Value given : gradient.getEdgeCotangents(edges))
    add(getEdge(given));
  for (OpOperand &use : edges.getUses()) {
    // What follows a list of edges has its cotangents above, and so have loops.
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp, mp::ToTensorOp>(user) ||
        user->getBlock() != edges.getParentBlock() ||
        llvm::none_of(user->getResults(),
                      [&](Value result) { return gradient.isActive(result); }))
      continue;
    FailureOr<Value> contribution = getContribution(use);
    if (failed(contribution))
      return failure();
    add(*contribution);
  }
  return sum;
}
