//===- LiftIndexed.cpp - Lifting of what an index chooses -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-ups gather. A tensor with one slice written into it is, as a whole, a
// select of each element; a sum adds the slice alone (ScatteredSum.cpp).
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/Lifting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// An index from 0 to `size` - 1; as an i32 if that holds it, of which twice as
/// many fit a vector.
static Value clampIndex(OpBuilder &b, Location loc, Value index, int64_t size) {
  const bool isShort = size <= std::numeric_limits<int32_t>::max();
  Type wanted = isShort ? b.getI32Type() : b.getI64Type();
  Type type = index.getType();
  if (!type.isIndex() &&
      type.getIntOrFloatBitWidth() < wanted.getIntOrFloatBitWidth()) {
    index = arith::ExtSIOp::create(b, loc, wanted, index);
    type = wanted;
  }
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  index = arith::MaxSIOp::create(b, loc, index, constant(0));
  index = arith::MinSIOp::create(b, loc, index, constant(size - 1));
  if (type == wanted)
    return index;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, wanted, index);
  return arith::TruncIOp::create(b, loc, wanted, index);
}

LogicalResult Lifter::liftLookup(Operation &op) {
  auto lookup = cast<mp::LookupOp>(op);
  Location loc = op.getLoc();
  FailureOr<Lifted> index = get(op, lookup.getIndex());
  FailureOr<Lifted> table = get(op, lookup.getTable());
  if (failed(index) || failed(table))
    return failure();
  if (table->has(kDstAxis) || table->has(kSrcAxis))
    return op.emitError("looks up a table that differs from node to node: "
                        "use a table from outside the region");
  auto type = cast<RankedTensorType>(lookup.getResult().getType());
  int64_t rows = table->getType().getDimSize(0);
  Layout layout = getLayout(type.getRank(), *index);
  lifts[lookup] = elementwise(
      loc, type.getShape(), table->getType().getElementType(), *index,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        // Outside the table: its first or last row.
        Value row = clampIndex(b, loc, args[0], rows);
        row = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
        SmallVector<Value> indices = {row};
        for (int64_t k = 0; k < type.getRank(); ++k)
          indices.push_back(linalg::IndexOp::create(
              b, loc, std::distance(layout.begin(), llvm::find(layout, k))));
        return tensor::ExtractOp::create(b, loc, table->tensor, indices);
      });
  return success();
}

/// A feature [1] as one without dimensions.
static Lifted dropDimension(OpBuilder &b, Location loc, const Lifted &value) {
  RankedTensorType type = value.getType();
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)), sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  auto place = llvm::find(value.layout, 0);
  Layout layout = value.layout;
  layout.erase(layout.begin() + (place - value.layout.begin()));
  RankedTensorType::Builder dropped(type);
  dropped.dropDim(place - value.layout.begin());
  return {tensor::ExtractSliceOp::create(b, loc, RankedTensorType(dropped),
                                         value.tensor, offsets, sizes, strides),
          layout};
}

LogicalResult Lifter::liftScatter(Operation &op) {
  auto scatter = cast<tensor::ScatterOp>(op);
  Location loc = op.getLoc();
  FailureOr<Lifted> source = get(op, scatter.getSource());
  FailureOr<Lifted> dest = get(op, scatter.getDest());
  FailureOr<Lifted> indices = get(op, scatter.getIndices());
  if (failed(source) || failed(dest) || failed(indices))
    return failure();
  RankedTensorType type = scatter.getResultType();
  const int dim = static_cast<int>(scatter.getScatterDims().front());
  const int64_t size = type.getDimSize(dim);
  Lifted number = elementwise(loc, {}, builder.getI32Type(),
                              dropDimension(builder, loc, *indices),
                              [&](OpBuilder &b, Location loc, ValueRange args) {
                                return clampIndex(b, loc, args[0], size);
                              });
  slices[scatter] = {*source, number};

  SmallVector<int32_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  Lifted numbers = {
      arith::ConstantOp::create(builder, loc, builder.getI32TensorAttr(all)),
      {dim}};
  Lifted slice = *source;
  for (int &axis : slice.layout)
    if (axis >= dim)
      ++axis;
  lifts[scatter] = elementwise(
      loc, type.getShape(), dest->getType().getElementType(),
      {*dest, slice, number, numbers},
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            args[2], args[3]);
        return arith::SelectOp::create(b, loc, isOwn, args[1], args[0]);
      });
  return success();
}
