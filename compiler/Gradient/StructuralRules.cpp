//===- StructuralRules.cpp - Cotangents of ops that are no formula --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps, reductions, look-ups, and what moves elements about.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/TensorTypes.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static SmallVector<int64_t> makeRange(int64_t first, int64_t last) {
  return llvm::to_vector(llvm::seq<int64_t>(first, last));
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
  Value repeat(Value value, RankedTensorType type, ArrayRef<int64_t> dims) {
    if (dims.empty())
      return value;
    return mp::BroadcastOp::create(b, loc, type, value, dims);
  }
  /// The sum over some dimensions.
  Value sum(Value value, ArrayRef<int64_t> dims, RankedTensorType type) {
    if (dims.empty())
      return value;
    return mp::ReduceOp::create(b, loc, type, mp::ReductionKind::sum, value,
                                dims);
  }
  Value addLinearOperand(mp::LinearOp op);
  /// The products of `g` and weights that the region makes, which may be
  /// infinite on the way to a select.
  Value multiplyByWeights(mp::LinearOp op, Value g, Value weights);
  /// Whether a cotangent of 0 stays 0 by what a linear map reads. An argument
  /// is a tensor of the caller's, which is given as it is.
  bool keepsZeros(mp::LinearOp op, Value read) {
    return sweep.keptZeros.isBeforeSelect(op) ||
           (sweep.environment.keepsZeros && !isa<BlockArgument>(read));
  }
  /// Zeros between the entries of a dimension, so that they are `stride` apart.
  Value addGaps(Value value, int64_t dim, int64_t stride);

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
  if (type.getRank() == 0)
    return sum(value, makeRange(0, from.getRank()), type);
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

//===----------------------------------------------------------------------===//
// Linear maps, look-ups
//===----------------------------------------------------------------------===//

Value StructuralRules::multiplyByWeights(mp::LinearOp op, Value g,
                                         Value weights) {
  Value product = arith::MulFOp::create(b, loc, g, weights);
  if (sweep.isOutside(op.getWeights()) || !keepsZeros(op, op.getWeights()))
    return product;
  return keepZeros(Term(b, loc, g), Term(b, loc, product)).getValue();
}

/// The cotangent of a linear map's x: the transposed map of g.
Value StructuralRules::addLinearOperand(mp::LinearOp op) {
  auto x = cast<RankedTensorType>(getGradientType(op.getX().getType()));
  const int64_t rank =
      cast<RankedTensorType>(op.getWeights().getType()).getRank();
  const int64_t outer = op.getNumOuterDims(), ins = op.getNumContractedDims();
  Value weights = op.getWeights();
  // A map to one number each.
  if (rank == ins) {
    Value spread = repeat(g, x, makeRange(outer, x.getRank()));
    Value rows = repeat(primal(weights), x, makeRange(0, outer));
    return multiplyByWeights(op, spread, rows);
  }
  // Dimensions of the result first.
  auto permute = [&](int64_t kept) {
    SmallVector<int64_t> dims = makeRange(0, kept);
    llvm::append_range(dims, makeRange(kept + ins, kept + rank));
    llvm::append_range(dims, makeRange(kept, kept + ins));
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
  auto withOuts = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> all(shape);
    all.push_back(getTensor(weights).getNumElements() / op.getContractedSize());
    return x.clone(all);
  };
  RankedTensorType all = withOuts(x.getShape());
  Value rows =
      reshape(primal(weights), withOuts(x.getShape().drop_front(outer)));
  Value columns = reshape(g, withOuts(x.getShape().take_front(outer)));
  rows = repeat(rows, all, makeRange(0, outer));
  columns = repeat(columns, all, makeRange(outer, x.getRank()));
  if (!keepsZeros(op, weights))
    return mp::DotOp::create(b, loc, x, rows, columns);
  return sum(multiplyByWeights(op, columns, rows), {x.getRank()}, x);
}

LogicalResult StructuralRules::apply(mp::LinearOp op) {
  const int64_t outer = op.getNumOuterDims();
  if (Value bias = op.getBias())
    sweep.add(bias,
              sum(g, makeRange(0, outer),
                  cast<RankedTensorType>(getGradientType(bias.getType()))));
  if (sweep.isActive(op.getX()))
    sweep.add(op.getX(), addLinearOperand(op));
  Value weights = op.getWeights();
  if (!sweep.isActive(weights))
    return success();
  auto lookup = weights.getDefiningOp<mp::LookupOp>();
  const bool isTakenOut = sweep.keptZeros.isBeforeSelect(op);
  auto multiply = [&] {
    Value x = primal(op.getX());
    return outerProduct(b, loc, isTakenOut ? sweep.keepZeros(x, g) : x, g,
                        outer);
  };
  auto getFactor = [&] {
    Value x = primal(op.getX());
    return keepsZeros(op, op.getX()) ? sweep.keepZeros(x, g) : x;
  };
  if (sweep.isOutside(weights))
    sweep.terms.push_back({weights, Value(), getFactor(), g, outer});
  else if (!lookup || !sweep.isOutside(lookup.getTable()))
    sweep.add(weights, multiply());
  else if (outer > 0)
    sweep.terms.push_back(
        {lookup.getTable(), primal(lookup.getIndex()), Value(), multiply()});
  else
    sweep.terms.push_back(
        {lookup.getTable(), primal(lookup.getIndex()), getFactor(), g});
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
  sweep.add(op.getX(), sum(g, op.getNewDims(), from));
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
    if (type.getNumElements() == 0)
      continue;
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

Value StructuralRules::addGaps(Value value, int64_t dim, int64_t stride) {
  RankedTensorType type = getTensor(value);
  const int64_t size = type.getDimSize(dim);
  if (stride == 1 || size <= 1)
    return value;
  // [.., size, 1, ..], as many zeros behind each, and the last ones off.
  SmallVector<int64_t> apart(type.getShape()), joined = apart;
  apart.insert(apart.begin() + dim + 1, 1);
  joined[dim] = size * stride;
  SmallVector<int64_t> gaps = apart;
  gaps[dim + 1] = stride - 1;
  Value spread =
      concat(dim + 1, {reshape(value, type.clone(apart)), zeros(gaps)});
  Value rows = reshape(spread, type.clone(joined));
  SmallVector<int64_t> offsets(joined.size(), 0), strides(joined.size(), 1);
  joined[dim] -= stride - 1;
  return tensor::ExtractSliceOp::create(b, loc, type.clone(joined), rows,
                                        ValueRange(), ValueRange(),
                                        ValueRange(), offsets, joined, strides);
}

LogicalResult StructuralRules::apply(tensor::ExtractSliceOp op) {
  auto source =
      cast<RankedTensorType>(getGradientType(op.getSource().getType()));
  Value padded = reshape(g, source.clone(op.getStaticSizes()));
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    padded = addGaps(padded, dim, op.getStaticStrides()[dim]);
    int64_t before = op.getStaticOffsets()[dim];
    int64_t after =
        source.getDimSize(dim) - before - getTensor(padded).getDimSize(dim);
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
  Value rows = g;
  if (!getTensor(rows).hasStaticShape()) {
    if (ShapedType::isDynamicShape(getTensor(rows).getShape().drop_front()))
      return op.emitOpError("has no derivative here: mp-differentiate knows "
                            "splats whose dimensions after the first are "
                            "static");
    rows = sumOverNodes(b, loc, Value(), rows);
  }
  auto scalar = RankedTensorType::get({}, getTensor(g).getElementType());
  Value total = reshape(rows, scalar);
  sweep.add(op.getInput(),
            tensor::ExtractOp::create(b, loc, total, ValueRange()));
  return success();
}

LogicalResult StructuralRules::apply(tensor::FromElementsOp op) {
  Value all = flatten(g);
  for (auto [k, value] : llvm::enumerate(op.getElements())) {
    Value position = arith::ConstantIndexOp::create(b, loc, k);
    sweep.add(value, tensor::ExtractOp::create(b, loc, all, position));
  }
  return success();
}

LogicalResult ReverseSweep::visitStructural(Operation *op, Value g) {
  StructuralRules rules(*this, op, g);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mp::LinearOp, mp::ReduceOp, mp::BroadcastOp, mp::LookupOp,
            tensor::ConcatOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::CastOp, tensor::SplatOp,
            tensor::FromElementsOp>([&](auto op) { return rules.apply(op); })
      .Case([&](tensor::ScatterOp op) { return visitScatter(op, g); })
      .Default([](Operation *op) {
        return op->emitOpError("has no derivative: mp-differentiate knows no "
                               "rule for it");
      });
}
