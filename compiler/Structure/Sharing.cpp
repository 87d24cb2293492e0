//===- Sharing.cpp - One aggregation, taken apart -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be taken apart, and aggregations that are the same for all
// destinations of a graph or of a clique.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/Sharing.h"
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/LinearAttention.h"
#include "compiler/Structure/ScoreTerms.h"
#include "compiler/Structure/SlidingSums.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;
using mp::Topology;

static Shared getShared(AggregateOp op) {
  auto type = cast<mp::MPGraphType>(op.getGraph().getType());
  switch (type.getTopology()) {
  case Topology::complete:
    return type.getNoSelf() ? Shared::blocks : Shared::everything;
  case Topology::bipartite:
    return Shared::everything;
  case Topology::causal:
    return Shared::blocks;
  case Topology::window:
    return canSlide(type) ? Shared::windows : Shared::nothing;
  case Topology::cliques:
    // Those of a caller have no offsets in the spec.
    return !type.getNoSelf() && op.getGraph().getDefiningOp<mp::CliquesOp>()
               ? Shared::cliques
               : Shared::nothing;
  default:
    return Shared::nothing;
  }
}

Sharing::Sharing(AggregateOp op, unsigned level)
    : op(op), level(level),
      type(cast<mp::MPGraphType>(op.getGraph().getType())), loc(op.getLoc()),
      builder(op) {
  shared = getShared(op);
}

bool Sharing::canShare(const SeparatedValue &value, RankedTensorType feature) {
  if (!value.source && !value.query)
    return false;
  if (isHalf(feature) && (!value.isSource() || !isWhole()))
    return false;
  switch (op.getKind()) {
  case AggregatorKind::sum:
  case AggregatorKind::mean:
    return value.getSummed() ||
           (shared == Shared::everything && canMapByProduct(value, feature)) ||
           (shared == Shared::blocks && canKeepStates(value, feature));
  case AggregatorKind::softmax:
    return isWhole() && !value.query;
  case AggregatorKind::std:
    return isWhole() && value.isSource();
  case AggregatorKind::max:
  case AggregatorKind::min:
    // Without self-loops a node may have no source.
    return value.isSource() && (shared != Shared::windows || !type.getNoSelf());
  default:
    return false;
  }
}

bool Sharing::findScore() {
  Value edges = op.getScore(), value = getMessageValue(edges, op.getGraph());
  if (!value)
    return false;
  auto message = edges.getDefiningOp<mp::MessageOp>();
  // A log-sum-exp has the terms, and what is widened has other types.
  if (!op.getLogSumExp() && !isHalf(value.getType()))
    if (std::optional<SplitScore> split = splitScore(message, value)) {
      value = split->rest;
      guard = split->guard;
      isLowest = split->isLowest;
    }
  auto separated = MessageSeparation(message).separate(value);
  if (!separated || !separated->isSource())
    return false;
  score = separated->source;
  return true;
}

bool Sharing::applyGuard(SeparatedValue &value, Value edges) {
  if (!guard)
    return true;
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (message != op.getScore().getDefiningOp())
    return false;
  OpBuilder inside(message.getYield());
  RankedTensorType type = cast<mp::EdgesType>(edges.getType()).getFeatureType();
  Value factor = guard;
  if (type != factor.getType())
    factor = mp::BroadcastOp::create(inside, loc, type, factor,
                                     /*trailing=*/false);
  if (value.factor)
    factor = arith::MulFOp::create(inside, loc, value.factor, factor);
  value.factor = factor;
  return true;
}

bool Sharing::findParts() {
  Value graph = op.getGraph();
  auto separate = [&](Value edges) -> std::optional<SeparatedValue> {
    Value value = getMessageValue(edges, graph);
    if (!value)
      return std::nullopt;
    return MessageSeparation(edges.getDefiningOp<mp::MessageOp>())
        .separate(value);
  };
  if (op.getScore() && !findScore())
    return false;
  SmallVector<unsigned> others;
  for (auto [index, edges] : llvm::enumerate(op.getValues())) {
    auto separated = separate(edges);
    auto feature = cast<mp::EdgesType>(edges.getType()).getFeatureType();
    if (separated && applyGuard(*separated, edges) &&
        canShare(*separated, feature))
      parts.push_back({edges.getDefiningOp<mp::MessageOp>(), *separated,
                       op->getResult(index)});
    else
      others.push_back(index);
  }
  // A softmax without values has its log-sum-exp.
  if (parts.empty() && !(op.getValues().empty() && isWhole()))
    return false;
  if (!others.empty())
    splitOff(builder, op, others);
  return true;
}

void Sharing::report(StringRef how) {
  int64_t elements = parts.empty() ? getFeature(score).getNumElements() : 0;
  for (const Part &part : parts)
    elements += getFeature(part.value.getSummed() ? part.value.getSummed()
                                                  : part.value.source)
                    .getNumElements();
  std::string text;
  llvm::raw_string_ostream(text)
      << mp::stringifyAggregatorKind(op.getKind()) << " over " << type << " is "
      << how << ": " << elements
      << " elements are gathered and added per node in place of per edge"
      << (guard ? "; terms of scores that are the destination's change no "
                  "weight"
                : "");
  remark::passed(
      loc,
      remark::RemarkOpts::name("mp-share-aggregations").category("structure"))
      << text;
}

//===----------------------------------------------------------------------===//
// The same for all
//===----------------------------------------------------------------------===//

SmallVector<Value> Sharing::aggregateOnce(ValueRange nodes, Value score) {
  Value graph = op.getGraph();
  Value numDst = mp::NumDstOp::create(builder, loc, graph);
  Value numSrc = mp::NumSrcOp::create(builder, loc, graph);
  // Without sources there is no sum, so that all destinations get 0.
  Value one = arith::MinSIOp::create(builder, loc, getIndex(1), numSrc);
  Value once = mp::BipartiteOp::create(builder, loc, one, numSrc);
  Value all = mp::BipartiteOp::create(builder, loc, numDst, one);
  auto sums = aggregateNodes(builder, loc, once, op.getKind(), score, nodes,
                             op.getExtraResults().size());
  // Of one row; a sum would make 0 of -0.
  auto copies = aggregateNodes(builder, loc, all, AggregatorKind::max,
                               /*score=*/{}, sums.getResults());
  return SmallVector<Value>(copies.getResults());
}

SmallVector<Value> Sharing::readOut(ValueRange nodes, AggregatorKind kind,
                                    Value score, Value offsets,
                                    unsigned numExtra) {
  if (nodes.size() == 1 && numExtra == 0)
    return {mp::ReadoutOp::create(
        builder, loc,
        mp::getNodesType(mp::getNodeFeature(nodes.front().getType())), offsets,
        kind, score, nodes.front())};
  // One pass for all.
  Value count = mp::NumSrcOp::create(builder, loc, op.getGraph());
  Value members = makeMembers(builder, loc, offsets, count);
  auto sums =
      aggregateNodes(builder, loc, members, kind, score, nodes, numExtra);
  return SmallVector<Value>(sums.getResults());
}

SmallVector<Value> Sharing::spread(ValueRange parts, Value offsets) {
  Value count = mp::NumDstOp::create(builder, loc, op.getGraph());
  if (parts.size() == 1)
    return {mp::SpreadOp::create(builder, loc, parts.front().getType(), offsets,
                                 parts.front(), count)};
  Value members = makeMembers(builder, loc, offsets, count);
  auto copies =
      aggregateNodes(builder, loc, mp::ReverseOp::create(builder, loc, members),
                     AggregatorKind::max, /*score=*/{}, parts);
  return SmallVector<Value>(copies.getResults());
}

void Sharing::shareEverything() {
  SmallVector<Value> nodes;
  for (Part &part : parts)
    if (Value summed = part.value.getSummed())
      nodes.push_back(
          computeAtNodes(builder, part.message, summed, mp::Endpoint::src));
  Value scores;
  if (score)
    scores =
        computeAtNodes(builder, op.getScore().getDefiningOp<mp::MessageOp>(),
                       score, mp::Endpoint::src);
  SmallVector<Value> sums;
  if (shared == Shared::cliques) {
    Value offsets = op.getGraph().getDefiningOp<mp::CliquesOp>().getOffsets();
    sums = spread(readOut(nodes, op.getKind(), scores, offsets,
                          op.getExtraResults().size()),
                  offsets);
  } else if (!nodes.empty() || scores) {
    sums = aggregateOnce(nodes, scores);
  }
  // Of two sets of nodes the sources may be none.
  Value count;
  if (type.getTopology() == Topology::bipartite && usesDestinations())
    count = countEdges(op.getGraph());
  unsigned next = 0;
  for (Part &part : parts) {
    Value sum, degree;
    if (part.value.getSummed()) {
      sum = sums[next++];
    } else {
      sum = mapByProduct(builder, part.message, part.value);
      degree = getDegree(part);
    }
    part.result.replaceAllUsesWith(
        applyDestination(part, sum, /*within=*/{}, degree, count));
  }
  for (Value extra : op.getExtraResults()) {
    Part part{{}, {}, extra};
    extra.replaceAllUsesWith(applyDestination(part, sums[next++], {}, {}, {}));
  }
  report(shared == Shared::cliques
             ? "one for each clique, and a copy for each node"
             : "one for all nodes, and a copy for each");
}

void Sharing::shareWindows() {
  SmallVector<Value> nodes;
  for (Part &part : parts)
    nodes.push_back(computeAtNodes(builder, part.message,
                                   part.value.getSummed(), mp::Endpoint::src));
  Value numNodes = mp::NumDstOp::create(builder, loc, op.getGraph());
  const AggregatorKind kind =
      op.getKind() == AggregatorKind::mean ? AggregatorKind::sum : op.getKind();
  SmallVector<Value> sums =
      sumWindows(builder, loc, type, kind, numNodes, nodes);
  // A node may be the only one.
  Value count;
  if (type.getNoSelf() && usesDestinations())
    count = countEdges(op.getGraph());
  for (auto [part, sum] : llvm::zip_equal(parts, sums))
    part.result.replaceAllUsesWith(
        applyDestination(part, sum, /*within=*/{}, getDegree(part), count));
  report("made of those of neighbouring nodes, which windows have in common");
}

bool Sharing::run() {
  SmallVector<mp::MessageOp> messages;
  for (Value edges : op->getOperands().drop_front())
    if (auto message = edges.getDefiningOp<mp::MessageOp>())
      if (!llvm::is_contained(messages, message))
        messages.push_back(message);
  const bool found = shared != Shared::nothing && findParts();
  if (found) {
    if (shared == Shared::blocks)
      shareBlocks();
    else if (shared == Shared::windows)
      shareWindows();
    else
      shareEverything();
    op.erase();
  }
  for (mp::MessageOp message : messages) {
    MessageSeparation(message).eraseUnused();
    if (isOpTriviallyDead(message))
      message.erase();
  }
  return found;
}
