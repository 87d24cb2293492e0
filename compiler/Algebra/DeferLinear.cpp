//===- DeferLinear.cpp - Linear maps of a sum behind the sum --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum_j c_ij W x_ij = W sum_j c_ij x_ij for any numbers c_ij and a W that is
// the same for all edges.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_DEFERLINEARPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// A value c W x of a message.
struct ScaledMap {
  mp::LinearOp linear;
  /// What makes c, from the map outwards: products and quotients with a number
  /// that is broadcast.
  SmallVector<Operation *> scalings;
};
} // namespace

/// Whether each edge's value counts with one number, whatever the feature's
/// entry.
static bool isWeightedSum(mp::AggregateOp op) {
  switch (op.getKind()) {
  case mp::AggregatorKind::sum:
  case mp::AggregatorKind::mean:
    return true;
  case mp::AggregatorKind::softmax:
    return cast<mp::EdgesType>(op.getScore().getType()).getShape().empty();
  default:
    return false;
  }
}

/// The operand of `op` that is scaled by the other one, a number; null if there
/// is none.
static Value getScaled(Operation *op) {
  auto isNumber = [](Value value) {
    auto broadcast = value.getDefiningOp<mp::BroadcastOp>();
    return broadcast &&
           cast<RankedTensorType>(broadcast->getOperand(0).getType())
                   .getRank() == 0;
  };
  if (!isa<arith::MulFOp, arith::DivFOp>(op))
    return {};
  if (isNumber(op->getOperand(1)))
    return op->getOperand(0);
  return isa<arith::MulFOp>(op) && isNumber(op->getOperand(0))
             ? op->getOperand(1)
             : Value();
}

static std::optional<ScaledMap> matchScaledMap(mp::MessageOp message,
                                               Value value) {
  ScaledMap result;
  while (Operation *op = value.getDefiningOp()) {
    if (op->getParentRegion() != &message.getBody() || !value.hasOneUse())
      return std::nullopt;
    if (auto linear = dyn_cast<mp::LinearOp>(op)) {
      if (linear.getBias() ||
          message.getBody().isAncestor(linear.getWeights().getParentRegion()))
        return std::nullopt;
      std::reverse(result.scalings.begin(), result.scalings.end());
      result.linear = linear;
      return result;
    }
    result.scalings.push_back(op);
    value = getScaled(op);
    if (!value)
      return std::nullopt;
  }
  return std::nullopt;
}

static int64_t getSize(Value feature) {
  return cast<RankedTensorType>(feature.getType()).getNumElements();
}

/// What is computed from the source alone is a node's in any case: then the map
/// goes where fewer numbers are gathered. Where they are as many, the kernel
/// that has the map within takes as long as two that pass its results through
/// memory: products and gathers do not overlap in it. Else the map leaves the
/// edge.
static bool isWorthDeferring(mp::LinearOp linear, Ends ends) {
  const int64_t in = getSize(linear.getX()), out = getSize(linear.getResult());
  switch (ends) {
  case Ends::src:
    return in < out;
  case Ends::edge:
    return out > 1;
  default:
    return false;
  }
}

/// `op` again, on `value` in place of what it scales.
static Value cloneScaling(OpBuilder &builder, Operation *op, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (operand == getScaled(op)) {
      mapping.map(operand, value);
      continue;
    }
    // Where a number's new dimensions stand says nothing.
    auto number = operand.getDefiningOp<mp::BroadcastOp>();
    mapping.map(operand, mp::BroadcastOp::create(builder, number.getLoc(), type,
                                                 number.getX(),
                                                 /*trailing=*/false));
  }
  Operation *scaled = builder.clone(*op, mapping);
  scaled->getResult(0).setType(type);
  return scaled->getResult(0);
}

/// Rewrites one value of `op`; false if it is no scaled map, or better stays.
static bool deferLinear(mp::AggregateOp op, unsigned index) {
  Value edges = op.getValues()[index];
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (!message || !edges.hasOneUse())
    return false;
  const unsigned number = cast<OpResult>(edges).getResultNumber();
  mp::YieldOp yield = message.getYield();
  std::optional<ScaledMap> map =
      matchScaledMap(message, yield.getOperand(number));
  if (!map)
    return false;
  mp::LinearOp linear = map->linear;
  auto feature = cast<RankedTensorType>(linear.getX().getType());
  // The range of half precision may be too small for a sum that W makes small.
  if (!feature.getElementType().isF32() && !feature.getElementType().isF64())
    return false;
  const Ends ends = EndpointDependence(message).get(linear.getX());
  if (!isWorthDeferring(linear, ends))
    return false;

  OpBuilder builder(yield);
  Value value = linear.getX();
  for (Operation *scaling : map->scalings)
    value = cloneScaling(builder, scaling, value);
  yield->setOperand(number, value);
  edges.setType(mp::EdgesType::get(feature));

  Value sum = op->getResult(index);
  auto mapped = cast<RankedTensorType>(sum.getType());
  SmallVector<int64_t> shape = {mapped.getDimSize(0)};
  llvm::append_range(shape, feature.getShape());
  sum.setType(RankedTensorType::get(shape, feature.getElementType()));
  builder.setInsertionPointAfter(op);
  auto update = mp::UpdateOp::create(builder, linear.getLoc(), sum, mapped);
  sum.replaceAllUsesExcept(update.getResult(0), update);
  Block &body = update.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  mapping.map(linear.getX(), body.getArgument(0));
  Operation *deferred = builder.clone(*linear, mapping);
  mp::YieldOp::create(builder, linear.getLoc(), deferred->getResults());

  remark::passed(
      linear.getLoc(),
      remark::RemarkOpts::name("mp-defer-linear").category("algebra"))
      << llvm::formatv("mp.linear moved behind the {0}: computed for "
                       "destinations in place of {1}",
                       mp::stringifyAggregatorKind(op.getKind()),
                       ends == Ends::src ? "sources" : "edges")
             .str();
  return true;
}

namespace {
struct DeferLinearPass : clique::impl::DeferLinearPassBase<DeferLinearPass> {
  void runOnOperation() override {
    SmallVector<mp::AggregateOp> aggregations;
    getOperation()->walk(
        [&](mp::AggregateOp op) { aggregations.push_back(op); });
    bool changed = false;
    for (mp::AggregateOp op : aggregations)
      if (isWeightedSum(op))
        for (unsigned index = 0; index < op.getValues().size(); ++index)
          changed |= deferLinear(op, index);
    if (!changed)
      return markAllAnalysesPreserved();
    // Drops the maps and what scaled them.
    IRRewriter rewriter(&getContext());
    for (mp::AggregateOp op : aggregations)
      for (Value edges : op.getValues())
        if (auto message = edges.getDefiningOp<mp::MessageOp>())
          for (Operation &inner : llvm::make_early_inc_range(
                   llvm::reverse(message.getBody().front())))
            if (isOpTriviallyDead(&inner))
              rewriter.eraseOp(&inner);
  }
};
} // namespace
