//===- WeightedSums.cpp - Sums of features times weights of edges ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a softmax adds up, and most gradients: the sum over edges of a feature
// times a weight of the edge, which is a product of matrices. Pairs that are no
// edges have the weight 0.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Lowering/AggregatorDetail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::detail;

std::optional<WeightedFeature> clique::detail::findWeighted(Lifter &lifter,
                                                            Value edges) {
  std::optional<ProductWithShared> shared = getProductWithShared(edges);
  if (!shared)
    return std::nullopt;
  arith::MulFOp product = shared->product;
  for (Value factor : product->getOperands()) {
    auto repeated = factor.getDefiningOp<mp::BroadcastOp>();
    if (!repeated || repeated.getTrailing())
      continue;
    Value other =
        factor == product.getLhs() ? product.getRhs() : product.getLhs();
    const Lifted *weight = lifter.find(repeated.getX());
    const Lifted *feature = lifter.find(other);
    if (!weight || !feature || !weight->has(kDstAxis) || !weight->has(kSrcAxis))
      continue;
    WeightedFeature weighted{*weight, *feature, isa<BlockArgument>(other),
                             !shared->summed.empty()};
    SmallVector<int64_t> dims = repeated.getKeptDims();
    for (int &axis : weighted.weight.layout)
      if (axis >= 0)
        axis = static_cast<int>(dims[axis]);
    const auto rank = unsigned(
        cast<RankedTensorType>(product.getResult().getType()).getRank());
    for (Lifted *factor : {&weighted.weight, &weighted.feature})
      *factor = Lifter::renameSummed(*factor, rank, shared->summed);
    return weighted;
  }
  return std::nullopt;
}

Lifted clique::detail::maskWeight(Lifter &lifter, Location loc,
                                  const Lifted &weight, const Lifted &mask) {
  RankedTensorType type = weight.getType();
  Value empty = tensor::EmptyOp::create(lifter.getBuilder(), loc,
                                        type.getShape(), type.getElementType());
  return lifter.generic(loc, {weight, mask}, {empty, weight.layout},
                        [](OpBuilder &b, Location loc, ValueRange args) {
                          return selectEdge(b, loc, args[1], args[0], 0.0);
                        });
}

Value clique::isAnyNotFinite(Lifter &lifter, Location loc,
                             const Lifted &value) {
  OpBuilder &builder = lifter.getBuilder();
  Type type = value.getType().getElementType();
  // x - x is 0, or NaN where x is infinite or NaN.
  Lifted sum =
      lifter.generic(loc, value, lifter.fill(loc, {}, type, {}, 0.0),
                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                       Value nothing =
                           arith::SubFOp::create(b, loc, args[0], args[0]);
                       return arith::AddFOp::create(b, loc, args[1], nothing);
                     });
  Value scalar = tensor::ExtractOp::create(builder, loc, sum.tensor);
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, scalar,
                               scalar);
}

/// The first columns of a tile, as many as `count` says.
static Lifted takeColumns(Lifter &lifter, Location loc, const Lifted &value,
                          Value count) {
  if (!value.has(kSrcAxis))
    return value;
  OpBuilder &builder = lifter.getBuilder();
  RankedTensorType type = value.getType();
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  sizes[llvm::find(value.layout, kSrcAxis) - value.layout.begin()] = count;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  return {tensor::ExtractSliceOp::create(builder, loc, value.tensor, offsets,
                                         sizes, strides),
          value.layout};
}

Lifted clique::detail::addWeighted(Lifter &lifter, Location loc,
                                   const WeightedFeature &weighted,
                                   const Lifted &sum, const EdgeTile &tile) {
  const Lifted &weight = weighted.weight, &value = weighted.feature;
  auto addAll = [&](const Lifted &sum) {
    SmallVector<Lifted> factors = {weight, value};
    if (!tile.mask && tile.numColumns)
      for (Lifted &factor : factors)
        factor = takeColumns(lifter, loc, factor, tile.numColumns);
    return lifter.generic(
        loc, factors, sum,
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return multiplyAdd(b, loc, args[0], args[1], args[2]);
        });
  };
  auto addEdges = [&](const Lifted &sum) {
    return lifter.generic(
        loc, {weight, value, *tile.mask}, sum,
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value received = selectEdge(b, loc, args[2], args[1], 0.0);
          return multiplyAdd(b, loc, args[0], received, args[3]);
        });
  };
  if (!tile.mask)
    return addAll(sum);
  if (value.has(kDstAxis))
    return addEdges(sum);

  // A loop of one round or none stands for the branch: what it carries is
  // updated in place, which bufferization does not see through scf.if.
  OpBuilder &builder = lifter.getBuilder();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value isAny = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(), isAnyNotFinite(lifter, loc, value));
  auto addIf = [&](Value rounds, const Lifted &sum,
                   llvm::function_ref<Lifted(const Lifted &)> add) -> Lifted {
    auto loop = scf::ForOp::create(builder, loc, zero, rounds, one, sum.tensor);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Lifted next = add({loop.getRegionIterArg(0), sum.layout});
    scf::YieldOp::create(builder, loc, next.tensor);
    return {loop.getResult(0), sum.layout};
  };
  Value isNone = arith::SubIOp::create(builder, loc, one, isAny);
  return addIf(isNone, addIf(isAny, sum, addEdges), addAll);
}
