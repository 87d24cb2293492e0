//===- ScatteredSum.cpp - Sums to which an edge adds a slice --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of a table that edges look up: sum[row] += x, edge after edge.
// Every destination has a sum of its own, so that nothing is written by two
// threads.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

namespace {
/// Where the loops over the axes of edges are.
struct Point {
  /// Null for an axis that there is no loop over.
  Value dst, src;

  Value get(int axis) const { return axis == kDstAxis ? dst : src; }
};

/// The part of a lifted value that belongs to one edge.
struct EdgePart {
  EdgePart(OpBuilder &b, const Lifted &value, const Point &point) {
    for (auto [axis, size] :
         llvm::zip_equal(value.layout, value.getType().getShape())) {
      const bool isFeature = axis >= 0;
      offsets.push_back(isFeature ? OpFoldResult(b.getIndexAttr(0))
                                  : OpFoldResult(point.get(axis)));
      sizes.push_back(b.getIndexAttr(isFeature ? size : 1));
    }
    strides.assign(offsets.size(), b.getIndexAttr(1));
  }
  Value extract(OpBuilder &b, Location loc, Value tensor,
                RankedTensorType type) const {
    if (type.getRank() == 0)
      return tensor::ExtractOp::create(
          b, loc, tensor, getValueOrCreateConstantIndexOp(b, loc, offsets));
    return tensor::ExtractSliceOp::create(b, loc, type, tensor, offsets, sizes,
                                          strides);
  }
  Value insert(OpBuilder &b, Location loc, Value part, Value tensor) const {
    if (!isa<RankedTensorType>(part.getType()))
      return tensor::InsertOp::create(
          b, loc, part, tensor,
          getValueOrCreateConstantIndexOp(b, loc, offsets));
    return tensor::InsertSliceOp::create(b, loc, part, tensor, offsets, sizes,
                                         strides);
  }

  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// `sum` after the slice of one edge.
static Value addSlice(Lifter &lifter, Location loc, const Lifted &sum,
                      const ScatteredSlice &slice, int64_t dim,
                      const Point &point) {
  OpBuilder &b = lifter.getBuilder();
  Value number = EdgePart(b, slice.number, point)
                     .extract(b, loc, slice.number.tensor,
                              RankedTensorType::get({}, b.getI32Type()));
  Value row = arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
  EdgePart place(b, sum, point);
  const auto position = llvm::find(sum.layout, dim) - sum.layout.begin();
  place.offsets[position] = row;
  place.sizes[position] = b.getIndexAttr(1);

  SmallVector<int64_t> shape = Lifter::getFeatureShape(slice.source);
  auto type = RankedTensorType::get(shape, sum.getType().getElementType());
  Value old = place.extract(b, loc, sum.tensor, type);
  Value own = EdgePart(b, slice.source, point)
                  .extract(b, loc, slice.source.tensor, type);
  auto add = [](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::AddFOp::create(b, loc, args[1], args[0],
                                 arith::FastMathFlags::contract);
  };
  if (shape.empty())
    return place.insert(b, loc, add(b, loc, {own, old}), sum.tensor);
  Layout layout = getCanonicalLayout(shape.size(), false, false);
  Lifted next = lifter.generic(loc, Lifted{own, layout}, {old, layout}, add);
  return place.insert(b, loc, next.tensor, sum.tensor);
}

Lifted clique::detail::addSlices(Lifter &lifter, Location loc,
                                 const Lifted &state,
                                 const ScatteredSlice &slice, int64_t dim,
                                 const EdgeTile &tile) {
  OpBuilder &b = lifter.getBuilder();
  ScatteredSlice own = slice;
  if (tile.mask)
    own.source = lifter.elementwise(
        loc, Lifter::getFeatureShape(slice.source),
        state.getType().getElementType(), withMask(slice.source, tile),
        [](OpBuilder &b, Location loc, ValueRange args) {
          return selectEdge(b, loc, args[1], args[0], 0.0);
        });
  own.source = lifter.toCanonicalLayout(loc, own.source);
  return addSum(
      lifter, loc, state, {own.source, own.number}, tile,
      [&](const Lifted &sum) -> Lifted {
        const bool hasDst = sum.has(kDstAxis),
                   hasSrc =
                       own.source.has(kSrcAxis) || own.number.has(kSrcAxis);
        Value zero = arith::ConstantIndexOp::create(b, loc, 0),
              one = arith::ConstantIndexOp::create(b, loc, 1);
        SmallVector<Value> ends;
        for (auto [axis, hasAxis] :
             {std::pair(kDstAxis, hasDst), std::pair(kSrcAxis, hasSrc)})
          if (hasAxis)
            ends.push_back(
                arith::ConstantIndexOp::create(b, loc, lifter.getSize(axis)));
        SmallVector<Value> begins(ends.size(), zero), steps(ends.size(), one);
        scf::LoopNest nest = scf::buildLoopNest(
            b, loc, begins, ends, steps, sum.tensor,
            [&](OpBuilder &inner, Location loc, ValueRange places,
                ValueRange carried) -> scf::ValueVector {
              OpBuilder::InsertionGuard guard(b);
              b.restoreInsertionPoint(inner.saveInsertionPoint());
              Point point{hasDst ? places.front() : Value(),
                          hasSrc ? places.back() : Value()};
              return {addSlice(lifter, loc, {carried.front(), sum.layout}, own,
                               dim, point)};
            });
        return {nest.results.front(), sum.layout};
      });
}
