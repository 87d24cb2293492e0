//===- MPKernelOp.cpp - Constraints of kernels ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may run together as one kernel.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPNodeTypes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace clique::mp;

Value KernelOp::getGraph() {
  for (Operation &op : getBody().front()) {
    if (auto message = dyn_cast<MessageOp>(op))
      return message.getGraph();
    if (isa<AggregateOp, SourceSumOp, ScanOp>(op))
      return op.getOperand(0);
  }
  return {};
}

YieldOp KernelOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

/// The type of a result that one head of a kernel with `heads` yields: the
/// result's without its first feature dimension. Null if it has none.
static Type getHeadType(Type result) {
  auto tensor = dyn_cast<RankedTensorType>(result);
  if (!tensor || tensor.getRank() < 2)
    return {};
  return RankedTensorType::Builder(tensor).dropDim(1);
}

/// The type of a result that yields `value`: of a sum over nodes, one for each
/// part of them.
static Type getWholeType(Value value, KernelOp kernel) {
  auto sum = value.getDefiningOp<DestinationStyleOpInterface>();
  if (!sum || sum->getParentOp() != kernel)
    return value.getType();
  return getNodesType(cast<RankedTensorType>(value.getType()));
}

/// A sum over nodes, or a reshape of its operands.
static bool belongsToSum(Operation &op) {
  if (isa<tensor::CollapseShapeOp>(op))
    return true;
  auto sum = dyn_cast<DestinationStyleOpInterface>(op);
  auto type = sum && op.getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op.getResult(0).getType())
                  : RankedTensorType();
  return type && type.hasStaticShape();
}

/// C7
static LogicalResult verifySchedule(KernelOp kernel) {
  Attribute schedule = kernel.getScheduleAttr();
  if (!schedule)
    return success();
  bool fits = false;
  if (std::optional<Lowering> lowering = kernel.getLowering())
    fits = *lowering == Lowering::nodes ? isa<NodeBlocksAttr>(schedule)
           : *lowering == Lowering::sparse
               ? isa<RowBlocksAttr, TypedBlocksAttr, EdgeBlocksAttr>(schedule)
               : isa<TilesAttr>(schedule);
  if (fits)
    return success();
  return kernel.emitOpError("has the schedule ")
         << schedule
         << ", which is for another lowering: expected #mp.node_blocks for "
            "nodes, #mp.row_blocks, #mp.typed_blocks or #mp.edge_blocks for "
            "sparse, #mp.tiles for dense";
}

LogicalResult KernelOp::verify() {
  if (failed(verifySchedule(*this)))
    return failure();
  // C6
  if (std::optional<int64_t> heads = getHeads()) {
    if (*heads < 1)
      return emitOpError("has ") << *heads << " heads: expected at least 1";
    Block &block = getBody().front();
    if (block.getNumArguments() != 1 ||
        !block.getArgument(0).getType().isIndex())
      return emitOpError("has heads: expected one region argument of type "
                         "index, the number of the head");
    // C3
    auto yield = dyn_cast<YieldOp>(block.back());
    if (!yield || yield.getNumOperands() != getNumResults())
      return emitOpError("must end with mp.yield of its results");
    for (auto [yielded, result] :
         llvm::zip_equal(yield.getOperandTypes(), getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(result);
      if (!tensor || getHeadType(result) != yielded ||
          tensor.getDimSize(1) != *heads)
        return yield.emitOpError("yields ")
               << yielded << " for " << result << ": expected the result of "
               << "one of " << *heads << " heads, without its dimension";
    }
    return success();
  }
  // C3
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!yield)
    return emitOpError("must end with mp.yield of its results");
  SmallVector<Type> types;
  for (Value yielded : yield.getValues())
    types.push_back(getWholeType(yielded, *this));
  if (TypeRange(types) != getResultTypes())
    return yield.emitOpError("yields (")
           << yield.getOperandTypes() << "): expected (" << getResultTypes()
           << "), the results of its kernel";
  return success();
}

static LogicalResult verifyScan(KernelOp kernel, Operation &scan) {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (&op != &scan && !isa<MessageOp>(op))
      return scan.emitOpError("stands in a kernel with '")
             << op.getName() << "': put it into a kernel of its own";
  if (kernel.getHeads() ||
      kernel.getLowering().value_or(Lowering::sparse) != Lowering::sparse)
    return scan.emitOpError("takes edges one after the other: expected "
                            "lowering sparse, without heads");
  return success();
}

LogicalResult SourceSumOp::verify() {
  // C1
  if (getValues().empty())
    return emitOpError("adds up no value: give at least one");
  for (Type type : getValues().getTypes())
    if (!isa<FloatType>(cast<EdgesType>(type).getElementType()))
      return emitOpError("adds up ")
             << type << ": expected floats; convert the value in the message";
  // C2
  if (getNumResults() != getValues().size())
    return emitOpError("has ")
           << getNumResults() << " results for " << getValues().size()
           << " values: expected one each";
  if (failed(detail::verifyNodeTensors(*this, getResultTypes(), "result")))
    return failure();
  for (auto [value, result] :
       llvm::zip_equal(getValues().getTypes(), getResultTypes()))
    if (detail::getFeature(value) != detail::getFeature(result))
      return emitOpError("result ")
             << result << " does not fit value " << value
             << ": expected a node tensor of the same feature";
  return success();
}

/// C9
static LogicalResult verifySourceSum(KernelOp kernel, SourceSumOp sum) {
  if (kernel.getLowering() != Lowering::dense ||
      kernel.getBody().getOps<AggregateOp>().empty())
    return sum.emitOpError("stands in no kernel of tiles with an aggregation: "
                           "expected lowering dense, and an mp.aggregate");
  for (Operation *user : sum->getUsers())
    if (!isa<YieldOp>(user))
      return sum.emitOpError("is used by '")
             << user->getName()
             << "' in its kernel, whose rows are not those of the result: "
                "yield it";
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  Value graph = getGraph();
  bool hasMessage = false;
  for (Operation &op : getBody().front().without_terminator()) {
    // C1
    if (getHeads() &&
        isa<tensor::ExtractSliceOp, affine::AffineDelinearizeIndexOp>(op))
      continue;
    if (!getHeads() && belongsToSum(op))
      continue;
    if (!isa<MessageOp, AggregateOp, SourceSumOp, ScanOp, UpdateOp>(op))
      return op.emitOpError("cannot stand in an mp.kernel: it holds messages, "
                            "aggregations, source sums, scans, updates and "
                            "sums over nodes only");
    hasMessage |= isa<MessageOp>(op);
    // C2
    if (!isa<UpdateOp>(op) && op.getOperand(0) != graph)
      return op.emitOpError("is on another graph than the rest of its kernel: "
                            "put it into a kernel of its own");
    // C5
    if (isa<AggregateOp, SourceSumOp, ScanOp>(op))
      for (Value edges : op.getOperands().drop_front())
        if (isa<EdgesType>(edges.getType()) &&
            (!edges.getDefiningOp<MessageOp>() ||
             edges.getParentRegion() != &getBody()))
          return op.emitOpError("aggregates an edge value from outside its "
                                "kernel: make a message of it in the kernel");
    // C8
    if (isa<ScanOp>(op) && failed(verifyScan(*this, op)))
      return failure();
    // C9
    if (auto sum = dyn_cast<SourceSumOp>(op))
      if (failed(verifySourceSum(*this, sum)))
        return failure();
  }
  if (graph && graph.getParentRegion() == &getBody())
    return emitOpError("makes its graph inside: define it outside");
  // C6
  if (!getHeads() && getBody().getNumArguments() != 0)
    return emitOpError("has a region argument: expected none without heads");
  // C4
  if (!getLowering())
    return success();
  if ((*getLowering() == Lowering::nodes) == hasMessage)
    return emitOpError(hasMessage
                           ? "has messages: expected lowering sparse or dense"
                           : "has no message: expected lowering nodes");
  if (*getLowering() == Lowering::dense) {
    auto type = cast<MPGraphType>(graph.getType());
    if (!type.mayHaveTiles())
      return emitOpError("cannot be lowered to dense tiles on ")
             << type
             << ": lower it as sparse, or give a graph of another topology or "
                "of an unknown one";
  }
  return success();
}
