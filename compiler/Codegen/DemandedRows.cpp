//===- DemandedRows.cpp - Parts of tensors that are read ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/DemandedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace clique;

/// The dimension along which the slice has the first elements, as many as a
/// value of the entry block says; the others may be cut anyhow.
static std::optional<unsigned> getCutDim(tensor::ExtractSliceOp op,
                                         Value &size) {
  for (unsigned d = 0; d < op.getMixedSizes().size(); ++d) {
    auto extent = dyn_cast<Value>(op.getMixedSizes()[d]);
    if (!extent || getConstantIntValue(op.getMixedOffsets()[d]) != 0 ||
        getConstantIntValue(op.getMixedStrides()[d]) != 1)
      continue;
    size = extent;
    return d;
  }
  return std::nullopt;
}

/// The dimension along which the slice has one step of a loop from 0 to a value
/// that only a run knows.
static std::optional<unsigned> getStepDim(tensor::ExtractSliceOp op,
                                          Value &size, int64_t &step) {
  for (unsigned d = 0; d < op.getMixedSizes().size(); ++d) {
    auto place = dyn_cast_if_present<BlockArgument>(
        dyn_cast<Value>(op.getMixedOffsets()[d]));
    auto loop = place ? dyn_cast<scf::ForOp>(place.getOwner()->getParentOp())
                      : scf::ForOp();
    if (!loop || place != loop.getInductionVar() ||
        getConstantIntValue(loop.getLowerBound()) != 0 ||
        getConstantIntValue(loop.getUpperBound()) ||
        getConstantIntValue(op.getMixedStrides()[d]) != 1)
      continue;
    std::optional<int64_t> length = getConstantIntValue(loop.getStep());
    if (!length || getConstantIntValue(op.getMixedSizes()[d]) != length)
      continue;
    size = loop.getUpperBound();
    step = *length;
    return d;
  }
  return std::nullopt;
}

/// Whether a slice has all of a dimension of static size.
template <typename SliceOp>
static bool isWhole(SliceOp op, RankedTensorType type, unsigned dim) {
  return !type.isDynamicDim(dim) &&
         getConstantIntValue(op.getMixedOffsets()[dim]) == 0 &&
         getConstantIntValue(op.getMixedSizes()[dim]) == type.getDimSize(dim) &&
         getConstantIntValue(op.getMixedStrides()[dim]) == 1;
}

/// The dimension of the slice that is dimension `dim` of what it is taken from.
template <typename SliceOp>
static unsigned getKeptDim(SliceOp op, unsigned dim) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  unsigned kept = 0;
  for (unsigned d = 0; d < dim; ++d)
    kept += dropped.test(d) ? 0 : 1;
  return kept;
}

/// The dimension `dim` of a reshaped tensor on the other side, if it is alone
/// there; `isExpanded`: the dimension is one of the side with more of them.
static std::optional<unsigned> getAlone(ArrayRef<ReassociationIndices> groups,
                                        unsigned dim, bool isExpanded) {
  for (auto [k, group] : llvm::enumerate(groups)) {
    if (isExpanded ? !llvm::is_contained(group, int64_t(dim)) : k != dim)
      continue;
    if (group.size() != 1)
      return std::nullopt;
    return isExpanded ? k : group.front();
  }
  return std::nullopt;
}

/// Whether a value of the entry block is there when an op of it, or inside one
/// of it, runs.
static bool isKnownBefore(Value value, Operation *op) {
  Operation *made = value.getDefiningOp();
  return !made ||
         made->isBeforeInBlock(made->getBlock()->findAncestorOpInBlock(*op));
}

DemandedRows::DemandedRows(func::FuncOp function) {
  // All slices that cut a dimension and are stored agree on the count.
  bool isSafe = true;
  function.walk([&](Operation *op) {
    // What an element is read from may lie nowhere.
    if (op->getParentOfType<linalg::LinalgOp>())
      isSafe &= isa<linalg::LinalgDialect>(op->getDialect()) ||
                (isSpeculatable(op) && !isa<tensor::ExtractOp>(op));
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    Value size;
    if (slice && !count && slice.getSourceType().hasStaticShape() &&
        (getCutDim(slice, size) || getStepDim(slice, size, step)) &&
        size.getParentBlock() == &function.getBody().front())
      count = size;
  });
  if (!isSafe)
    count = {};
  if (!count)
    return;
  step = 1;
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    ops.push_back(op);
    Value size;
    int64_t length = 1;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
        slice && getStepDim(slice, size, length) && size == count)
      step = std::max(step, length);
  });
  do {
    hasChanged = false;
    for (Operation *op : llvm::reverse(ops))
      visit(op);
  } while (hasChanged);
}

Value DemandedRows::getBound() const {
  if (!count || step == 1)
    return count;
  OpBuilder b(count.getContext());
  b.setInsertionPointAfterValue(count);
  Value rows = arith::ConstantIndexOp::create(b, count.getLoc(), step);
  Value steps = arith::CeilDivUIOp::create(b, count.getLoc(), count, rows);
  return arith::MulIOp::create(b, count.getLoc(), steps, rows);
}

std::optional<unsigned> DemandedRows::getLoop(linalg::LinalgOp op) const {
  if (!count || !isKnownBefore(count, op))
    return std::nullopt;
  std::optional<unsigned> common;
  for (auto [result, init] :
       llvm::zip_equal(op->getResults(), op.getDpsInitsMutable())) {
    Demand demanded = get(result);
    if (demanded.isAll)
      return std::nullopt;
    if (!demanded.dim)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(*demanded.dim));
    if (!dim || (common && *common != dim.getPosition()))
      return std::nullopt;
    common = dim.getPosition();
  }
  if (!common ||
      !linalg::isParallelIterator(op.getIteratorTypesArray()[*common]))
    return std::nullopt;
  // The last step may end behind the count, not behind the rows.
  int64_t size = op.getStaticLoopRanges()[*common];
  if (step > 1 && (ShapedType::isDynamic(size) || size % step))
    return std::nullopt;
  return common;
}

void DemandedRows::demand(Value tensor, Demand demanded) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return;
  Demand &known = demands[tensor];
  Demand both = known;
  if (demanded.isAll ||
      (known.dim && demanded.dim && known.dim != demanded.dim))
    both = all;
  else if (!known.isAll && demanded.dim)
    both.dim = demanded.dim;
  hasChanged |= !(both == known);
  known = both;
}

void DemandedRows::visitLinalg(linalg::LinalgOp op) {
  const bool isRead = llvm::any_of(op->getResults(), [&](Value result) {
    return get(result).isAll || get(result).dim;
  });
  if (!isRead)
    return;
  std::optional<unsigned> loop = getLoop(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Demand needed = all;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [d, place] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(place);
          dim && loop == dim.getPosition())
        needed = {/*isAll=*/false, unsigned(d)};
    demand(operand.get(), needed);
  }
}

void DemandedRows::visitSlice(tensor::ExtractSliceOp op) {
  Value size;
  std::optional<unsigned> dim = getCutDim(op, size);
  if (!dim || size != count) {
    int64_t length = 1;
    dim = getStepDim(op, size, length);
    if (step % length)
      dim = std::nullopt;
  }
  if (dim && size == count)
    return demand(op.getSource(), {/*isAll=*/false, dim});
  Demand demanded = get(op.getResult());
  if (demanded.isAll)
    return demand(op.getSource(), all);
  if (!demanded.dim)
    return;
  RankedTensorType type = op.getSourceType();
  for (unsigned d = 0; d < type.getRank(); ++d)
    if (!op.getDroppedDims().test(d) && getKeptDim(op, d) == *demanded.dim)
      return demand(op.getSource(),
                    isWhole(op, type, d) ? Demand{/*isAll=*/false, d} : all);
}

void DemandedRows::visitInsertion(tensor::InsertSliceOp op) {
  Demand demanded = get(op.getResult());
  if (!demanded.isAll && !demanded.dim)
    return;
  demand(op.getDest(), demanded);
  Demand needed = all;
  if (demanded.dim && isWhole(op, op.getDestType(), *demanded.dim) &&
      !op.getDroppedDims().test(*demanded.dim))
    needed = {/*isAll=*/false, getKeptDim(op, *demanded.dim)};
  demand(op.getSource(), needed);
}

void DemandedRows::visitReshape(Operation *op) {
  Demand demanded = get(op->getResult(0));
  if (!demanded.isAll && !demanded.dim)
    return;
  Demand needed = all;
  if (demanded.dim) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    auto groups =
        expand ? expand.getReassociationIndices()
               : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
    if (std::optional<unsigned> dim =
            getAlone(groups, *demanded.dim, /*isExpanded=*/bool(expand)))
      needed = {/*isAll=*/false, dim};
  }
  demand(op->getOperand(0), needed);
}

void DemandedRows::visitLoop(scf::ForOp op) {
  for (auto [result, arg, init, yielded] :
       llvm::zip_equal(op.getResults(), op.getRegionIterArgs(),
                       op.getInitArgs(), op.getYieldedValues()))
    for (Demand demanded : {get(result), get(arg)}) {
      demand(init, demanded);
      demand(yielded, demanded);
    }
}

void DemandedRows::visit(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(structured);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return visitSlice(slice);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return visitInsertion(insertion);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return visitReshape(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp>(op->getParentOp()))
    return;
  for (Value operand : op->getOperands())
    demand(operand, all);
}
