//===- OuterProductRows.cpp - Sums of outer products in sparse rows -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for each chunk of a row's edges
//     for each edge                     gather its factors a_e, b_e
//     sum += [a_e ...] [b_e ...]^T      one product of matrices
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/RowLowering.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// That of the factor of all edges of a chunk: the features it shares with the
/// product have the product's numbers.
static Layout getChunkLayout(const OuterProduct::Factor &factor) {
  Layout layout = {kSrcAxis};
  for (int64_t dim : factor.dims)
    layout.push_back(static_cast<int>(dim));
  return layout;
}

Value RowLowering::emitProduct(const OuterProduct &product, ValueRange chunks,
                               Value count, Value state) {
  Lifter lifter(builder, 0, function.getShape().chunkEdges, {}, {});
  SmallVector<Lifted> factors;
  for (auto [factor, chunk] : llvm::zip_equal(product.factors, chunks))
    factors.push_back({sliceRows(builder, loc, chunk, constantIndex(0), count),
                       getChunkLayout(factor)});
  int64_t rank = cast<RankedTensorType>(state.getType()).getRank();
  return lifter
      .generic(loc, factors, {state, getCanonicalLayout(rank, false, false)},
               [](OpBuilder &b, Location loc, ValueRange args) {
                 return multiplyAdd(b, loc, args[0], args[1], args[2]);
               })
      .tensor;
}

FailureOr<SmallVector<Value>>
RowLowering::emitProductChunk(const Edge &firstEdge, Value count,
                              ValueRange states) {
  // Carried: the states that are no products, then the factors.
  auto dropProducts = [&](ValueRange all) {
    SmallVector<Value> others;
    for (auto [k, state] : llvm::enumerate(all))
      if (llvm::none_of(products, [&, k = k](const OuterProduct &product) {
            return product.state == k;
          }))
        others.push_back(state);
    return others;
  };
  auto withProducts = [&](ValueRange others, ValueRange of) {
    SmallVector<Value> all(others);
    for (const OuterProduct &product : products)
      all.insert(all.begin() + product.state, of[product.state]);
    return all;
  };
  SmallVector<Value> initial = dropProducts(states);
  const size_t numOthers = initial.size();
  for (const OuterProduct &product : products)
    for (const OuterProduct::Factor &factor : product.factors) {
      auto type = cast<RankedTensorType>(factor.value.getType());
      SmallVector<int64_t> sizes = {function.getShape().chunkEdges};
      llvm::append_range(sizes, type.getShape());
      initial.push_back(tensor::EmptyOp::create(
          builder, loc, sizes, getComputeType(type.getElementType())));
    }

  auto take = [&](Value place, ValueRange carried) {
    Edge edge = {firstEdge.row,
                 arith::AddIOp::create(builder, loc, firstEdge.position, place),
                 firstEdge.shift, firstEdge.dst};
    return emitEdge(
        edge, /*store=*/true,
        [&](Lifter &lifter,
            EdgeValues &values) -> FailureOr<SmallVector<Value>> {
          // Of the products nothing is taken: what computes them is dead.
          FailureOr<SmallVector<Value>> next = stream.accumulate(
              lifter, withProducts(carried.take_front(numOthers), states),
              values, {});
          if (failed(next))
            return failure();
          SmallVector<Value> result = dropProducts(*next);
          for (const OuterProduct &product : products)
            for (const OuterProduct::Factor &factor : product.factors) {
              FailureOr<Lifted> value =
                  lifter.lift(*product.region, factor.value);
              if (failed(value))
                return failure();
              Value row =
                  lifter.toCompute(loc, lifter.toCanonicalLayout(loc, *value))
                      .tensor;
              result.push_back(
                  insertRow(builder, loc, row, carried[result.size()], place));
            }
          return result;
        });
  };
  FailureOr<SmallVector<Value>> filled =
      emitLoop(constantIndex(0), count, 1, initial, take);
  if (failed(filled))
    return failure();
  SmallVector<Value> next =
      withProducts(ArrayRef(*filled).take_front(numOthers), states);
  for (auto [k, product] : llvm::enumerate(products))
    next[product.state] =
        emitProduct(product, ArrayRef(*filled).slice(numOthers + 2 * k, 2),
                    count, next[product.state]);
  return next;
}
