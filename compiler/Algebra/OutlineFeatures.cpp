//===- OutlineFeatures.cpp - Feature ops at function level as updates -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-outline-features: what is of nodes goes into updates, what is of
// numbers of the caller leaves regions.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_OUTLINEFEATURESPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static bool hasRows(Value value) { return mp::hasRows(value.getType()); }

/// [[0, 1], [2], ...]: a first dimension of one row. A scalar has no group.
static SmallVector<ReassociationIndices> getRowGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    groups.push_back(dim == 0 ? ReassociationIndices{0, 1}
                              : ReassociationIndices{dim + 1});
  return groups;
}

static RankedTensorType withOneRow(RankedTensorType type) {
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// Dimensions of a feature, from those of a tensor with rows.
static void dropRows(Operation *op) {
  auto shift = [](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [](int64_t dim) { return dim - 1; });
  };
  if (auto reduce = dyn_cast<mp::ReduceOp>(op))
    reduce.setDims(shift(reduce.getDims()));
  if (auto broadcast = dyn_cast<mp::BroadcastOp>(op))
    if (std::optional<ArrayRef<int64_t>> dims = broadcast.getDims())
      broadcast.setDims(shift(*dims));
}

static void outline(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  const bool isOfNodes = hasRows(op->getResult(0));
  // What counts nodes; of a single vector the first operand is a node, of a
  // single row that is looked up its number.
  const unsigned single = isa<mp::LookupOp>(op) ? 1 : 0;
  SmallVector<OpOperand *> rows;
  for (OpOperand &operand : op->getOpOperands())
    if (isOfNodes ? hasRows(operand.get())
                  : operand.getOperandNumber() == single)
      rows.push_back(&operand);
  SmallVector<Value> nodes;
  for (OpOperand *operand : rows) {
    Value value = operand->get();
    auto type = cast<RankedTensorType>(value.getType());
    if (!isOfNodes)
      value = tensor::ExpandShapeOp::create(b, loc, withOneRow(type), value,
                                            getRowGroups(type.getRank()));
    nodes.push_back(value);
  }
  auto update = mp::UpdateOp::create(
      b, loc, nodes, TypeRange(isOfNodes ? result : withOneRow(result)));
  Block &body = update.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  Operation *inside = inner.clone(*op);
  for (auto [operand, arg] : llvm::zip_equal(rows, body.getArguments()))
    inside->setOperand(operand->getOperandNumber(), arg);
  if (isOfNodes) {
    inside->getResult(0).setType(mp::getNodeFeature(result));
    dropRows(inside);
  }
  mp::YieldOp::create(inner, loc, inside->getResults());
  Value value = update.getResult(0);
  if (!isOfNodes)
    value = tensor::CollapseShapeOp::create(b, loc, result, value,
                                            getRowGroups(result.getRank()));
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

static bool isStaticTensor(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape();
}

/// A feature op outside of the regions of mp. What is looked up in node or edge
/// features is no mathematics of one node.
static bool isAtFunctionLevel(Operation *op) {
  auto lookup = dyn_cast<mp::LookupOp>(op);
  const bool isOfOneNode = lookup ? isStaticTensor(lookup.getTable())
                                  : op->hasTrait<mp::FeatureOp>();
  return isOfOneNode && !isa<mp::MPDialect>(op->getParentOp()->getDialect());
}

/// Whether an op computes numbers, or puts them into a tensor of some shape.
static bool isOfNumbers(Operation *op) {
  if (!op || op->getNumResults() != 1)
    return false;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return isOfNumbers(op->getOperand(0).getDefiningOp());
  return isa<tensor::SplatOp, tensor::FromElementsOp>(op) ||
         op->getResult(0).getType().isIntOrIndexOrFloat();
}

/// Numbers in a region, and tensors of numbers, are the same for all edges or
/// nodes: they are computed in front of its op. Reshapes go along, or
/// canonicalisation would make tensors of numbers of them in the region.
static void leaveRegion(Operation *op) {
  Operation *layer = op->getParentOp();
  if (!isOfNumbers(op) || !isa<mp::MPDialect>(layer->getDialect()))
    return;
  auto isOutside = [&](Value value) {
    return !op->getParentRegion()->isAncestor(value.getParentRegion());
  };
  if (llvm::all_of(op->getOperands(), isOutside))
    op->moveBefore(layer);
}

namespace {
struct OutlineFeaturesPass
    : clique::impl::OutlineFeaturesPassBase<OutlineFeaturesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isAtFunctionLevel(op))
        found.push_back(op);
      leaveRegion(op);
    });
    for (Operation *op : found)
      outline(op);
  }
};
} // namespace
