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
  Value userGraph;
  if (auto aggregate = dyn_cast<mp::AggregateOp>(user))
    userGraph = aggregate.getGraph();
  else if (auto message = dyn_cast<mp::MessageOp>(user))
    userGraph = message.getGraph();
  else
    return user->emitOpError(
        "uses an edge value, and mp-differentiate knows no "
        "rule for it");
  auto getHere = [&](EdgeScope &scope) -> FailureOr<Value> {
    if (auto aggregate = dyn_cast<mp::AggregateOp>(user))
      return getAggregateCotangent(scope, aggregate, index);
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
    // What follows a list of edges has its cotangents above.
    if (isa<func::ReturnOp, mp::ToTensorOp>(use.getOwner()))
      continue;
    FailureOr<Value> contribution = getContribution(use);
    if (failed(contribution))
      return failure();
    add(*contribution);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Out of the region
//===----------------------------------------------------------------------===//

Value EdgeScope::toNodes(Value value) {
  // A weight may be an argument, of the function.
  if (auto arg = dyn_cast<BlockArgument>(value);
      arg && arg.getOwner() == block.get())
    return inputs[arg.getArgNumber()].operand;
  llvm::SetVector<Operation *> ops;
  SmallVector<BlockArgument> args;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next.getParentBlock() != block.get())
      continue;
    if (auto arg = dyn_cast<BlockArgument>(next)) {
      if (!llvm::is_contained(args, arg))
        args.push_back(arg);
    } else if (ops.insert(next.getDefiningOp())) {
      llvm::append_range(worklist, next.getDefiningOp()->getOperands());
    }
  }
  // A widened input is what another tensor of the function is.
  SmallVector<Value> operands;
  for (BlockArgument arg : args)
    operands.push_back(inputs[arg.getArgNumber()].operand);
  if (operands.empty()) {
    // The same for all nodes: any tensor of destinations says how many.
    for (const Input &input : inputs)
      if (input.role == dst && operands.empty())
        operands.push_back(input.operand);
    if (operands.empty())
      operands.push_back(
          gradient.getDegrees(root, getElementTypeOrSelf(value.getType())));
  }
  OpBuilder &out = gradient.getBuilder();
  auto feature = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = {
      cast<RankedTensorType>(operands[0].getType()).getDimSize(0)};
  llvm::append_range(shape, feature.getShape());
  auto update =
      mp::UpdateOp::create(out, loc, operands, TypeRange(feature.clone(shape)));
  OpBuilder body = OpBuilder::atBlockEnd(&update.getBody().front());
  IRMapping mapping;
  for (auto [arg, inner] : llvm::zip(args, update.getBody().getArguments()))
    mapping.map(arg, inner);
  for (Operation &op : *block)
    if (ops.contains(&op))
      body.clone(op, mapping);
  mp::YieldOp::create(body, loc, mapping.lookupOrDefault(value));
  return update.getResult(0);
}

mp::MessageOp EdgeScope::finish(ValueRange values) {
  SmallVector<Value> operands[3];
  for (const Input &input : inputs)
    operands[llvm::Log2_32(input.role)].push_back(input.operand);
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(
        mp::EdgesType::get(cast<RankedTensorType>(value.getType())));
  OpBuilder &out = gradient.getBuilder();
  auto message = mp::MessageOp::create(out, loc, graph, operands[0],
                                       operands[1], operands[2], types);
  unsigned next[3] = {0, unsigned(operands[0].size()),
                      unsigned(operands[0].size() + operands[1].size())};
  for (auto [input, arg] : llvm::zip_equal(inputs, block->getArguments()))
    arg.replaceAllUsesWith(
        message.getBody().getArgument(next[llvm::Log2_32(input.role)]++));
  SmallVector<Value> yielded;
  for (Value value : values) {
    auto arg = dyn_cast<BlockArgument>(value);
    yielded.push_back(value);
    if (!arg || arg.getOwner() != block.get())
      continue;
    // Yielded as it came.
    const Input &input = inputs[arg.getArgNumber()];
    unsigned position = 0;
    for (unsigned k = 0; k < arg.getArgNumber(); ++k)
      position += inputs[k].role == input.role;
    unsigned base = input.role == dst ? 0
                    : input.role == src
                        ? operands[0].size()
                        : operands[0].size() + operands[1].size();
    yielded.back() = message.getBody().getArgument(base + position);
  }
  Block &body = message.getBody().front();
  body.getOperations().splice(body.end(), block->getOperations());
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  mp::YieldOp::create(end, loc, yielded);
  return message;
}

SmallVector<Value> EdgeScope::aggregate(ValueRange values, ValueRange stored) {
  SmallVector<Value> all = llvm::to_vector(
      llvm::concat<Value>(llvm::to_vector(values), llvm::to_vector(stored)));
  mp::MessageOp message = finish(all);
  auto results = ValueRange(message.getResults());
  SmallVector<Value> made;
  SmallVector<Type> types;
  for (Value value : values) {
    auto feature = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {ShapedType::kDynamic};
    llvm::append_range(shape, feature.getShape());
    types.push_back(feature.clone(shape));
  }
  OpBuilder &out = gradient.getBuilder();
  if (!values.empty()) {
    auto sums = mp::AggregateOp::create(
        out, loc, types, message.getGraph(), mp::AggregatorKind::sum,
        /*score=*/Value(), results.take_front(values.size()));
    llvm::append_range(made, sums.getResults());
  }
  for (Value edges : results.drop_front(values.size()))
    made.push_back(mp::ToTensorOp::create(
        out, loc, mp::getEdgeTensorType(cast<mp::EdgesType>(edges.getType())),
        edges));
  return made;
}

void EdgeResults::finish(EdgeScope &scope) {
  if (summed.empty() && stored.empty())
    return;
  SmallVector<Value> made = scope.aggregate(summed, stored);
  for (Consumer &consume : consumers)
    consume(ArrayRef(made).take_front(summed.size()));
  for (Consumer &consume : storedConsumers)
    consume(ArrayRef(made).drop_front(summed.size()));
}
