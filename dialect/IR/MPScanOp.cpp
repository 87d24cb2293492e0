//===- MPScanOp.cpp - Constraints of recurrences over edges ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;
using namespace clique::mp::detail;

void ScanOp::build(OpBuilder &builder, OperationState &state, Value graph,
                   bool reversed, ValueRange from, ValueRange edge,
                   TypeRange results) {
  state.addOperands(graph);
  state.addOperands(from);
  state.addOperands(edge);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, static_cast<int32_t>(from.size()),
                                    static_cast<int32_t>(edge.size())};
  if (reversed)
    properties.setReversed(builder.getUnitAttr());
  state.addTypes(results);
  Block &block = state.addRegion()->emplaceBlock();
  for (ValueRange operands : {from, edge})
    for (Value operand : operands)
      block.addArgument(getFeature(operand.getType()), operand.getLoc());
}

YieldOp ScanOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult ScanOp::verify() {
  // C1
  if (getFrom().empty())
    return emitOpError("has no state: give at least one in from(...)");
  if (getEdge().empty())
    return emitOpError("takes no edge feature: give at least one in edge(...)");
  if (failed(verifyNodeTensors(*this, getFrom().getTypes(), "from operand")))
    return failure();
  // C2
  if (failed(verifyArguments(*this, getBody().front(),
                             TypeRange(getOperandTypes()).drop_front())))
    return failure();
  // C3
  if (getNumResults() < getFrom().size())
    return emitOpError("has ")
           << getNumResults() << " results for " << getFrom().size()
           << " states: expected the last state of each first";
  for (auto [from, last] : llvm::zip(getFrom().getTypes(), getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(last);
    if (!tensor || tensor.getRank() == 0 || !tensor.isDynamicDim(0) ||
        getFeature(from) != getNodeFeature(tensor))
      return emitOpError("result ")
             << last << " does not fit state " << from
             << ": expected a node tensor of the same feature, tensor<?x...>";
  }
  for (Type type : TypeRange(getResultTypes()).drop_front(getFrom().size()))
    if (!isa<EdgesType>(type))
      return emitOpError("result ")
             << type << " is none of its " << getFrom().size()
             << " states: expected an edge feature, !mp.edges<...>";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  SmallVector<Type> features;
  for (Type type : getResultTypes())
    features.push_back(getFeature(type));
  // C4
  if (failed(verifyYield(*this, getBody().front(), features, "result")))
    return failure();
  // C5
  return verifyFeatureRegion(*this, getBody(), "C5");
}
