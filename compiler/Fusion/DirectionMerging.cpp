//===- DirectionMerging.cpp - One kernel for a graph and its reverse ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/DirectionMerging.h"
#include "compiler/Fusion/MessageCost.h"
#include "compiler/Fusion/MessageMerging.h"
#include "compiler/Fusion/OutlineUpdates.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace clique;
using mp::KernelOp;
using mp::MessageOp;

/// Whether two values are the same number or part of the same tensor.
static bool areSame(Value a, Value b) {
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y ||
      !isa<tensor::DimOp, tensor::ExtractSliceOp,
           affine::AffineDelinearizeIndexOp, arith::ConstantOp>(x) ||
      x->getName() != y->getName() ||
      x->getAttrDictionary() != y->getAttrDictionary() ||
      x->getPropertiesAsAttribute() != y->getPropertiesAsAttribute() ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return false;
  return x->getNumOperands() == y->getNumOperands() &&
         llvm::all_of(llvm::zip_equal(x->getOperands(), y->getOperands()),
                      [](auto pair) {
                        return areSame(std::get<0>(pair), std::get<1>(pair));
                      });
}

namespace {
/// Adds to a kernel what another one does on the reverse graph.
class DirectionMerger {
public:
  /// The new kernel goes before `place`.
  DirectionMerger(KernelOp base, KernelOp other, Operation *place)
      : base(base), other(other), builder(place) {}

  /// Whether the messages of both have a product in common.
  bool shareProducts();
  KernelOp run(int64_t leastParts);

private:
  /// Whether the graph is a batch of so many parts of about equal work: n nodes
  /// with d edges each are n / d cliques.
  Value askForParts(int64_t least);
  /// The body of the kernel that takes the place of both: at first that of
  /// `base`.
  void copyBase();
  /// Parts of inputs that belong to one head, where there are no equal ones.
  void copyParts();
  /// The other's message, with the ends of edges exchanged.
  MessageOp copyTurned(MessageOp message);
  /// Makes the message that computes the values of both; returns the number of
  /// its first result that is the other's.
  unsigned merge();
  void addSums(unsigned firstValue);

  KernelOp base, other, fused;
  OpBuilder builder;
  IRMapping ofBase, ofOther;
};
} // namespace

/// Products of a message: what is worth to be computed once.
static int64_t countProducts(MessageOp message) {
  int64_t count = 0;
  for (Operation &op : message.getBody().front())
    count += isa<mp::DotOp, mp::LinearOp>(op);
  return count;
}

void DirectionMerger::copyBase() {
  SmallVector<Type> types(base.getResultTypes());
  llvm::append_range(types, other.getResultTypes());
  fused = KernelOp::create(
      builder, builder.getFusedLoc({base.getLoc(), other.getLoc()}), types,
      base.getSym(), base.getLoweringAttr(), base.getHeadsAttr(), Attribute());
  base.getBody().cloneInto(&fused.getBody(), ofBase);
  if (Value head = other.getHead())
    ofOther.map(head, fused.getHead());
}

void DirectionMerger::copyParts() {
  MessageOp message = getOnlyMessage(fused);
  builder.setInsertionPoint(message);
  for (Operation &op : other.getBody().front()) {
    if (!isa<tensor::ExtractSliceOp, affine::AffineDelinearizeIndexOp>(op))
      continue;
    Operation *copy = builder.clone(op, ofOther);
    for (Operation &known : fused.getBody().front()) {
      if (&known == copy || known.getNumResults() != copy->getNumResults() ||
          known.getNumResults() == 0 ||
          !areSame(known.getResult(0), copy->getResult(0)))
        continue;
      ofOther.map(op.getResults(), known.getResults());
      copy->erase();
      break;
    }
  }
}

MessageOp DirectionMerger::copyTurned(MessageOp message) {
  auto map = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return ofOther.lookupOrDefault(value); });
  };
  auto turned = MessageOp::create(
      builder, message.getLoc(), fused.getGraph(), map(message.getSrc()),
      map(message.getDst()), map(message.getEdge()), message.getResultTypes());
  ofOther.map(message.getDstArgs(), turned.getSrcArgs());
  ofOther.map(message.getSrcArgs(), turned.getDstArgs());
  ofOther.map(message.getEdgeArgs(), turned.getEdgeArgs());
  OpBuilder inside = OpBuilder::atBlockEnd(&turned.getBody().front());
  for (Operation &op : message.getBody().front()) {
    Operation *copy = inside.clone(op, ofOther);
    auto position = dyn_cast<mp::PositionOp>(copy);
    if (position && position.getEndpoint() != mp::Endpoint::edge)
      position.setEndpoint(position.getEndpoint() == mp::Endpoint::dst
                               ? mp::Endpoint::src
                               : mp::Endpoint::dst);
  }
  return turned;
}

unsigned DirectionMerger::merge() {
  copyBase();
  copyParts();
  MessageOp own = getOnlyMessage(fused),
            turned = copyTurned(getOnlyMessage(other));
  unsigned firstValue = own.getNumResults();
  mergeMessages({own, turned});
  return firstValue;
}

void DirectionMerger::addSums(unsigned firstValue) {
  mp::YieldOp yield = fused.getYield();
  builder.setInsertionPoint(yield);
  MessageOp merged = getOnlyMessage(fused);
  DenseMap<Value, Value> sums;
  for (auto aggregate : other.getBody().getOps<mp::AggregateOp>()) {
    SmallVector<Value> values;
    for (Value value : aggregate.getValues())
      values.push_back(merged->getResult(
          firstValue + cast<OpResult>(value).getResultNumber()));
    auto sum = mp::SourceSumOp::create(builder, aggregate.getLoc(),
                                       aggregate.getResultTypes(),
                                       merged.getGraph(), values);
    for (auto [from, to] :
         llvm::zip_equal(aggregate.getResults(), sum.getResults()))
      sums[from] = to;
  }
  SmallVector<Value> yielded(yield.getValues());
  for (Value value : other.getYield().getValues())
    yielded.push_back(sums.lookup(value));
  yield.getValuesMutable().assign(yielded);
}

Value DirectionMerger::askForParts(int64_t least) {
  Location loc = fused.getLoc();
  Value graph = fused.getGraph();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto divide = [&](Value x, Value y) -> Value {
    y = arith::MaxUIOp::create(builder, loc, y, constant(1));
    return arith::DivUIOp::create(builder, loc, x, y);
  };
  Value nodes = mp::NumDstOp::create(builder, loc, graph);
  Value edges = mp::NumEdgesOp::create(builder, loc, graph);
  // Of causal ones half of the pairs are edges.
  if (cast<mp::MPGraphType>(graph.getType()).getTopology() ==
      mp::Topology::causal_cliques)
    edges = arith::MulIOp::create(builder, loc, edges, constant(2));
  Value parts = divide(nodes, divide(edges, nodes));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, parts,
                               constant(least));
}

bool DirectionMerger::shareProducts() {
  int64_t apart = countProducts(getOnlyMessage(base)) +
                  countProducts(getOnlyMessage(other));
  merge();
  bool share = countProducts(getOnlyMessage(fused)) < apart;
  fused.erase();
  return share;
}

KernelOp DirectionMerger::run(int64_t leastParts) {
  addSums(merge());
  ValueRange results = fused->getResults();
  scf::IfOp choice;
  if (leastParts > 0) {
    builder.setInsertionPoint(fused);
    choice = scf::IfOp::create(builder, fused.getLoc(), fused->getResultTypes(),
                               askForParts(leastParts),
                               /*withElseRegion=*/true);
    results = choice->getResults();
  }
  base->replaceAllUsesWith(results.take_front(base.getNumResults()));
  other->replaceAllUsesWith(results.take_back(other.getNumResults()));
  if (!choice) {
    base.erase();
    other.erase();
    return fused;
  }
  auto fill = [&](Block *branch, ArrayRef<KernelOp> kernels) {
    SmallVector<Value> values;
    for (KernelOp kernel : kernels) {
      kernel->moveBefore(branch, branch->end());
      llvm::append_range(values, kernel->getResults());
    }
    builder.setInsertionPointToEnd(branch);
    scf::YieldOp::create(builder, fused.getLoc(), values);
  };
  fill(choice.thenBlock(), fused);
  fill(choice.elseBlock(), {base, other});
  return fused;
}

/// One question for both: rows are those of two kernels, tiles those of one.
static void askForBoth(KernelSite base, KernelSite other, KernelOp fused) {
  if (!base.asked || !other.asked)
    return;
  mp::CostAttr a = base.asked.getCost(), b = other.asked.getCost();
  mp::CostAttr tiles = countKernel(fused).getCost(mp::getCpu(fused));
  const int64_t heads = fused.getHeads().value_or(1);
  base.asked.setCostAttr(mp::CostAttr::get(
      fused.getContext(), a.getEdge() + b.getEdge(),
      a.getFarEdge() + b.getFarEdge(),
      std::max(a.getSourceBytes(), b.getSourceBytes()), a.getRow() + b.getRow(),
      heads * tiles.getPair(), heads * tiles.getMaskedPair(),
      heads * tiles.getTileEdge(), tiles.getTileRows(),
      heads * tiles.getRegisterBlock(), heads * tiles.getEvenSaving()));
  if (other.asked->use_empty())
    other.asked.erase();
}

KernelOp clique::mergeDirections(const KernelSite &base,
                                 const KernelSite &other, int64_t leastParts) {
  Operation *place = base.op->isBeforeInBlock(other.op) ? other.op : base.op;
  if (!DirectionMerger(base.tiles, other.tiles, place).shareProducts())
    return {};
  joinSites(base, other);
  // Its updates have the rows of sources.
  KernelOp turned = outlineUpdates(other.tiles);
  bool isFirst = base.tiles->isBeforeInBlock(turned);
  KernelOp first = isFirst ? base.tiles : turned;
  KernelOp second = isFirst ? turned : base.tiles;
  bringTogether(first, second);
  KernelOp fused = DirectionMerger(base.tiles, turned, second).run(leastParts);
  askForBoth(base, other, fused);
  return fused;
}
