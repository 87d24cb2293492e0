//===- MessageMerging.cpp - Several messages as one -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages are merged by cloning their bodies into one with the operands of
// all.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageMerging.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::MessageOp;
using mp::UpdateOp;

namespace {
/// The operands of a message that replaces others: each value once per role.
struct MergedOperands {
  SetVector<Value> dst, src, edge;

  void add(MessageOp message) {
    dst.insert_range(message.getDst());
    src.insert_range(message.getSrc());
    edge.insert_range(message.getEdge());
  }

  /// Maps the region arguments of `old` to those of `merged`, which has these
  /// operands. Edge operands that are not among them are left out.
  void map(MessageOp old, MessageOp merged, IRMapping &mapping) const {
    auto mapRole = [&](ArrayRef<BlockArgument> oldArgs, OperandRange operands,
                       const SetVector<Value> &set,
                       ArrayRef<BlockArgument> args) {
      for (auto [arg, operand] : llvm::zip_equal(oldArgs, operands))
        if (set.contains(operand))
          mapping.map(
              arg, args[std::distance(set.begin(), llvm::find(set, operand))]);
    };
    mapRole(old.getDstArgs(), old.getDst(), dst, merged.getDstArgs());
    mapRole(old.getSrcArgs(), old.getSrc(), src, merged.getSrcArgs());
    mapRole(old.getEdgeArgs(), old.getEdge(), edge, merged.getEdgeArgs());
  }
};
} // namespace

/// Clones the body without its terminator to the end of `into`.
static void cloneBody(MessageOp from, MessageOp into, IRMapping &mapping) {
  OpBuilder builder = OpBuilder::atBlockEnd(&into.getBody().front());
  for (Operation &op : from.getBody().front().without_terminator())
    builder.clone(op, mapping);
}

static void yield(MessageOp message, ArrayRef<Value> values) {
  OpBuilder builder = OpBuilder::atBlockEnd(&message.getBody().front());
  mp::YieldOp::create(builder, message.getLoc(), values);
}

/// The message of the same block and graph that makes an edge value.
static MessageOp getProducer(Value edges, Operation *user, Value graph) {
  auto producer = edges.getDefiningOp<MessageOp>();
  bool found = producer && producer->getBlock() == user->getBlock() &&
               producer.getGraph() == graph;
  return found ? producer : MessageOp();
}

void clique::inlineProducers(MessageOp consumer) {
  MergedOperands operands;
  SetVector<Operation *> producers;
  for (Value edges : consumer.getEdge()) {
    if (MessageOp producer =
            getProducer(edges, consumer, consumer.getGraph())) {
      producers.insert(producer);
      operands.add(producer);
    }
  }
  if (producers.empty())
    return;
  operands.dst.insert_range(consumer.getDst());
  operands.src.insert_range(consumer.getSrc());
  for (Value edges : consumer.getEdge())
    if (!producers.contains(edges.getDefiningOp()))
      operands.edge.insert(edges);

  IRRewriter rewriter(consumer);
  auto merged =
      MessageOp::create(rewriter, consumer.getLoc(), consumer.getGraph(),
                        operands.dst.getArrayRef(), operands.src.getArrayRef(),
                        operands.edge.getArrayRef(), consumer.getResultTypes());
  IRMapping mapping;
  for (Operation *op : producers) {
    auto producer = cast<MessageOp>(op);
    operands.map(producer, merged, mapping);
    cloneBody(producer, merged, mapping);
  }
  operands.map(consumer, merged, mapping);
  for (auto [arg, edges] :
       llvm::zip_equal(consumer.getEdgeArgs(), consumer.getEdge()))
    if (producers.contains(edges.getDefiningOp())) {
      auto result = cast<OpResult>(edges);
      auto producer = cast<MessageOp>(result.getOwner());
      Value value = producer.getYield().getOperand(result.getResultNumber());
      mapping.map(arg, mapping.lookupOrDefault(value));
    }
  cloneBody(consumer, merged, mapping);
  SmallVector<Value> values;
  for (Value value : consumer.getYield().getValues())
    values.push_back(mapping.lookupOrDefault(value));
  yield(merged, values);
  consumer->replaceAllUsesWith(merged);
  consumer.erase();
  // What several producers inlined before is there once for each.
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, merged);
}

MessageOp clique::mergeMessages(ArrayRef<MessageOp> messages) {
  MergedOperands operands;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (MessageOp message : messages) {
    operands.add(message);
    llvm::append_range(types, message->getResultTypes());
    locations.push_back(message->getLoc());
  }
  MessageOp first = messages.front();
  IRRewriter rewriter(first.getContext());
  rewriter.setInsertionPoint(first);
  auto merged = MessageOp::create(rewriter, rewriter.getFusedLoc(locations),
                                  first.getGraph(), operands.dst.getArrayRef(),
                                  operands.src.getArrayRef(),
                                  operands.edge.getArrayRef(), types);
  SmallVector<Value> values;
  for (MessageOp message : messages) {
    IRMapping mapping;
    operands.map(message, merged, mapping);
    cloneBody(message, merged, mapping);
    for (Value value : message.getYield().getValues())
      values.push_back(mapping.lookupOrDefault(value));
  }
  yield(merged, values);
  unsigned next = 0;
  for (MessageOp message : messages) {
    for (Value result : message->getResults())
      result.replaceAllUsesWith(merged->getResult(next++));
    message.erase();
  }
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, merged);
  return merged;
}

void clique::bringValuesThroughMessage(Operation *reader) {
  Value graph = reader->getOperand(0);
  SetVector<Value> outside;
  for (Value edges : reader->getOperands())
    if (isa<mp::EdgesType>(edges.getType()) &&
        !getProducer(edges, reader, graph))
      outside.insert(edges);
  if (outside.empty())
    return;
  OpBuilder builder(reader);
  SmallVector<Type> types;
  for (Value edges : outside)
    types.push_back(edges.getType());
  auto message =
      MessageOp::create(builder, reader->getLoc(), graph, /*dst=*/ValueRange(),
                        /*src=*/ValueRange(), outside.getArrayRef(), types);
  yield(message, llvm::to_vector_of<Value>(message.getEdgeArgs()));
  for (auto [edges, result] : llvm::zip_equal(outside, message->getResults()))
    reader->replaceUsesOfWith(edges, result);
}

/// Reassociation of the features of a reshape that leaves the nodes alone.
static std::optional<SmallVector<ReassociationIndices>>
getFeatureReassociation(ArrayRef<ReassociationIndices> indices) {
  if (indices.size() < 2 || indices[0].size() != 1)
    return std::nullopt;
  SmallVector<ReassociationIndices> features;
  for (const ReassociationIndices &group : indices.drop_front()) {
    ReassociationIndices &shifted = features.emplace_back();
    for (int64_t dim : group)
      shifted.push_back(dim - 1);
  }
  return features;
}

/// A node tensor made in this block by an aggregation or an update.
static bool isMadeByNodeOp(Value value, Operation *user) {
  Operation *producer = value.getDefiningOp();
  return isa_and_nonnull<AggregateOp, UpdateOp>(producer) &&
         producer->getBlock() == user->getBlock();
}

/// Replaces an operand that `reshape` makes by its source, reshaped inside.
template <typename ReshapeOp>
static void sinkReshape(UpdateOp update, OpOperand &operand,
                        ReshapeOp reshape) {
  Value source = reshape.getSrc();
  auto reassociation =
      getFeatureReassociation(reshape.getReassociationIndices());
  if (!reassociation || !isMadeByNodeOp(source, update))
    return;
  BlockArgument arg = update.getBody().getArgument(operand.getOperandNumber());
  auto feature = cast<RankedTensorType>(arg.getType());
  operand.set(source);
  arg.setType(mp::getNodeFeature(source.getType()));
  OpBuilder builder = OpBuilder::atBlockBegin(&update.getBody().front());
  auto inner = ReshapeOp::create(builder, reshape.getLoc(), feature, arg,
                                 *reassociation);
  arg.replaceAllUsesExcept(inner, inner);
  if (reshape->use_empty())
    reshape.erase();
}

void clique::sinkReshapes(UpdateOp update) {
  for (OpOperand &operand : update->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(producer))
      sinkReshape(update, operand, collapse);
    else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(producer))
      sinkReshape(update, operand, expand);
  }
}
