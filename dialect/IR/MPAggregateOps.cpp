//===- MPAggregateOps.cpp - Aggregations and readouts ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their constraints, and those of mp.spread and mp.edge_softmax.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;
using namespace clique::mp::detail;

//===----------------------------------------------------------------------===//
// AggregateOp
//===----------------------------------------------------------------------===//

/// The regions of a custom monoid are all there, or none is.
static LogicalResult verifyHasMonoid(Operation *op, AggregatorKind kind) {
  const bool custom = kind == AggregatorKind::custom;
  bool anyRegion = llvm::any_of(op->getRegions(),
                                [](Region &region) { return !region.empty(); });
  bool allRegions = llvm::all_of(
      op->getRegions(), [](Region &region) { return region.hasOneBlock(); });
  if (custom && !allRegions)
    return op->emitOpError("custom needs the regions identity, lift, combine "
                           "and finalise, one block each");
  if (!custom && anyRegion)
    return op->emitOpError("only custom takes regions: drop them, or aggregate "
                           "with custom");
  return success();
}

/// The types of a custom monoid of `values`, and what its regions hold.
static LogicalResult verifyMonoid(Operation *op, AggregatorKind kind,
                                  TypeRange values, StringRef constraint) {
  if (kind != AggregatorKind::custom)
    return success();
  auto getBlock = [&](unsigned region) -> Block & {
    return op->getRegion(region).front();
  };
  Block &identity = getBlock(0), &lift = getBlock(1), &combine = getBlock(2),
        &finalise = getBlock(3);
  auto identityYield = dyn_cast<YieldOp>(identity.back());
  if (!identityYield || identity.getNumArguments() != 0)
    return op->emitOpError(
        "identity takes no arguments and ends with mp.yield");
  SmallVector<Type> state(identityYield.getOperandTypes());
  if (state.empty())
    return op->emitOpError("identity yields no state: expected one value at "
                           "least, such as a zero that combine adds to");
  if (failed(verifyArguments(op, lift, values, "lift")))
    return failure();
  SmallVector<Type> twice(state);
  llvm::append_range(twice, state);
  if (combine.getArgumentTypes() != TypeRange(twice))
    return op->emitOpError("combine must take the state twice: the types that "
                           "identity yields, then the same again");
  if (finalise.getArgumentTypes() != TypeRange(state))
    return op->emitOpError(
        "finalise must take the state: the types that identity yields");
  SmallVector<Type> features;
  for (Type type : op->getResultTypes())
    features.push_back(getFeature(type));
  if (failed(verifyYield(op, lift, state, "state")) ||
      failed(verifyYield(op, combine, state, "state")) ||
      failed(verifyYield(op, finalise, features, "result")))
    return failure();
  for (Region &region : op->getRegions())
    if (failed(verifyFeatureRegion(op, region, constraint)))
      return failure();
  return success();
}

static bool isExtremum(AggregatorKind kind) {
  return kind == AggregatorKind::max || kind == AggregatorKind::min;
}

/// Appends the features of results that there may be beyond one for each value;
/// returns what the error says of them.
static StringRef addExtraFeatures(AggregateOp op,
                                  SmallVectorImpl<Type> &features) {
  if (op.getKind() == AggregatorKind::softmax) {
    features.append(2, op.getScore().getType());
    return ", and at most one more for the log-sum-exp and one for its low "
           "part";
  }
  if (features.size() > 1 || !isExtremum(op.getKind()))
    return "";
  features.push_back(
      EdgesType::get(cast<EdgesType>(features[0])
                         .getFeatureType()
                         .clone(IntegerType::get(op.getContext(), 64))));
  return ", and at most one more for the number of the edge";
}

LogicalResult AggregateOp::verify() {
  bool custom = getKind() == AggregatorKind::custom;
  bool softmax = getKind() == AggregatorKind::softmax;
  // C1
  if (getValues().empty() && (!softmax || getResults().empty()))
    return emitOpError("aggregates no value: give at least one");
  if (!custom)
    for (Type type : TypeRange(getOperandTypes()).drop_front())
      if (!isa<FloatType>(cast<EdgesType>(type).getElementType()))
        return emitOpError("aggregates ")
               << type
               << ": built-in aggregators take floats; convert the value in "
                  "the message";
  // C2
  if (softmax != bool(getScore()))
    return emitOpError(softmax ? "softmax needs a score: softmax(%score) %value"
                               : "only softmax takes a score");
  if (softmax) {
    EdgesType score = getScore().getType();
    for (Type type : getValues().getTypes()) {
      auto value = cast<EdgesType>(type);
      if (!isPrefix(score.getShape(), value.getShape()) ||
          score.getElementType() != value.getElementType())
        return emitOpError("score ")
               << score << " does not fit value " << type
               << ": expected a shape that leads the value's shape, and its "
                  "element type";
    }
  }
  // C3
  if (failed(verifyNodeTensors(*this, getResultTypes(), "result")))
    return failure();
  if (!custom) {
    SmallVector<Type> features(getValues().getTypes());
    StringRef more = addExtraFeatures(*this, features);
    if (getNumResults() < getValues().size() ||
        getNumResults() > features.size())
      return emitOpError("has ")
             << getNumResults() << " results for " << getValues().size()
             << " values: expected one each" << more;
    features.resize(getNumResults());
    for (auto [value, result] : llvm::zip_equal(features, getResultTypes()))
      if (getFeature(value) != getFeature(result))
        return emitOpError("result ")
               << result << " does not fit value " << value
               << ": expected a node tensor of the same feature, "
                  "tensor<?x...>";
    if (Value low = getLogSumExpLow();
        low && getElementTypeOrSelf(low).getIntOrFloatBitWidth() < 32)
      return emitOpError("has the low part of a log-sum-exp as ")
             << low.getType()
             << ": expected f32 or f64; convert the score in the message";
  }
  for (Type type : getResultTypes())
    if (!cast<RankedTensorType>(type).isDynamicDim(0))
      return emitOpError("result ")
             << type << " has a static number of nodes: expected tensor<?x...>";
  // C4
  return verifyHasMonoid(*this, getKind());
}

Value AggregateOp::getLogSumExp() {
  if (getKind() != AggregatorKind::softmax || getExtraResults().empty())
    return {};
  return getExtraResults().front();
}

Value AggregateOp::getLogSumExpLow() {
  Value logSumExp = getLogSumExp();
  if (!logSumExp || logSumExp == getResults().back())
    return {};
  return getResults().back();
}

LogicalResult AggregateOp::verifyRegions() {
  // C5, C6
  return verifyMonoid(*this, getKind(), getValues().getTypes(), "C6");
}

//===----------------------------------------------------------------------===//
// ReadoutOp
//===----------------------------------------------------------------------===//

/// `nodes` with as many rows as a run says.
static RankedTensorType withDynamicRows(RankedTensorType nodes) {
  SmallVector<int64_t> shape(nodes.getShape());
  shape[0] = ShapedType::kDynamic;
  return RankedTensorType::get(shape, nodes.getElementType());
}

static LogicalResult verifyResult(Operation *op, RankedTensorType nodes) {
  RankedTensorType expected = withDynamicRows(nodes);
  if (op->getResult(0).getType() == expected)
    return success();
  return op->emitOpError("has result type ")
         << op->getResult(0).getType() << ": expected " << expected;
}

LogicalResult ReadoutOp::verify() {
  // C1
  const bool isSoftmax = getKind() == AggregatorKind::softmax;
  const bool isCustom = getKind() == AggregatorKind::custom;
  auto nodes = cast<RankedTensorType>(getNodes().getType());
  if (!isCustom && !isa<FloatType>(nodes.getElementType()))
    return emitOpError("reads out ")
           << nodes << ": built-in aggregators take floats";
  // C2
  if (failed(verifyNodeTensors(*this, nodes, "nodes operand")) ||
      failed(verifyNodeTensors(*this, getType(), "result")) ||
      (!isCustom && failed(verifyResult(*this, nodes))))
    return failure();
  if (!getType().isDynamicDim(0))
    return emitOpError("result ")
           << getType()
           << " has a static number of parts: expected tensor<?x...>";
  // C4
  if (failed(verifyHasMonoid(*this, getKind())))
    return failure();
  // C3
  if (isSoftmax != bool(getScore()))
    return emitOpError(isSoftmax
                           ? "softmax needs a score: softmax(%score)"
                           : "only softmax has a score: drop it, or aggregate "
                             "with softmax");
  if (!isSoftmax)
    return success();
  auto score = cast<RankedTensorType>(getScore().getType());
  if (failed(verifyNodeTensors(*this, score, "score operand")))
    return failure();
  if (score.getElementType() == nodes.getElementType() &&
      isPrefix(score.getShape().drop_front(), nodes.getShape().drop_front()))
    return success();
  return emitOpError("score ")
         << score << " does not fit nodes " << nodes
         << ": expected the same element type, and a feature whose shape is a "
            "prefix of theirs";
}

LogicalResult ReadoutOp::verifyRegions() {
  return verifyMonoid(*this, getKind(), getNodes().getType(), "C4");
}

//===----------------------------------------------------------------------===//
// SpreadOp and EdgeSoftmaxOp
//===----------------------------------------------------------------------===//

LogicalResult SpreadOp::verify() {
  // C1
  auto parts = cast<RankedTensorType>(getParts().getType());
  if (failed(verifyNodeTensors(*this, parts, "parts operand")))
    return failure();
  return verifyResult(*this, parts);
}

LogicalResult EdgeSoftmaxOp::verify() {
  // C1
  auto score = cast<EdgesType>(getScore().getType());
  if (isa<FloatType>(score.getElementType()))
    return success();
  return emitOpError("has scores ") << score << ": expected floats";
}
