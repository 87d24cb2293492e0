//===- MasksToGraphs.cpp - Masks of edges as topologies -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-masks-to-graphs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/EndpointMask.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Structure/SegmentCliques.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_MASKSTOGRAPHSPASS
#include "compiler/Structure/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;
using mp::Topology;

namespace {
/// Which graph has the edges that a mask leaves.
struct Restriction {
  Topology topology;
  int64_t halfWidth = 0;
  bool noSelf = false;
  /// Its edges are those of the mask, and no more.
  bool isExact = true;
};
} // namespace

/// The smallest class with all pairs of the mask within the graphs of a class;
/// nothing if it is that of all pairs.
static std::optional<Restriction> restrict(const EndpointMask &mask,
                                           mp::MPGraphType type) {
  constexpr int64_t none = EndpointMask::kUnbounded;
  if (mask.least > mask.most)
    return std::nullopt;
  const bool isOfComplete = type.getTopology() == Topology::complete;
  const bool isBand = mask.least != -none && mask.most != none;
  const bool isCausal = mask.least >= 0;
  // What says so of differences is exact.
  const bool isKnown =
      mask.most == none &&
      (mask.least == -none || mask.least == 0 || mask.least == 1);
  const bool noSelf = mask.noSelf || mask.least > 0;
  // A band is known when the layer is compiled; of a causal graph it would have
  // more pairs.
  if (isOfComplete && isBand) {
    const int64_t halfWidth =
        std::max(std::abs(mask.least), std::abs(mask.most));
    return Restriction{Topology::window, halfWidth, mask.noSelf,
                       mask.least == -halfWidth && mask.most == halfWidth &&
                           mask.segments.empty()};
  }
  if (!mask.segments.empty())
    return Restriction{isCausal ? Topology::causal_cliques : Topology::cliques,
                       0, noSelf, isKnown && mask.segments.size() == 1};
  if (isCausal && (isOfComplete || isKnown))
    return Restriction{Topology::causal, 0, noSelf, isKnown};
  if (mask.noSelf && isKnown)
    return Restriction{Topology::complete, 0, true, true};
  return std::nullopt;
}

static void report(Location loc, bool isDone, const Twine &text) {
  auto options =
      remark::RemarkOpts::name("mp-masks-to-graphs").category("structure");
  if (isDone)
    remark::passed(loc, options) << text.str();
  else
    remark::missed(loc, options) << text.str();
}

/// Edge values are those of the graph's edges, in its order.
static bool knowsEdges(mp::MessageOp message) {
  if (!message.getEdge().empty())
    return true;
  return llvm::any_of(
      message.getBody().getOps<mp::PositionOp>(),
      [](mp::PositionOp op) { return op.getEndpoint() == mp::Endpoint::edge; });
}

static Value makeGraph(OpBuilder &builder, Location loc, Value given,
                       const Restriction &restriction) {
  Value count = mp::NumDstOp::create(builder, loc, given);
  switch (restriction.topology) {
  case Topology::window:
    return mp::WindowOp::create(builder, loc, count, restriction.halfWidth,
                                restriction.noSelf);
  case Topology::causal:
    return mp::CausalOp::create(builder, loc, count, restriction.noSelf);
  default:
    return mp::CompleteOp::create(builder, loc, count, restriction.noSelf);
  }
}

namespace {
/// Segments by the numbers of their nodes, for all aggregations of a function.
using SegmentCache = DenseMap<Value, Segments>;

/// Puts one aggregation on the graph that its mask leaves.
class MaskedAggregation {
public:
  MaskedAggregation(AggregateOp op, SegmentCache &segments)
      : op(op), segments(segments) {}

  void run();

private:
  /// The masked edge features: the score of a softmax, the values of a sum.
  SmallVector<Value> getMasked();
  bool matchMasks();
  /// The edges of the graph itself are a mask.
  void addGraph(mp::MPGraphType type);
  void rewrite(const Restriction &restriction);
  /// The aggregation and its messages on a graph that has the edges that the
  /// mask leaves, and maybe others.
  AggregateOp cloneOn(OpBuilder &builder, Value graph, bool keepsMask);
  /// Two versions, of which the numbers of the nodes choose one when they
  /// arrive.
  void rewriteSegments(const Restriction &restriction);
  void replaceBy(ValueRange results);
  void reportDone(Type type, const Restriction &restriction, StringRef when);

  AggregateOp op;
  SegmentCache &segments;
  /// What stands for each masked edge feature.
  DenseMap<Value, Value> unmasked;
  EndpointMask mask;
};
} // namespace

SmallVector<Value> MaskedAggregation::getMasked() {
  if (op.getKind() == AggregatorKind::softmax)
    return {op.getScore()};
  if (op.getKind() == AggregatorKind::sum)
    return SmallVector<Value>(op.getValues());
  return {};
}

bool MaskedAggregation::matchMasks() {
  const double neutral = op.getKind() == AggregatorKind::sum
                             ? 0.0
                             : -std::numeric_limits<double>::infinity();
  bool isMasked = false;
  for (Value edges : getMasked()) {
    Value value = getMessageValue(edges, op.getGraph());
    std::optional<MaskedValue> masked;
    if (value)
      masked = matchMask(value, neutral);
    isMasked |= masked || (value && hasMask(value, neutral));
    if (!masked || (!unmasked.empty() && !(masked->mask == mask))) {
      if (isMasked)
        report(op.getLoc(), false,
               masked ? "masks stay: they differ from one value to another"
                      : "mask stays: it compares neither positions nor an "
                        "integer of each node, the same at both ends");
      return false;
    }
    mask = masked->mask;
    unmasked[edges] = masked->value;
  }
  return !unmasked.empty();
}

AggregateOp MaskedAggregation::cloneOn(OpBuilder &builder, Value graph,
                                       bool keepsMask) {
  DenseMap<Operation *, mp::MessageOp> clones;
  SmallVector<Value> operands = {graph};
  for (Value edges : op->getOperands().drop_front()) {
    auto original = edges.getDefiningOp<mp::MessageOp>();
    const unsigned number = cast<OpResult>(edges).getResultNumber();
    mp::MessageOp &clone = clones[original];
    if (!clone) {
      IRMapping mapping;
      clone = cast<mp::MessageOp>(builder.clone(*original, mapping));
      clone.getGraphMutable().assign(graph);
      for (auto [masked, value] : unmasked)
        if (!keepsMask && masked.getDefiningOp() == original)
          clone.getYield()->setOperand(cast<OpResult>(masked).getResultNumber(),
                                       mapping.lookupOrDefault(value));
    }
    operands.push_back(clone.getResult(number));
  }
  auto copy = cast<AggregateOp>(builder.clone(*op));
  copy->setOperands(operands);
  return copy;
}

void MaskedAggregation::replaceBy(ValueRange results) {
  SetVector<Operation *> messages;
  for (Value edges : op->getOperands().drop_front())
    messages.insert(edges.getDefiningOp());
  op->replaceAllUsesWith(results);
  op.erase();
  for (Operation *message : messages)
    if (isOpTriviallyDead(message))
      message->erase();
}

void MaskedAggregation::reportDone(Type type, const Restriction &restriction,
                                   StringRef when) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "mask over " << op.getGraph().getType() << " is the graph " << type
      << (restriction.isExact ? "" : ", on which it is evaluated") << when;
  report(op.getLoc(), true, text);
}

void MaskedAggregation::rewriteSegments(const Restriction &restriction) {
  Value numbers = mask.segments.front();
  Segments &found = segments[numbers];
  if (!found.areSorted) {
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfterValue(numbers);
    found = findSegments(builder, op.getLoc(), numbers);
  }
  OpBuilder builder(op);
  Type type;
  auto choice = scf::IfOp::create(
      builder, op.getLoc(), found.areSorted,
      [&](OpBuilder &b, Location loc) {
        Value graph = mp::CliquesOp::create(b, loc, found.offsets,
                                            restriction.topology ==
                                                Topology::causal_cliques,
                                            restriction.noSelf);
        type = graph.getType();
        AggregateOp parts = cloneOn(b, graph, !restriction.isExact);
        scf::YieldOp::create(b, loc, parts->getResults());
      },
      [&](OpBuilder &b, Location loc) {
        AggregateOp all = cloneOn(b, op.getGraph(), /*keepsMask=*/true);
        scf::YieldOp::create(b, loc, all->getResults());
      });
  reportDone(type, restriction, " if the numbers of the nodes never fall");
  replaceBy(choice.getResults());
}

void MaskedAggregation::rewrite(const Restriction &restriction) {
  if (restriction.topology == Topology::cliques ||
      restriction.topology == Topology::causal_cliques)
    return rewriteSegments(restriction);
  OpBuilder builder(op);
  Value graph = makeGraph(builder, op.getLoc(), op.getGraph(), restriction);
  AggregateOp copy = cloneOn(builder, graph, !restriction.isExact);
  reportDone(graph.getType(), restriction, "");
  replaceBy(copy->getResults());
}

void MaskedAggregation::addGraph(mp::MPGraphType type) {
  EndpointMask edges;
  edges.noSelf = type.getNoSelf();
  if (type.getTopology() == Topology::causal)
    edges.least = 0;
  mask = mask & edges;
}

void MaskedAggregation::run() {
  auto type = cast<mp::MPGraphType>(op.getGraph().getType());
  if ((type.getTopology() != Topology::complete &&
       type.getTopology() != Topology::causal) ||
      !matchMasks())
    return;
  addGraph(type);
  std::optional<Restriction> restriction = restrict(mask, type);
  if (!restriction)
    return report(op.getLoc(), false,
                  "mask stays: no class of graphs has its edges");
  // A mask that is evaluated says nothing of the edges that were not there.
  restriction->noSelf |= type.getNoSelf();
  for (Value edges : op->getOperands().drop_front()) {
    auto message = edges.getDefiningOp<mp::MessageOp>();
    if (!message || message.getGraph() != op.getGraph() || knowsEdges(message))
      return report(op.getLoc(), false,
                    "mask stays: a value is an edge's own, which another graph "
                    "has not");
  }
  if (!mask.segments.empty() && mp::getGpu(op))
    return report(op.getLoc(), false,
                  "mask stays: numbers of nodes are looked at on CPUs only");
  rewrite(*restriction);
}

namespace {
struct MasksToGraphsPass
    : clique::impl::MasksToGraphsPassBase<MasksToGraphsPass> {
  void runOnOperation() override {
    SmallVector<AggregateOp> aggregations;
    getOperation()->walk([&](AggregateOp op) { aggregations.push_back(op); });
    SegmentCache segments;
    for (AggregateOp op : aggregations)
      MaskedAggregation(op, segments).run();
  }
};
} // namespace
