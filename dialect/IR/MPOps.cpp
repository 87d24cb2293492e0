//===- MPOps.cpp - Messages, aggregations, updates ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of messages, aggregations, updates and readouts. Their syntax is
// in MPSyntax.cpp, their canonicalisation in MPCanonicalization.cpp.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;

/// An optional lowering, as a bare keyword: as an attribute, `sparse` and
/// `dense` would begin constants.
static ParseResult parseLowering(OpAsmParser &parser, LoweringAttr &lowering) {
  StringRef keyword;
  if (succeeded(
          parser.parseOptionalKeyword(&keyword, {"nodes", "sparse", "dense"})))
    lowering =
        LoweringAttr::get(parser.getContext(), *symbolizeLowering(keyword));
  return success();
}

/// A keyword of an enum that must be there.
template <typename AttrTy, typename EnumTy>
static ParseResult
parseEnumKeyword(OpAsmParser &parser, AttrTy &attribute,
                 std::optional<EnumTy> (*symbolize)(StringRef), StringRef what,
                 StringRef expected) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<EnumTy> value = symbolize(keyword);
  if (!value)
    return parser.emitError(loc, "unknown ")
           << what << " '" << keyword << "': expected " << expected;
  attribute = AttrTy::get(parser.getContext(), *value);
  return success();
}

static ParseResult parseReduction(OpAsmParser &parser,
                                  ReductionKindAttr &kind) {
  return parseEnumKeyword(parser, kind, symbolizeReductionKind, "reduction",
                          "sum, mean, max or min");
}

static void printReduction(OpAsmPrinter &printer, ReduceOp,
                           ReductionKindAttr kind) {
  printer << stringifyReductionKind(kind.getValue());
}

static ParseResult parseEndpoint(OpAsmParser &parser, EndpointAttr &endpoint) {
  return parseEnumKeyword(parser, endpoint, symbolizeEndpoint, "endpoint",
                          "dst, src or edge");
}

static void printEndpoint(OpAsmPrinter &printer, PositionOp,
                          EndpointAttr endpoint) {
  printer << stringifyEndpoint(endpoint.getValue());
}

static void printLowering(OpAsmPrinter &printer, KernelOp,
                          LoweringAttr lowering) {
  if (lowering)
    printer << stringifyLowering(lowering.getValue());
}

#define GET_OP_CLASSES
#include "dialect/IR/MPOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What the ops share
//===----------------------------------------------------------------------===//

RankedTensorType clique::mp::getNodeFeature(Type nodeTensor) {
  auto type = cast<RankedTensorType>(nodeTensor);
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

bool clique::mp::hasAtMost(ArrayRef<int64_t> shape, int64_t limit) {
  if (llvm::is_contained(shape, 0))
    return true;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size))
      continue;
    if (size > limit)
      return false;
    limit /= size;
  }
  return true;
}

/// The feature of one edge or node as a region sees it.
static RankedTensorType getFeature(Type type) {
  if (auto edges = dyn_cast<EdgesType>(type))
    return edges.getFeatureType();
  return getNodeFeature(type);
}

/// A tensor of rank >= 1 whose dimensions after the first are static.
static bool isNodeTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getRank() >= 1 &&
         llvm::none_of(tensor.getShape().drop_front(), ShapedType::isDynamic);
}

static LogicalResult verifyNodeTensors(Operation *op, TypeRange types,
                                       StringRef what) {
  for (auto [i, type] : llvm::enumerate(types))
    if (!isNodeTensor(type))
      return op->emitOpError()
             << what << " #" << i << " has type " << type
             << ": expected a node feature tensor<?x...>, with rank 1 or more "
                "and static dimensions after the first";
  return success();
}

/// Checks that the block's arguments are the features of `types`.
static LogicalResult verifyArguments(Operation *op, Block &block,
                                     TypeRange types,
                                     StringRef region = "region") {
  if (block.getNumArguments() != types.size())
    return op->emitOpError()
           << region << " has " << block.getNumArguments()
           << " arguments: expected " << types.size() << ", one per operand";
  for (auto [arg, type] : llvm::zip_equal(block.getArguments(), types))
    if (arg.getType() != getFeature(type))
      return op->emitOpError()
             << region << " argument #" << arg.getArgNumber() << " has type "
             << arg.getType() << ": expected " << getFeature(type)
             << ", the feature of its operand";
  return success();
}

/// Checks that the region yields `features`.
static LogicalResult verifyYield(Operation *op, Block &block,
                                 TypeRange features, StringRef ofWhat) {
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("region must end with mp.yield");
  if (yield.getNumOperands() != features.size())
    return yield.emitOpError()
           << "yields " << yield.getNumOperands() << " values: expected "
           << features.size() << ", one per " << ofWhat;
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(yield.getOperandTypes(), features)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return yield.emitOpError()
             << "value #" << i << " has type " << std::get<0>(pair)
             << ": expected " << std::get<1>(pair) << ", the feature of its "
             << ofWhat;
  return success();
}

//===----------------------------------------------------------------------===//
// MessageOp
//===----------------------------------------------------------------------===//

void MessageOp::build(OpBuilder &builder, OperationState &state, Value graph,
                      ValueRange dst, ValueRange src, ValueRange edge,
                      TypeRange results) {
  state.addOperands(graph);
  state.addOperands(dst);
  state.addOperands(src);
  state.addOperands(edge);
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(dst.size()), static_cast<int32_t>(src.size()),
      static_cast<int32_t>(edge.size())};
  state.addTypes(results);
  Block &block = state.addRegion()->emplaceBlock();
  for (ValueRange operands : {dst, src, edge})
    for (Value operand : operands)
      block.addArgument(getFeature(operand.getType()), operand.getLoc());
}

ArrayRef<BlockArgument> MessageOp::getDstArgs() {
  return getBody().getArguments().take_front(getDst().size());
}
ArrayRef<BlockArgument> MessageOp::getSrcArgs() {
  return getBody().getArguments().slice(getDst().size(), getSrc().size());
}
ArrayRef<BlockArgument> MessageOp::getEdgeArgs() {
  return getBody().getArguments().take_back(getEdge().size());
}
YieldOp MessageOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult MessageOp::verify() {
  // C1
  if (failed(verifyNodeTensors(*this, getDst().getTypes(), "dst operand")) ||
      failed(verifyNodeTensors(*this, getSrc().getTypes(), "src operand")))
    return failure();
  // C2
  return verifyArguments(*this, getBody().front(),
                         TypeRange(getOperandTypes()).drop_front());
}

LogicalResult MessageOp::verifyRegions() {
  SmallVector<Type> features;
  for (Type type : getResultTypes())
    features.push_back(getFeature(type));
  // C3
  if (failed(verifyYield(*this, getBody().front(), features, "result")))
    return failure();
  // C4
  return verifyFeatureRegion(*this, getBody(), "C4");
}

//===----------------------------------------------------------------------===//
// AggregateOp
//===----------------------------------------------------------------------===//

/// `prefix` leads `shape`.
static bool isPrefix(ArrayRef<int64_t> prefix, ArrayRef<int64_t> shape) {
  return prefix.size() <= shape.size() &&
         shape.take_front(prefix.size()) == prefix;
}

LogicalResult AggregateOp::verify() {
  bool custom = getKind() == AggregatorKind::custom;
  bool softmax = getKind() == AggregatorKind::softmax;
  // C1
  if (getValues().empty())
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
    if (softmax && getNumResults() == features.size() + 1)
      features.push_back(getScore().getType());
    if (getNumResults() != features.size())
      return emitOpError("has ")
             << getNumResults() << " results for " << getValues().size()
             << " values: expected one each"
             << (softmax ? ", and at most one more for the log-sum-exp" : "");
    for (auto [value, result] : llvm::zip_equal(features, getResultTypes()))
      if (getFeature(value) != getFeature(result))
        return emitOpError("result ")
               << result << " does not fit value " << value
               << ": expected a node tensor of the same feature, "
                  "tensor<?x...>";
  }
  for (Type type : getResultTypes())
    if (!cast<RankedTensorType>(type).isDynamicDim(0))
      return emitOpError("result ")
             << type << " has a static number of nodes: expected tensor<?x...>";
  // C4
  bool anyRegion = llvm::any_of((*this)->getRegions(),
                                [](Region &region) { return !region.empty(); });
  bool allRegions = llvm::all_of((*this)->getRegions(), [](Region &region) {
    return region.hasOneBlock();
  });
  if (custom && !allRegions)
    return emitOpError("custom needs the regions identity, lift, combine and "
                       "finalise, one block each");
  if (!custom && anyRegion)
    return emitOpError("only custom takes regions: drop them, or aggregate "
                       "with custom");
  return success();
}

LogicalResult AggregateOp::verifyRegions() {
  if (getKind() != AggregatorKind::custom)
    return success();
  // C5
  Block &identity = getIdentity().front();
  auto identityYield = dyn_cast<YieldOp>(identity.back());
  if (!identityYield || identity.getNumArguments() != 0)
    return emitOpError("identity takes no arguments and ends with mp.yield");
  SmallVector<Type> state(identityYield.getOperandTypes());
  if (failed(verifyArguments(*this, getLift().front(), getValues().getTypes(),
                             "lift")))
    return failure();
  SmallVector<Type> twice(state);
  llvm::append_range(twice, state);
  if (getCombine().front().getArgumentTypes() != TypeRange(twice))
    return emitOpError("combine must take the state twice: the types that "
                       "identity yields, then the same again");
  if (getFinalise().front().getArgumentTypes() != TypeRange(state))
    return emitOpError(
        "finalise must take the state: the types that identity yields");
  SmallVector<Type> features;
  for (Type type : getResultTypes())
    features.push_back(getFeature(type));
  if (failed(verifyYield(*this, getLift().front(), state, "state")) ||
      failed(verifyYield(*this, getCombine().front(), state, "state")) ||
      failed(verifyYield(*this, getFinalise().front(), features, "result")))
    return failure();
  // C6
  for (Region &region : (*this)->getRegions())
    if (failed(verifyFeatureRegion(*this, region, "C6")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// UpdateOp
//===----------------------------------------------------------------------===//

void UpdateOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange nodes, TypeRange results) {
  state.addOperands(nodes);
  state.addTypes(results);
  Block &block = state.addRegion()->emplaceBlock();
  for (Value operand : nodes)
    block.addArgument(getFeature(operand.getType()), operand.getLoc());
}

YieldOp UpdateOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult UpdateOp::verify() {
  // C1
  if (getNodes().empty())
    return emitOpError("has no operand: an update is a function of nodes");
  if (failed(verifyNodeTensors(*this, getOperandTypes(), "operand")) ||
      failed(verifyNodeTensors(*this, getResultTypes(), "result")))
    return failure();
  std::optional<int64_t> nodes;
  for (TypeRange types :
       {TypeRange(getOperandTypes()), TypeRange(getResultTypes())})
    for (Type type : types) {
      int64_t size = cast<RankedTensorType>(type).getDimSize(0);
      if (ShapedType::isDynamic(size))
        continue;
      if (nodes && *nodes != size)
        return emitOpError("has tensors of ")
               << *nodes << " and of " << size
               << " nodes: expected one number of nodes";
      nodes = size;
    }
  // C2
  return verifyArguments(*this, getBody().front(), getOperandTypes());
}

LogicalResult UpdateOp::verifyRegions() {
  SmallVector<Type> features;
  for (Type type : getResultTypes())
    features.push_back(getFeature(type));
  // C3
  if (failed(verifyYield(*this, getBody().front(), features, "result")))
    return failure();
  // C4
  return verifyFeatureRegion(*this, getBody(), "C4");
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
  if (getKind() == AggregatorKind::custom)
    return emitOpError("aggregates with custom: expected sum, mean, max, min, "
                       "std or softmax");
  auto nodes = cast<RankedTensorType>(getNodes().getType());
  if (!isa<FloatType>(nodes.getElementType()))
    return emitOpError("reads out ") << nodes << ": expected floats";
  // C2
  if (failed(verifyNodeTensors(*this, nodes, "nodes operand")) ||
      failed(verifyResult(*this, nodes)))
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
  ArrayRef<int64_t> feature = nodes.getShape().drop_front();
  ArrayRef<int64_t> prefix = score.getShape().drop_front();
  if (score.getElementType() == nodes.getElementType() &&
      prefix.size() <= feature.size() &&
      feature.take_front(prefix.size()) == prefix)
    return success();
  return emitOpError("score ")
         << score << " does not fit nodes " << nodes
         << ": expected the same element type, and a feature whose shape is a "
            "prefix of theirs";
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
