//===- MasksToGraphs.cpp - Masks by positions as topologies ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-masks-to-graphs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Structure/PositionMask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// The smallest class with all pairs of the mask; nothing if it is that of all
/// pairs.
static std::optional<Restriction> restrict(const PositionMask &mask) {
  constexpr int64_t none = PositionMask::kUnbounded;
  if (mask.least > mask.most)
    return std::nullopt;
  if (mask.least != -none && mask.most != none) {
    const int64_t halfWidth =
        std::max(std::abs(mask.least), std::abs(mask.most));
    return Restriction{Topology::window, halfWidth, mask.noSelf,
                       mask.least == -halfWidth && mask.most == halfWidth};
  }
  if (mask.least == 0 || mask.least == 1)
    return Restriction{Topology::causal, 0, mask.least == 1, true};
  if (mask.least > 1)
    return Restriction{Topology::causal, 0, true, false};
  if (mask.noSelf && mask.least == -none && mask.most == none)
    return Restriction{Topology::complete, 0, true, true};
  return std::nullopt;
}

static Value makeGraph(OpBuilder &builder, Location loc, Value complete,
                       const Restriction &restriction) {
  Value count = mp::NumDstOp::create(builder, loc, complete);
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

namespace {
/// Puts one aggregation on the graph that its mask leaves.
class MaskedAggregation {
public:
  explicit MaskedAggregation(AggregateOp op) : op(op) {}

  void run();

private:
  /// The masked edge features: the score of a softmax, the values of a sum.
  SmallVector<Value> getMasked();
  bool matchMasks();
  void rewrite(const Restriction &restriction);

  AggregateOp op;
  /// What stands for each masked edge feature.
  DenseMap<Value, Value> unmasked;
  PositionMask mask;
};
} // namespace

SmallVector<Value> MaskedAggregation::getMasked() {
  if (op.getKind() == AggregatorKind::softmax)
    return {op.getScore()};
  if (op.getKind() == AggregatorKind::sum ||
      op.getKind() == AggregatorKind::logsumexp)
    return SmallVector<Value>(op.getValues());
  return {};
}

bool MaskedAggregation::matchMasks() {
  const double neutral = op.getKind() == AggregatorKind::sum
                             ? 0.0
                             : -std::numeric_limits<double>::infinity();
  for (Value edges : getMasked()) {
    Value value = getMessageValue(edges, op.getGraph());
    std::optional<MaskedValue> masked;
    if (value)
      masked = matchMask(value, neutral);
    if (!masked || (!unmasked.empty() && !(masked->mask == mask)))
      return false;
    mask = masked->mask;
    unmasked[edges] = masked->value;
  }
  return !unmasked.empty();
}

void MaskedAggregation::rewrite(const Restriction &restriction) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value graph = makeGraph(builder, loc, op.getGraph(), restriction);
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
      if (restriction.isExact)
        for (auto [masked, value] : unmasked)
          if (masked.getDefiningOp() == original)
            clone.getYield()->setOperand(
                cast<OpResult>(masked).getResultNumber(),
                mapping.lookupOrDefault(value));
    }
    operands.push_back(clone.getResult(number));
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << "mask over " << op.getGraph().getType() << " is the graph "
      << graph.getType()
      << (restriction.isExact ? "" : ", on which it is evaluated");
  report(loc, true, text);
  op->setOperands(operands);
  for (auto [original, clone] : clones) {
    (void)clone;
    if (isOpTriviallyDead(original))
      original->erase();
  }
}

void MaskedAggregation::run() {
  auto type = cast<mp::MPGraphType>(op.getGraph().getType());
  if (type.getTopology() != Topology::complete || !matchMasks())
    return;
  if (type.getNoSelf()) {
    PositionMask others;
    others.noSelf = true;
    mask = mask & others;
  }
  std::optional<Restriction> restriction = restrict(mask);
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
  rewrite(*restriction);
}

namespace {
struct MasksToGraphsPass
    : clique::impl::MasksToGraphsPassBase<MasksToGraphsPass> {
  void runOnOperation() override {
    SmallVector<AggregateOp> aggregations;
    getOperation()->walk([&](AggregateOp op) { aggregations.push_back(op); });
    for (AggregateOp op : aggregations)
      MaskedAggregation(op).run();
  }
};
} // namespace
