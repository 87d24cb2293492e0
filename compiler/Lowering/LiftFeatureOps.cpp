//===- LiftFeatureOps.cpp - Lifting of the dialect's feature ops ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linear and dot become contractions (a GEMM on a tile), reductions and
// broadcasts keep their dimensions, and reshapes act on the feature dimensions
// between the axes.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/Lifting.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// Feature dimensions that are summed over get numbers from here on.
static constexpr int kReduced = 1000;

/// `value` with feature dimension k renamed to `names[k]`.
static Lifted rename(Lifted value, ArrayRef<int> names) {
  for (int &axis : value.layout)
    if (axis >= 0)
      axis = names[axis];
  return value;
}

Lifted Lifter::renameSummed(const Lifted &value, unsigned rank,
                            ArrayRef<int64_t> summed) {
  SmallVector<int> names;
  int next = 0;
  for (unsigned k = 0; k < rank; ++k)
    names.push_back(llvm::is_contained(summed, k)
                        ? kReduced + static_cast<int>(k)
                        : next++);
  return rename(value, names);
}

Lifted Lifter::contract(Location loc, RankedTensorType type, const Lifted &lhs,
                        const Lifted &rhs, std::optional<Lifted> init) {
  SmallVector<Lifted> operands = {lhs, rhs};
  if (init)
    operands.push_back(*init);
  Layout layout = getLayout(type.getRank(), operands);
  Lifted start = init
                     ? spread(loc, *init, type.getShape(), layout)
                     : fill(loc, type.getShape(),
                            getComputeType(type.getElementType()), layout, 0.0);
  return generic(loc, {lhs, rhs}, start,
                 [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                   return multiplyAdd(b, loc, args[0], args[1], args[2]);
                 });
}

LogicalResult Lifter::liftLinear(Operation &op) {
  auto linear = cast<mp::LinearOp>(op);
  Location loc = op.getLoc();
  FailureOr<Lifted> x = get(op, linear.getX());
  FailureOr<Lifted> weights = get(op, linear.getWeights());
  if (failed(x) || failed(weights))
    return failure();
  std::optional<Lifted> bias;
  if (linear.getBias()) {
    FailureOr<Lifted> lifted = get(op, linear.getBias());
    if (failed(lifted))
      return failure();
    bias = *lifted;
  }
  if (liftMapOfWinners(linear, *weights, bias ? &*bias : nullptr))
    return success();

  auto type = cast<RankedTensorType>(linear.getResult().getType());
  // The result has x's outer dimensions, then the rest of the weights'.
  SmallVector<int> outer, summed, rest;
  for (int64_t k = 0; k < type.getRank(); ++k)
    (k < linear.getNumOuterDims() ? outer : rest).push_back(k);
  for (int64_t k = 0; k < linear.getNumContractedDims(); ++k)
    summed.push_back(kReduced + k);
  Lifted lhs = rename(*x, llvm::to_vector(llvm::concat<int>(outer, summed)));
  Lifted rhs =
      rename(*weights, llvm::to_vector(llvm::concat<int>(summed, rest)));
  if (bias)
    bias = rename(*bias, rest);
  // Products are not computed again for every bias: one that differs along an
  // axis on which they do not depend is added behind them.
  Layout own = getLayout(type.getRank(), {lhs, rhs});
  if (!bias || llvm::all_of(bias->layout, [&](int axis) {
        return llvm::is_contained(own, axis);
      })) {
    lifts[linear] = contract(loc, type, lhs, rhs, bias);
    return success();
  }
  lifts[linear] =
      elementwise(loc, type.getShape(), getComputeType(type.getElementType()),
                  {contract(loc, type, lhs, rhs), *bias},
                  [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    return arith::AddFOp::create(b, loc, args[0], args[1]);
                  });
  return success();
}

LogicalResult Lifter::liftDot(Operation &op) {
  auto dot = cast<mp::DotOp>(op);
  FailureOr<Lifted> lhs = get(op, dot.getLhs());
  FailureOr<Lifted> rhs = get(op, dot.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  SmallVector<int> names;
  for (int64_t k = 0; k < type.getRank(); ++k)
    names.push_back(k);
  names.push_back(kReduced);
  lifts[dot] =
      contract(op.getLoc(), type, rename(*lhs, names), rename(*rhs, names));
  return success();
}

LogicalResult Lifter::liftReduce(Operation &op) {
  auto reduce = cast<mp::ReduceOp>(op);
  Location loc = op.getLoc();
  FailureOr<Lifted> x = get(op, reduce.getX());
  if (failed(x))
    return failure();
  auto type = cast<RankedTensorType>(reduce.getResult().getType());
  Type elementType = getComputeType(type.getElementType());
  mp::ReductionKind kind = reduce.getKind();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double identity = kind == mp::ReductionKind::max   ? -infinity
                    : kind == mp::ReductionKind::min ? infinity
                                                     : 0.0;
  Lifted init = fill(loc, type.getShape(), elementType,
                     getLayout(type.getRank(), *x), identity);

  SmallVector<int64_t> shape = getFeatureShape(*x);
  int64_t count = 1;
  for (int64_t dim : reduce.getDims())
    count *= shape[dim];
  Lifted result =
      generic(loc, renameSummed(*x, shape.size(), reduce.getDims()), init,
              [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                if (kind == mp::ReductionKind::max)
                  return arith::MaximumFOp::create(b, loc, args[1], args[0]);
                if (kind == mp::ReductionKind::min)
                  return arith::MinimumFOp::create(b, loc, args[1], args[0]);
                return arith::AddFOp::create(b, loc, args[1], args[0]);
              });
  if (kind == mp::ReductionKind::mean)
    result = elementwise(
        loc, type.getShape(), elementType, result,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value size = arith::ConstantOp::create(
              b, loc, b.getFloatAttr(elementType, static_cast<double>(count)));
          return arith::DivFOp::create(b, loc, args[0], size);
        });
  lifts[reduce] = result;
  return success();
}

LogicalResult Lifter::liftBroadcast(Operation &op) {
  auto broadcast = cast<mp::BroadcastOp>(op);
  FailureOr<Lifted> x = get(op, broadcast.getX());
  if (failed(x))
    return failure();
  auto type = cast<RankedTensorType>(broadcast.getResult().getType());
  SmallVector<int64_t> kept = broadcast.getKeptDims();
  SmallVector<int> names(kept.begin(), kept.end());
  lifts[broadcast] = elementwise(
      op.getLoc(), type.getShape(), x->getType().getElementType(),
      rename(*x, names),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  return success();
}

LogicalResult Lifter::liftNumber(Operation &op, const Lifted &known) {
  Type type =
      cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
  if (known.getType().getElementType() == type) {
    lifts[op.getResult(0)] = known;
    return success();
  }
  lifts[op.getResult(0)] =
      elementwise(op.getLoc(), {}, type, known,
                  [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    return arith::TruncIOp::create(b, loc, type, args[0]);
                  });
  return success();
}

LogicalResult Lifter::liftPosition(Operation &op) {
  auto position = cast<mp::PositionOp>(op);
  Location loc = op.getLoc();
  auto known = numbers.find(position.getEndpoint());
  if (known != numbers.end())
    return liftNumber(op, known->second);
  assert(position.getEndpoint() != mp::Endpoint::edge &&
         "every lowering of a message that asks maps them");
  bool dst = position.getEndpoint() == mp::Endpoint::dst;
  Axis axis = dst ? kDstAxis : kSrcAxis;
  Value base = dst ? dstBase : srcBase;
  int64_t size = dst ? dstSize : srcSize;
  Type type =
      cast<RankedTensorType>(position.getResult().getType()).getElementType();
  Layout layout;
  if (size > 0)
    layout.push_back(axis);
  lifts[position] =
      generic(loc, {}, empty(loc, {}, type, layout),
              [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                Value node = base;
                if (size > 0)
                  node = arith::AddIOp::create(
                      b, loc, node, linalg::IndexOp::create(b, loc, 0));
                return arith::IndexCastOp::create(b, loc, type, node);
              });
  return success();
}

//===----------------------------------------------------------------------===//
// Reshapes, slices, concatenation: feature dimensions change, axes stay
//===----------------------------------------------------------------------===//

LogicalResult Lifter::liftReshape(Operation &op) {
  FailureOr<Lifted> found = get(op, op.getOperand(0));
  if (failed(found))
    return failure();
  Location loc = op.getLoc();
  Lifted x = toCanonicalLayout(loc, *found);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  bool collapse = isa<tensor::CollapseShapeOp>(op);
  auto featureGroups =
      collapse ? cast<tensor::CollapseShapeOp>(op).getReassociationIndices()
               : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();

  Layout layout = getLayout(type.getRank(), x);
  SmallVector<int64_t> shape;
  for (int axis : layout)
    shape.push_back(axis >= 0 ? type.getDimSize(axis) : getSize(axis));
  auto resultType = RankedTensorType::get(shape, x.getType().getElementType());

  unsigned leading = x.has(kDstAxis) && !x.has(kSrcAxis) ? 1 : 0;
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  auto addAxis = [&] { groups.push_back({next++}); };
  for (unsigned k = 0; k < leading; ++k)
    addAxis();
  for (auto &group : featureGroups) {
    ReassociationIndices shifted;
    for (size_t k = 0; k < group.size(); ++k)
      shifted.push_back(next++);
    groups.push_back(shifted);
  }
  assert(!featureGroups.empty() && "the verifier knows no reshapes of scalars");
  for (unsigned k = leading; k < layout.size() - type.getRank(); ++k)
    addAxis();

  Value result;
  if (collapse)
    result = tensor::CollapseShapeOp::create(builder, loc, resultType, x.tensor,
                                             groups);
  else
    result = tensor::ExpandShapeOp::create(builder, loc, resultType, x.tensor,
                                           groups);
  lifts[op.getResult(0)] = {result, layout};
  return success();
}

LogicalResult Lifter::liftConcat(Operation &op) {
  auto concat = cast<tensor::ConcatOp>(op);
  Location loc = op.getLoc();
  auto type = concat.getResultType();
  SmallVector<Lifted> parts;
  for (Value input : concat.getInputs()) {
    FailureOr<Lifted> part = get(op, input);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  Layout layout = getLayout(type.getRank(), parts);
  Type elementType = getComputeType(type.getElementType());
  Lifted result = empty(loc, type.getShape(), elementType, layout);
  int64_t offset = 0;
  for (const Lifted &part : parts) {
    SmallVector<int64_t> partShape = getFeatureShape(part);
    // Every part is spread over all axes of the result.
    Lifted whole = spread(loc, part, layout);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (int axis : layout) {
      bool along = axis == static_cast<int>(concat.getDim());
      offsets.push_back(builder.getIndexAttr(along ? offset : 0));
      sizes.push_back(
          builder.getIndexAttr(axis >= 0 ? partShape[axis] : getSize(axis)));
      strides.push_back(builder.getIndexAttr(1));
    }
    result.tensor = tensor::InsertSliceOp::create(
        builder, loc, whole.tensor, result.tensor, offsets, sizes, strides);
    offset += partShape[concat.getDim()];
  }
  lifts[concat] = result;
  return success();
}

LogicalResult Lifter::liftExtractSlice(Operation &op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  Location loc = op.getLoc();
  FailureOr<Lifted> found = get(op, slice.getSource());
  if (failed(found))
    return failure();
  assert(!ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
         "the verifier knows constant offsets only");
  Lifted x = toCanonicalLayout(loc, *found);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Layout layout = getLayout(slice.getType().getRank(), x);
  for (int axis : x.layout) {
    offsets.push_back(
        builder.getIndexAttr(axis >= 0 ? slice.getStaticOffset(axis) : 0));
    sizes.push_back(builder.getIndexAttr(axis >= 0 ? slice.getStaticSize(axis)
                                                   : getSize(axis)));
    strides.push_back(
        builder.getIndexAttr(axis >= 0 ? slice.getStaticStride(axis) : 1));
    if (axis < 0 || !dropped.test(axis))
      shape.push_back(axis >= 0 ? slice.getStaticSize(axis) : getSize(axis));
  }
  auto type = RankedTensorType::get(shape, x.getType().getElementType());
  lifts[slice] = {tensor::ExtractSliceOp::create(builder, loc, type, x.tensor,
                                                 offsets, sizes, strides),
                  layout};
  return success();
}
