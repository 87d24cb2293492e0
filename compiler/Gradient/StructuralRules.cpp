//===- StructuralRules.cpp - Cotangents of ops that are no formula --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps, reductions, look-ups, and what moves elements about.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value gradient::outerProduct(OpBuilder &b, Location loc, Value x, Value y) {
  SmallVector<int64_t> shape(getTensor(x).getShape());
  llvm::append_range(shape, getTensor(y).getShape());
  RankedTensorType type = getTensor(x).clone(shape);
  auto spread = [&](Value value, bool trailing) -> Value {
    if (value.getType() == type)
      return value;
    return mp::BroadcastOp::create(b, loc, type, value, trailing);
  };
  Value left = spread(x, false), right = spread(y, true);
  return arith::MulFOp::create(b, loc, left, right);
}

namespace clique::gradient {
struct StructuralRules {
  StructuralRules(ReverseSweep &sweep, Operation *op, Value g)
      : sweep(sweep), b(sweep.builder), loc(op->getLoc()), g(g) {}

  LogicalResult apply(mp::LinearOp op);
  LogicalResult apply(mp::ReduceOp op);
  LogicalResult apply(mp::BroadcastOp op);
  LogicalResult apply(mp::LookupOp op);
  LogicalResult apply(tensor::ConcatOp op);
  LogicalResult apply(tensor::ExtractSliceOp op);
  LogicalResult apply(tensor::CollapseShapeOp op);
  LogicalResult apply(tensor::ExpandShapeOp op);
  LogicalResult apply(tensor::CastOp op);
  LogicalResult apply(tensor::SplatOp op);
  LogicalResult apply(tensor::FromElementsOp op);

private:
  Value primal(Value value) { return sweep.primal(value); }
  Value zeros(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, getTensor(g).getElementType());
    return arith::ConstantOp::create(b, loc,
                                     cast<TypedAttr>(b.getZeroAttr(type)));
  }
  /// One dimension, or none, of all of a tensor's elements.
  Value flatten(Value value);
  Value reshape(Value value, RankedTensorType type);
  Value concat(int64_t dim, ValueRange parts) {
    return tensor::ConcatOp::create(b, loc, dim, parts);
  }
  /// Repeats `value` along new dimensions, which the result has at `dims`.
  Value repeat(Value value, RankedTensorType type, ArrayRef<int64_t> dims);
  Value repeatOnce(Value value, int64_t dim, int64_t size);
  Value addLinearOperand(mp::LinearOp op);

  ReverseSweep &sweep;
  OpBuilder &b;
  Location loc;
  Value g;
};
} // namespace clique::gradient

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value StructuralRules::reshape(Value value, RankedTensorType type) {
  RankedTensorType from = getTensor(value);
  if (from == type)
    return value;
  // A scalar has no reshapes: mp.broadcast and mp.reduce are for that.
  if (from.getRank() == 0)
    return mp::BroadcastOp::create(b, loc, type, value, false);
  if (type.getRank() == 0) {
    SmallVector<int64_t> all =
        llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
    return mp::ReduceOp::create(b, loc, type, mp::ReductionKind::sum, value,
                                all);
  }
  ReassociationIndices whole;
  for (int64_t dim = 0; dim < std::max(from.getRank(), type.getRank()); ++dim)
    whole.push_back(dim);
  if (type.getRank() == 1)
    return tensor::CollapseShapeOp::create(
        b, loc, type, value, ArrayRef<ReassociationIndices>(whole));
  if (from.getRank() == 1)
    return tensor::ExpandShapeOp::create(b, loc, type, value,
                                         ArrayRef<ReassociationIndices>(whole));
  return reshape(flatten(value), type);
}

Value StructuralRules::flatten(Value value) {
  RankedTensorType type = getTensor(value);
  return reshape(value, RankedTensorType::get({type.getNumElements()},
                                              type.getElementType()));
}

Value StructuralRules::repeatOnce(Value value, int64_t dim, int64_t size) {
  RankedTensorType type = getTensor(value);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, size);
  RankedTensorType result = type.clone(shape);
  if (dim == type.getRank() || dim == 0)
    return mp::BroadcastOp::create(b, loc, result, value,
                                   /*trailing=*/dim != type.getRank());
  // In the middle: copies side by side.
  shape[dim] = 1;
  SmallVector<ReassociationIndices> groups;
  for (int64_t k = 0, next = 0; k < type.getRank(); ++k) {
    ReassociationIndices &group = groups.emplace_back();
    group.push_back(next++);
    if (k + 1 == dim)
      group.push_back(next++);
  }
  Value one =
      tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value, groups);
  return concat(dim, SmallVector<Value>(size, one));
}

Value StructuralRules::repeat(Value value, RankedTensorType type,
                              ArrayRef<int64_t> dims) {
  for (int64_t dim : dims)
    value = repeatOnce(value, dim, type.getDimSize(dim));
  return value;
}

//===----------------------------------------------------------------------===//
// Linear maps, look-ups
//===----------------------------------------------------------------------===//

/// The cotangent of a linear map's x: the transposed map of g.
Value StructuralRules::addLinearOperand(mp::LinearOp op) {
  auto x = cast<RankedTensorType>(getGradientType(op.getX().getType()));
  int64_t rank = cast<RankedTensorType>(op.getWeights().getType()).getRank();
  Value weights = op.getWeights();
  if (getTensor(g).getRank() == 0)
    return arith::MulFOp::create(
        b, loc,
        repeat(g, x, llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()))),
        primal(weights));
  // Dimensions of the result first.
  auto permute = [&](int64_t kept) {
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, kept));
    for (int64_t dim = x.getRank(); dim < rank; ++dim)
      dims.push_back(kept + dim);
    for (int64_t dim = 0; dim < x.getRank(); ++dim)
      dims.push_back(kept + dim);
    return dims;
  };
  if (sweep.isOutside(weights)) {
    Value transposed = sweep.environment.transpose(weights, permute(0));
    return mp::LinearOp::create(b, loc, x, g, transposed, Value());
  }
  auto lookup = weights.getDefiningOp<mp::LookupOp>();
  if (lookup && sweep.isOutside(lookup.getTable())) {
    Value table = sweep.environment.transpose(lookup.getTable(), permute(1));
    auto row = RankedTensorType::get(getTensor(table).getShape().drop_front(),
                                     x.getElementType());
    Value transposed =
        mp::LookupOp::create(b, loc, row, table, primal(lookup.getIndex()));
    return mp::LinearOp::create(b, loc, x, g, transposed, Value());
  }
  // Weights of this edge alone: a dot product per element of x.
  int64_t ins = x.getNumElements(), outs = getTensor(g).getNumElements();
  auto matrix = RankedTensorType::get({ins, outs}, x.getElementType());
  Value rows = reshape(primal(weights), matrix);
  Value spread = repeatOnce(flatten(g), 0, ins);
  Value product = mp::DotOp::create(
      b, loc, RankedTensorType::get({ins}, x.getElementType()), rows, spread);
  return reshape(product, x);
}

LogicalResult StructuralRules::apply(mp::LinearOp op) {
  if (op.getBias())
    sweep.add(op.getBias(), g);
  if (sweep.isActive(op.getX()))
    sweep.add(op.getX(), addLinearOperand(op));
  Value weights = op.getWeights();
  if (!sweep.isActive(weights))
    return success();
  auto lookup = weights.getDefiningOp<mp::LookupOp>();
  if (sweep.isOutside(weights))
    sweep.terms.push_back({weights, Value(), primal(op.getX()), g});
  else if (lookup && sweep.isOutside(lookup.getTable()))
    sweep.terms.push_back(
        {lookup.getTable(), primal(lookup.getIndex()), primal(op.getX()), g});
  else
    sweep.add(weights, outerProduct(b, loc, primal(op.getX()), g));
  return success();
}

LogicalResult StructuralRules::apply(mp::LookupOp op) {
  if (!sweep.isOutside(op.getTable()))
    return op.emitOpError("looks up a table made in the region, whose gradient "
                          "mp-differentiate does not know: make the table "
                          "outside of it");
  sweep.terms.push_back({op.getTable(), primal(op.getIndex()), Value(), g});
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult StructuralRules::apply(mp::ReduceOp op) {
  auto type = cast<RankedTensorType>(getGradientType(op.getX().getType()));
  auto term = [&](Value value) { return Term(b, loc, value); };
  auto spread = [&](Term value) {
    return term(repeat(value.getValue(), type, op.getDims()));
  };
  int64_t count = 1;
  for (int64_t dim : op.getDims())
    count *= type.getDimSize(dim);
  switch (op.getKind()) {
  case mp::ReductionKind::sum:
    sweep.add(op.getX(), spread(term(g)).getValue());
    return success();
  case mp::ReductionKind::mean:
    sweep.add(op.getX(), spread(term(g) / double(count)).getValue());
    return success();
  case mp::ReductionKind::max:
  case mp::ReductionKind::min:
    break;
  }
  // Equal extrema share g.
  Term x = term(primal(op.getX()));
  Term wins = x == spread(term(primal(op.getResult())));
  Term ones = select(wins, x.number(1), 0);
  Term winners =
      term(mp::ReduceOp::create(b, loc, g.getType(), mp::ReductionKind::sum,
                                ones.getValue(), op.getDims()));
  // None is equal to NaN.
  winners = select(winners == 0, 1, winners);
  sweep.add(op.getX(), select(wins, spread(term(g) / winners), 0).getValue());
  return success();
}

LogicalResult StructuralRules::apply(mp::BroadcastOp op) {
  auto from = cast<RankedTensorType>(getGradientType(op.getX().getType()));
  int64_t added = getTensor(g).getRank() - from.getRank();
  int64_t first = op.getTrailing() ? 0 : from.getRank();
  Value sum = g;
  if (added)
    sum = mp::ReduceOp::create(
        b, loc, from, mp::ReductionKind::sum, g,
        llvm::to_vector(llvm::seq<int64_t>(first, first + added)));
  sweep.add(op.getX(), sum);
  return success();
}

//===----------------------------------------------------------------------===//
// Moved elements
//===----------------------------------------------------------------------===//

LogicalResult StructuralRules::apply(tensor::ConcatOp op) {
  int64_t offset = 0;
  int64_t dim = op.getDim();
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(getGradientType(input.getType()));
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), sizes,
        strides(type.getRank(), b.getIndexAttr(1));
    for (int64_t size : type.getShape())
      sizes.push_back(b.getIndexAttr(size));
    offsets[dim] = b.getIndexAttr(offset);
    offset += type.getDimSize(dim);
    sweep.add(input, tensor::ExtractSliceOp::create(b, loc, type, g, offsets,
                                                    sizes, strides));
  }
  return success();
}

LogicalResult StructuralRules::apply(tensor::ExtractSliceOp op) {
  auto source =
      cast<RankedTensorType>(getGradientType(op.getSource().getType()));
  auto isStatic = [](ArrayRef<int64_t> numbers) {
    return llvm::none_of(numbers, ShapedType::isDynamic);
  };
  if (!source.hasStaticShape() || !isStatic(op.getStaticOffsets()) ||
      !isStatic(op.getStaticSizes()) ||
      !llvm::all_of(op.getStaticStrides(), [](int64_t s) { return s == 1; }))
    return op.emitOpError(
        "has no derivative here: mp-differentiate knows "
        "slices with constant offsets and sizes and stride 1");
  Value padded = reshape(g, source.clone(op.getStaticSizes()));
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t before = op.getStaticOffsets()[dim];
    int64_t after = source.getDimSize(dim) - before - op.getStaticSizes()[dim];
    SmallVector<Value> parts;
    auto addZeros = [&](int64_t size) {
      SmallVector<int64_t> shape(getTensor(padded).getShape());
      shape[dim] = size;
      if (size)
        parts.push_back(zeros(shape));
    };
    addZeros(before);
    parts.push_back(padded);
    addZeros(after);
    if (parts.size() > 1)
      padded = concat(dim, parts);
  }
  sweep.add(op.getSource(), padded);
  return success();
}

LogicalResult StructuralRules::apply(tensor::CollapseShapeOp op) {
  auto type = cast<RankedTensorType>(getGradientType(op.getSrcType()));
  sweep.add(op.getSrc(), tensor::ExpandShapeOp::create(
                             b, loc, type, g, op.getReassociationIndices()));
  return success();
}

LogicalResult StructuralRules::apply(tensor::ExpandShapeOp op) {
  auto type = cast<RankedTensorType>(getGradientType(op.getSrcType()));
  sweep.add(op.getSrc(), tensor::CollapseShapeOp::create(
                             b, loc, type, g, op.getReassociationIndices()));
  return success();
}

LogicalResult StructuralRules::apply(tensor::CastOp op) {
  Type type = getGradientType(op.getSource().getType());
  sweep.add(op.getSource(), tensor::CastOp::create(b, loc, type, g));
  return success();
}

LogicalResult StructuralRules::apply(tensor::SplatOp op) {
  if (!getTensor(g).hasStaticShape())
    return op.emitOpError("has no derivative here: mp-differentiate knows "
                          "splats of static tensors");
  // In a region: a sum over features, which the function sums over nodes.
  auto scalar = RankedTensorType::get({}, getTensor(g).getElementType());
  sweep.add(op.getInput(), reshape(g, scalar));
  return success();
}

LogicalResult StructuralRules::apply(tensor::FromElementsOp op) {
  if (op.getElements().size() != 1)
    return op.emitOpError("has no derivative here: mp-differentiate knows "
                          "tensors of one element");
  auto scalar = RankedTensorType::get({}, getTensor(g).getElementType());
  sweep.add(op.getElements()[0], reshape(g, scalar));
  return success();
}

LogicalResult ReverseSweep::visitStructural(Operation *op, Value g) {
  StructuralRules rules(*this, op, g);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mp::LinearOp, mp::ReduceOp, mp::BroadcastOp, mp::LookupOp,
            tensor::ConcatOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::CastOp, tensor::SplatOp,
            tensor::FromElementsOp>([&](auto op) { return rules.apply(op); })
      .Default([](Operation *op) {
        return op->emitOpError("has no derivative: mp-differentiate knows no "
                               "rule for it");
      });
}
