//===- HeadDimension.cpp - Feature dimensions that never mix --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/HeadDimension.h"
#include "compiler/Analysis/Elementwise.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

/// The feature of a value: of a tensor of nodes without its first dimension.
static ArrayRef<int64_t> getFeatureShape(Value value, bool isNode) {
  if (auto edges = dyn_cast<mp::EdgesType>(value.getType()))
    return edges.getShape();
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return {};
  return isNode ? tensor.getShape().drop_front() : tensor.getShape();
}

namespace {
/// Classes of feature dimensions that must be taken apart together.
class DimensionClasses {
public:
  void visit(mp::MessageOp message);
  void visit(mp::AggregateOp aggregate);
  /// The dimensions of a value that leaves the kernel by another way.
  void mixAll(Value value) {
    for (unsigned &dim : getDims(value, /*isNode=*/false))
      mix(dim);
  }
  /// The class that qualifies, if any.
  std::optional<HeadDimension> choose();

private:
  /// The class of a dimension, if it qualifies.
  std::optional<HeadDimension> getHead(const llvm::IntEqClasses &classes,
                                       unsigned candidate) const;
  /// Whether the heads have more work of their own than what is computed for
  /// each of them again.
  bool repeatsLittle(const HeadDimension &head) const;
  SmallVector<unsigned> &getDims(Value value, bool isNode);
  SmallVector<unsigned> &getDims(Value feature) {
    return getDims(feature, /*isNode=*/false);
  }
  void join(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
    for (auto [a, b] : llvm::zip(lhs, rhs))
      pairs.push_back({a, b});
  }
  void mix(unsigned dim) { mixed.push_back(dim); }
  void visitOp(Operation &op);

  /// Of values as they are, and of tensors of nodes.
  llvm::MapVector<Value, SmallVector<unsigned>> dims, nodeDims;
  SmallVector<int64_t> sizes;
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  SmallVector<unsigned> mixed;
  /// Dimensions of results of products, and of scores.
  SmallVector<unsigned> worthwhile;
  SmallVector<Value> edgeValues, aggregated;
  SmallVector<mp::MessageOp> messages;
};
} // namespace

SmallVector<unsigned> &DimensionClasses::getDims(Value value, bool isNode) {
  auto &own = isNode ? nodeDims : dims, &others = isNode ? dims : nodeDims;
  auto [it, isNew] = own.try_emplace(value);
  if (!isNew)
    return it->second;
  for (int64_t size : getFeatureShape(value, isNode)) {
    it->second.push_back(sizes.size());
    sizes.push_back(size);
  }
  // A head's part of weights is another one than that of nodes.
  if (auto other = others.find(value); other != others.end()) {
    llvm::append_range(mixed, it->second);
    llvm::append_range(mixed, other->second);
  }
  return it->second;
}

void DimensionClasses::visitOp(Operation &op) {
  auto at = [&](Value value) { return SmallVector<unsigned>(getDims(value)); };
  auto mixOne = [&](unsigned dim) { mix(dim); };
  TypeSwitch<Operation *>(&op)
      .Case([&](arith::ConstantOp constant) { getDims(constant); })
      .Case([&](mp::PositionOp position) { getDims(position); })
      .Case([&](mp::DotOp dot) {
        SmallVector<unsigned> result = at(dot.getResult());
        join(result, at(dot.getLhs()));
        join(at(dot.getRhs()), at(dot.getLhs()));
        mix(at(dot.getLhs()).back());
        llvm::append_range(worthwhile, result);
      })
      .Case([&](mp::ReduceOp reduce) {
        SmallVector<unsigned> kept;
        for (auto [k, dim] : llvm::enumerate(at(reduce.getX()))) {
          if (llvm::is_contained(reduce.getDims(), static_cast<int64_t>(k)))
            mix(dim);
          else
            kept.push_back(dim);
        }
        SmallVector<unsigned> result = at(reduce.getResult());
        join(result, kept);
        llvm::append_range(worthwhile, result);
      })
      .Case([&](mp::BroadcastOp broadcast) {
        SmallVector<unsigned> to = at(broadcast.getResult());
        join(at(broadcast.getX()),
             llvm::map_to_vector(broadcast.getKeptDims(),
                                 [&](int64_t dim) { return to[dim]; }));
      })
      .Case([&](mp::LinearOp linear) {
        // One map for each of x's outer dimensions; all else is mixed.
        const int64_t outer = linear.getNumOuterDims();
        SmallVector<unsigned> x = at(linear.getX()), y = at(linear.getResult());
        join(ArrayRef(y).take_front(outer), ArrayRef(x).take_front(outer));
        llvm::for_each(ArrayRef(x).drop_front(outer), mixOne);
        llvm::for_each(ArrayRef(y).drop_front(outer), mixOne);
        mixAll(linear.getWeights());
        if (linear.getBias())
          mixAll(linear.getBias());
        llvm::append_range(worthwhile, ArrayRef(y).take_front(outer));
      })
      .Case([&](mp::LookupOp lookup) {
        SmallVector<unsigned> table = at(lookup.getTable());
        getDims(lookup.getIndex());
        mix(table.front());
        join(at(lookup.getResult()), ArrayRef(table).drop_front());
      })
      .Case([&](tensor::ScatterOp scatter) {
        SmallVector<unsigned> whole = at(scatter.getResult());
        join(whole, at(scatter.getDest()));
        const int64_t dim = scatter.getScatterDims().front();
        mix(whole[dim]);
        whole.erase(whole.begin() + dim);
        join(at(scatter.getSource()), whole);
        mixAll(scatter.getIndices());
      })
      .Default([&](Operation *op) {
        if (isElementwise(op)) {
          for (Value operand : op->getOperands())
            join(at(op->getResult(0)), at(operand));
          return;
        }
        for (Value operand : op->getOperands())
          mixAll(operand);
        for (Value result : op->getResults())
          mixAll(result);
      });
}

void DimensionClasses::visit(mp::MessageOp message) {
  auto bind = [&](ArrayRef<BlockArgument> args, ValueRange operands) {
    for (auto [arg, operand] : llvm::zip_equal(args, operands)) {
      SmallVector<unsigned> inside = getDims(arg);
      join(inside, getDims(operand, /*isNode=*/true));
    }
  };
  messages.push_back(message);
  bind(message.getDstArgs(), message.getDst());
  bind(message.getSrcArgs(), message.getSrc());
  bind(message.getEdgeArgs(), message.getEdge());
  for (Value edge : message.getEdge())
    mixAll(edge);
  for (Operation &op : message.getBody().front().without_terminator())
    visitOp(op);
  for (auto [result, yielded] : llvm::zip_equal(
           message.getResults(),
           message.getBody().front().getTerminator()->getOperands())) {
    SmallVector<unsigned> inside = getDims(yielded);
    join(getDims(result), inside);
    edgeValues.push_back(result);
  }
}

void DimensionClasses::visit(mp::AggregateOp aggregate) {
  llvm::append_range(aggregated, aggregate.getResults());
  // Its regions make what they like of its values, as many results as they
  // like.
  if (aggregate.getKind() == mp::AggregatorKind::custom) {
    for (Value value : aggregate.getValues())
      mixAll(value);
    for (Value result : aggregate.getResults())
      llvm::append_range(mixed, getDims(result, /*isNode=*/true));
    return;
  }
  // The log-sum-exp of a score.
  Value score = aggregate.getScore();
  for (Value extra : aggregate.getExtraResults()) {
    SmallVector<unsigned> scores = getDims(score);
    join(scores, getDims(extra, /*isNode=*/true));
  }
  for (auto [value, result] :
       llvm::zip(aggregate.getValues(), aggregate.getResults())) {
    SmallVector<unsigned> in = getDims(value);
    join(in, getDims(result, /*isNode=*/true));
    if (score) {
      SmallVector<unsigned> weights = getDims(score);
      join(weights, in);
      if (weights.size() < in.size())
        llvm::append_range(worthwhile, weights);
    }
  }
}

std::optional<HeadDimension>
DimensionClasses::getHead(const llvm::IntEqClasses &classes,
                          unsigned candidate) const {
  const unsigned label = classes[candidate];
  auto isIn = [&](unsigned dim) { return classes[dim] == label; };
  if (sizes[candidate] < 2 || llvm::any_of(mixed, isIn))
    return std::nullopt;
  HeadDimension head;
  head.size = sizes[candidate];
  for (const auto &[value, own] :
       llvm::concat<const std::pair<Value, SmallVector<unsigned>>>(dims,
                                                                   nodeDims))
    for (auto [k, dim] : llvm::enumerate(own))
      if (isIn(dim) && !head.dims.insert({value, k}).second)
        return std::nullopt;
  auto hasIt = [&](Value value) { return head.dims.contains(value); };
  if (!llvm::all_of(edgeValues, hasIt) || !llvm::all_of(aggregated, hasIt) ||
      !repeatsLittle(head))
    return std::nullopt;
  return head;
}

bool DimensionClasses::repeatsLittle(const HeadDimension &head) const {
  // What an edge takes; to aggregate it, a multiplication and an addition.
  int64_t shared = 0, own = 0;
  for (mp::MessageOp message : messages) {
    const EndpointDependence ends(message, /*knowsPositions=*/true);
    for (Operation &op : message.getBody().front().without_terminator())
      if (op.getNumResults() == 1 && ends.get(op.getResult(0)) == Ends::edge)
        (head.dims.contains(op.getResult(0)) ? own : shared) += getFlops(op);
    for (Value yielded : message.getYield().getOperands())
      own += 2 * cast<RankedTensorType>(yielded.getType()).getNumElements();
  }
  return shared * (head.size - 1) < own;
}

std::optional<HeadDimension> DimensionClasses::choose() {
  llvm::IntEqClasses classes(sizes.size());
  for (auto [a, b] : pairs)
    classes.join(a, b);
  classes.compress();
  std::optional<HeadDimension> turned;
  for (unsigned candidate : worthwhile) {
    std::optional<HeadDimension> head = getHead(classes, candidate);
    if (!head)
      continue;
    if (llvm::all_of(aggregated, [&](Value value) {
          return head->dims.find(value)->second == 0;
        }))
      return head;
    // Its results have to be turned round: rather one that leads.
    if (!turned)
      turned = std::move(head);
  }
  return turned;
}

std::optional<HeadDimension> clique::findHeadDimension(mp::KernelOp kernel) {
  DimensionClasses classes;
  for (auto message : kernel.getBody().getOps<mp::MessageOp>())
    classes.visit(message);
  for (auto aggregate : kernel.getBody().getOps<mp::AggregateOp>())
    classes.visit(aggregate);
  for (Value yielded : kernel.getYield().getValues())
    if (isa<mp::EdgesType>(yielded.getType()))
      classes.mixAll(yielded);
  return classes.choose();
}
