//===- AggregationParts.cpp - Aggregations put together from parts --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

RankedTensorType clique::getFeature(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool clique::isHalf(Type tensor) {
  Type element = getElementTypeOrSelf(tensor);
  return element.isF16() || element.isBF16();
}

RankedTensorType clique::widen(RankedTensorType type) {
  return isHalf(type) ? type.clone(Float32Type::get(type.getContext())) : type;
}

Value clique::getMessageValue(Value edges, Value graph) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (!message || message.getGraph() != graph)
    return {};
  return message.getYield().getOperand(cast<OpResult>(edges).getResultNumber());
}

Value clique::cloneWithOperands(OpBuilder &builder, Value value,
                                IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  // From outside the region.
  if (!op || !isa<mp::MessageOp>(op->getParentOp()))
    return value;
  for (Value operand : op->getOperands())
    cloneWithOperands(builder, operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

Value clique::makeUpdate(
    OpBuilder &builder, Location loc, ValueRange nodes,
    RankedTensorType feature,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto update = mp::UpdateOp::create(builder, loc, nodes,
                                     TypeRange(mp::getNodesType(feature)));
  OpBuilder::InsertionGuard guard(builder);
  Block &block = update.getBody().front();
  builder.setInsertionPointToEnd(&block);
  Value result = body(builder, block.getArguments());
  mp::YieldOp::create(builder, loc, result);
  return update.getResult(0);
}

Value clique::computeAtNodes(OpBuilder &builder, mp::MessageOp message,
                             Value value, mp::Endpoint end) {
  const bool isSource = end == mp::Endpoint::src;
  ValueRange nodes = isSource ? message.getSrc() : message.getDst();
  ArrayRef<BlockArgument> args =
      isSource ? message.getSrcArgs() : message.getDstArgs();
  RankedTensorType type = getFeature(value), wide = widen(type);
  if (type == wide)
    for (auto [node, arg] : llvm::zip_equal(nodes, args))
      if (arg == value)
        return node;
  return makeUpdate(builder, value.getLoc(), nodes, wide,
                    [&](OpBuilder &b, ValueRange features) -> Value {
                      IRMapping mapping;
                      mapping.map(args, features);
                      Value result = cloneWithOperands(b, value, mapping);
                      if (type == wide)
                        return result;
                      return arith::ExtFOp::create(b, value.getLoc(), wide,
                                                   result);
                    });
}

bool clique::rewriteAggregations(
    Operation *root, llvm::function_ref<bool(mp::AggregateOp)> rewrite) {
  SmallVector<mp::AggregateOp> aggregations;
  root->walk([&](mp::AggregateOp op) { aggregations.push_back(op); });
  bool changed = false;
  for (mp::AggregateOp op : aggregations)
    changed |= rewrite(op);
  return changed;
}

void clique::splitOff(OpBuilder &builder, mp::AggregateOp op,
                      ArrayRef<unsigned> indices) {
  SmallVector<Value> values;
  SmallVector<Type> types;
  for (unsigned index : indices) {
    values.push_back(op.getValues()[index]);
    types.push_back(op->getResult(index).getType());
  }
  auto rest =
      mp::AggregateOp::create(builder, op.getLoc(), types, op.getGraph(),
                              op.getKind(), op.getScore(), values);
  for (auto [number, index] : llvm::enumerate(indices))
    op->getResult(index).replaceAllUsesWith(rest.getResult(number));
}

mp::AggregateOp clique::aggregateNodes(OpBuilder &builder, Location loc,
                                       Value graph, mp::AggregatorKind kind,
                                       Value score, ValueRange nodes,
                                       unsigned numExtra) {
  SmallVector<Value> sources(nodes);
  SmallVector<Type> results;
  for (Value node : nodes)
    results.push_back(mp::getNodesType(mp::getNodeFeature(node.getType())));
  if (score)
    sources.push_back(score);
  results.append(
      numExtra, mp::getNodesType(mp::getNodeFeature(sources.back().getType())));
  SmallVector<Type> edges;
  for (Value source : sources)
    edges.push_back(mp::EdgesType::get(mp::getNodeFeature(source.getType())));
  auto message = mp::MessageOp::create(builder, loc, graph, /*dst=*/{}, sources,
                                       /*edge=*/{}, edges);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = message.getBody().front();
    builder.setInsertionPointToEnd(&block);
    mp::YieldOp::create(builder, loc, block.getArguments());
  }
  ValueRange values = message.getResults();
  return mp::AggregateOp::create(builder, loc, results, graph, kind,
                                 score ? values.back() : Value(),
                                 score ? values.drop_back() : values);
}
