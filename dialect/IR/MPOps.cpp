//===- MPOps.cpp - Messages, aggregations, updates ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of messages and updates; those of aggregations and readouts are
// in MPAggregateOps.cpp, the syntax in MPSyntax.cpp.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"
#include "dialect/IR/FeatureTypes.h"

using namespace mlir;
using namespace clique::mp;
using namespace clique::mp::detail;

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

//===----------------------------------------------------------------------===//
// Types of graphs: the plain one need not be written
//===----------------------------------------------------------------------===//

static bool isPlain(Type graph) { return cast<MPGraphType>(graph).isUnknown(); }

/// `: type`, or nothing. What is no graph is refused here: the types of results
/// are inferred from it.
static ParseResult parseGraphType(OpAsmParser &parser, Type &graph) {
  auto type = MPGraphType::get(parser.getContext());
  if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
    return failure();
  graph = type;
  return success();
}

static void printGraphType(OpAsmPrinter &printer, Operation *, Type graph) {
  if (!isPlain(graph))
    printer << " : " << graph;
}

/// `: type -> type`, or nothing.
static ParseResult parseGraphTypes(OpAsmParser &parser, Type &from, Type &to) {
  auto given = MPGraphType::get(parser.getContext()), made = given;
  if (succeeded(parser.parseOptionalColon()) &&
      (parser.parseType(given) || parser.parseArrow() ||
       parser.parseType(made)))
    return failure();
  from = given;
  to = made;
  return success();
}

static void printGraphTypes(OpAsmPrinter &printer, Operation *, Type from,
                            Type to) {
  if (!isPlain(from) || !isPlain(to))
    printer << " : " << from << " -> " << to;
}

/// `graph, score`, or `score` alone.
static ParseResult parseGraphAndScore(OpAsmParser &parser, Type &graph,
                                      Type &score) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(score))
    return failure();
  if (isa<MPGraphType>(score)) {
    graph = score;
    EdgesType edges;
    if (parser.parseComma() || parser.parseType(edges))
      return failure();
    score = edges;
    return success();
  }
  graph = MPGraphType::get(parser.getContext());
  if (isa<EdgesType>(score))
    return success();
  return parser.emitError(loc, "expected the type of the scores, an edge "
                               "feature !mp.edges<...>, got ")
         << score;
}

static void printGraphAndScore(OpAsmPrinter &printer, Operation *, Type graph,
                               Type score) {
  if (!isPlain(graph))
    printer << graph << ", ";
  printer << score;
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
