//===- CountEdges.cpp - Aggregations of what no source has a part in ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-count-edges.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/MessageSeparation.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Structure/Sharing.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_COUNTEDGESPASS
#include "compiler/Structure/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::AggregatorKind;

/// Whether equal values make their number times one, or one of them.
static bool isCounted(mp::AggregateOp op) {
  // The edge of an extremum is another one for each destination.
  if (op.getNumResults() != op.getValues().size())
    return false;
  switch (op.getKind()) {
  case AggregatorKind::sum:
  case AggregatorKind::mean:
  case AggregatorKind::max:
  case AggregatorKind::min:
    return true;
  default:
    return false;
  }
}

/// The value of the region that becomes this edge feature, if it is the same
/// for all edges of a destination.
static Value getCountedValue(Value edges, Value graph) {
  Value value = getMessageValue(edges, graph);
  if (!value || !isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return {};
  auto message = edges.getDefiningOp<mp::MessageOp>();
  Ends ends = EndpointDependence(message).get(value);
  return ends == Ends::dst || ends == Ends::none ? value : Value();
}

/// The value of all edges of each node, or 0 if it has none; `isSum`: times
/// their number.
static Value aggregateEqual(OpBuilder &builder, mp::MessageOp message,
                            Value value, bool isSum) {
  Location loc = value.getLoc();
  RankedTensorType type = getFeature(value), wide = widen(type);
  SmallVector<Value> nodes = {mp::DegreeOp::create(
      builder, loc,
      RankedTensorType::get(ShapedType::kDynamic, wide.getElementType()),
      message.getGraph())};
  llvm::append_range(nodes, message.getDst());
  return makeUpdate(
      builder, loc, nodes, type, [&](OpBuilder &b, ValueRange args) -> Value {
        IRMapping mapping;
        mapping.map(message.getDstArgs(), args.drop_front());
        Value result = cloneWithOperands(b, value, mapping);
        if (type != wide)
          result = arith::ExtFOp::create(b, loc, wide, result);
        Value degree = args.front(), one = result;
        if (isSum) {
          Value count = degree;
          if (wide.getRank() > 0)
            count = mp::BroadcastOp::create(b, loc, wide, count,
                                            /*trailing=*/false);
          result = arith::MulFOp::create(b, loc, count, one);
        }
        // 0 times what is not finite is not 0.
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(wide));
        result = arith::SelectOp::create(
            b, loc, Sharing::hasSome(b, loc, degree, wide), result, zero);
        if (type != wide)
          result = arith::TruncFOp::create(b, loc, type, result);
        return result;
      });
}

static void report(mp::AggregateOp op, int64_t elements) {
  remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name("mp-count-edges").category("structure"))
      << (mp::stringifyAggregatorKind(op.getKind()) +
          " of what no source has a part in: " + Twine(elements) +
          " elements are computed per node in place of per edge")
             .str();
}

/// False if nothing was changed.
static bool countEdges(mp::AggregateOp op) {
  if (!isCounted(op))
    return false;
  OpBuilder builder(op);
  SmallVector<unsigned> others;
  int64_t elements = 0;
  for (auto [index, edges] : llvm::enumerate(op.getValues())) {
    Value value = getCountedValue(edges, op.getGraph());
    if (!value) {
      others.push_back(index);
      continue;
    }
    Value result = aggregateEqual(builder, edges.getDefiningOp<mp::MessageOp>(),
                                  value, op.getKind() == AggregatorKind::sum);
    op->getResult(index).replaceAllUsesWith(result);
    elements += getFeature(value).getNumElements();
  }
  if (elements == 0)
    return false;
  report(op, elements);
  SmallVector<mp::MessageOp> messages;
  for (Value edges : op.getValues())
    if (auto message = edges.getDefiningOp<mp::MessageOp>())
      if (!llvm::is_contained(messages, message))
        messages.push_back(message);
  if (!others.empty())
    splitOff(builder, op, others);
  op.erase();
  for (mp::MessageOp message : messages)
    if (isOpTriviallyDead(message))
      message.erase();
  return true;
}

namespace {
struct CountEdges : clique::impl::CountEdgesPassBase<CountEdges> {
  void runOnOperation() override {
    if (!rewriteAggregations(getOperation(), countEdges))
      markAllAnalysesPreserved();
  }
};
} // namespace
