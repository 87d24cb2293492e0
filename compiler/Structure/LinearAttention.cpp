//===- LinearAttention.cpp - Sums weighted by inner products --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// q and k are [heads..., K], b is [heads..., E...]: the product over the nodes
// is [heads..., K, E...], a matrix [K, E] for each head.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/LinearAttention.h"
#include "compiler/Structure/AggregationParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// The maps of heads are ops of their own.
constexpr int64_t kMostHeads = 32;

static ArrayRef<int64_t> getHeads(const SeparatedValue &value) {
  return getFeature(value.key).getShape().drop_back();
}

bool clique::canMapByProduct(const SeparatedValue &value,
                             RankedTensorType feature) {
  return value.query && value.source && !isHalf(feature) &&
         ShapedType::getNumElements(getHeads(value)) <= kMostHeads;
}

/// sum_j k_j b_j^T of each head.
static Value makeProduct(OpBuilder &builder, Location loc, Value keys,
                         Value values, unsigned numHeadDims) {
  auto keyType = getFeature(keys), valueType = getFeature(values);
  const unsigned numValueDims = valueType.getRank() - 1 - numHeadDims;
  const unsigned rank = numHeadDims + 1 + numValueDims;
  // Loops: heads, K, E, nodes.
  SmallVector<AffineExpr> key, value, product;
  AffineExpr node = builder.getAffineDimExpr(rank);
  key.push_back(node);
  value.push_back(node);
  SmallVector<int64_t> shape;
  for (unsigned dim = 0; dim < rank; ++dim) {
    AffineExpr loop = builder.getAffineDimExpr(dim);
    product.push_back(loop);
    if (dim <= numHeadDims)
      key.push_back(loop);
    if (dim != numHeadDims)
      value.push_back(loop);
    shape.push_back(dim <= numHeadDims ? keyType.getDimSize(dim + 1)
                                       : valueType.getDimSize(dim));
  }
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> exprs :
       {ArrayRef(key), ArrayRef(value), ArrayRef(product)})
    maps.push_back(AffineMap::get(rank + 1, 0, exprs, builder.getContext()));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  auto type = RankedTensorType::get(shape, keyType.getElementType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{keys, values}, zero, maps, loops,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value p = arith::MulFOp::create(b, loc, args[0], args[1]);
               Value s = arith::AddFOp::create(b, loc, args[2], p);
               linalg::YieldOp::create(b, loc, s);
             })
      .getResult(0);
}

/// The part of one head, whose dimensions, the leading ones, it loses; what is
/// left has rank 1 at least.
static Value sliceHead(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<int64_t> head) {
  if (head.empty())
    return tensor;
  RankedTensorType type = getFeature(tensor);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    const bool isHead = dim < int64_t(head.size());
    offsets.push_back(builder.getIndexAttr(isHead ? head[dim] : 0));
    sizes.push_back(builder.getIndexAttr(isHead ? 1 : type.getDimSize(dim)));
    strides.push_back(builder.getIndexAttr(1));
  }
  auto slice = RankedTensorType::get(type.getShape().drop_front(head.size()),
                                     type.getElementType());
  return tensor::ExtractSliceOp::create(builder, loc, slice, tensor, offsets,
                                        sizes, strides);
}

static SmallVector<SmallVector<int64_t>> listHeads(ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<int64_t>> heads = {{}};
  for (int64_t size : shape) {
    SmallVector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &head : heads)
      for (int64_t number = 0; number < size; ++number) {
        longer.push_back(head);
        longer.back().push_back(number);
      }
    heads = longer;
  }
  return heads;
}

/// Features of shape [n] as one of shape [heads, n...]; a scalar as it is.
static Value joinHeads(OpBuilder &b, Location loc, ArrayRef<Value> heads,
                       RankedTensorType type) {
  Value joined = heads.size() == 1
                     ? heads.front()
                     : tensor::ConcatOp::create(b, loc, 0, heads).getResult();
  if (type.getRank() <= 1)
    return joined;
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  return tensor::ExpandShapeOp::create(b, loc, type, joined,
                                       ArrayRef<ReassociationIndices>(all));
}

Value clique::mapByProduct(OpBuilder &builder, mp::MessageOp message,
                           const SeparatedValue &value) {
  Location loc = message.getLoc();
  Value keys = computeAtNodes(builder, message, value.key, mp::Endpoint::src);
  Value values =
      computeAtNodes(builder, message, value.source, mp::Endpoint::src);
  ArrayRef<int64_t> heads = getHeads(value);
  Value product = makeProduct(builder, loc, keys, values, heads.size());

  const int64_t depth = getFeature(value.key).getShape().back();
  const SmallVector<SmallVector<int64_t>> numbers = listHeads(heads);
  RankedTensorType type = getFeature(value.source);
  const int64_t width = type.getNumElements() / int64_t(numbers.size());
  auto row = RankedTensorType::get({width}, type.getElementType());
  if (type.getRank() == 0)
    row = type;
  SmallVector<Value> maps;
  for (ArrayRef<int64_t> head : numbers) {
    Value map = sliceHead(builder, loc, product, head);
    // [K, E...] as a matrix; [K] of a scalar as it is.
    auto matrix = RankedTensorType::get({depth, width}, type.getElementType());
    auto reassociation =
        getReassociationIndicesForReshape(getFeature(map), matrix);
    if (getFeature(map).getRank() > 2)
      map = tensor::CollapseShapeOp::create(builder, loc, matrix, map,
                                            *reassociation);
    else if (getFeature(map).getRank() < 2 && type.getRank() > 0)
      map = tensor::ExpandShapeOp::create(builder, loc, matrix, map,
                                          *reassociation);
    maps.push_back(map);
  }
  return makeUpdate(builder, loc, message.getDst(), type,
                    [&](OpBuilder &b, ValueRange args) -> Value {
                      IRMapping mapping;
                      mapping.map(message.getDstArgs(), args);
                      Value query = cloneWithOperands(b, value.query, mapping);
                      SmallVector<Value> results;
                      for (auto [head, map] : llvm::zip_equal(numbers, maps))
                        results.push_back(mp::LinearOp::create(
                            b, loc, row, sliceHead(b, loc, query, head), map,
                            /*bias=*/Value()));
                      return joinHeads(b, loc, results, type);
                    });
}

//===----------------------------------------------------------------------===//
// Over parts of the nodes
//===----------------------------------------------------------------------===//

bool clique::canKeepStates(const SeparatedValue &value,
                           RankedTensorType feature) {
  constexpr int64_t mostElements = 4096;
  return canMapByProduct(value, feature) &&
         feature.getRank() == getFeature(value.key).getRank() &&
         getFeature(value.key).getShape().back() * feature.getNumElements() <=
             mostElements;
}

/// A message of the sources and destinations given, whose values are summed.
static SmallVector<Value> sumMessage(
    OpBuilder &builder, Location loc, Value graph, ValueRange dst,
    ValueRange src, ArrayRef<RankedTensorType> features,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  SmallVector<Type> edges, nodes;
  for (RankedTensorType feature : features) {
    edges.push_back(mp::EdgesType::get(feature));
    nodes.push_back(mp::getNodesType(feature));
  }
  auto message = mp::MessageOp::create(builder, loc, graph, dst, src,
                                       /*edge=*/{}, edges);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = message.getBody().front();
    builder.setInsertionPointToEnd(&block);
    SmallVector<Value> values = body(builder, block.getArguments());
    mp::YieldOp::create(builder, loc, values);
  }
  auto sums = mp::AggregateOp::create(builder, loc, nodes, graph,
                                      mp::AggregatorKind::sum,
                                      /*score=*/Value(), message.getResults());
  return SmallVector<Value>(sums.getResults());
}

SmallVector<Value> clique::sumStates(OpBuilder &builder, Value graph,
                                     mp::MessageOp message,
                                     const SeparatedValue &value) {
  Location loc = message.getLoc();
  Value keys = computeAtNodes(builder, message, value.key, mp::Endpoint::src);
  Value values =
      computeAtNodes(builder, message, value.source, mp::Endpoint::src);
  const auto heads = listHeads(getHeads(value));
  auto state =
      RankedTensorType::get({getFeature(value.key).getShape().back(),
                             getFeature(value.source).getShape().back()},
                            getFeature(value.key).getElementType());
  SmallVector<RankedTensorType> states(heads.size(), state);
  return sumMessage(
      builder, loc, graph, {}, {keys, values}, states,
      [&](OpBuilder &b, ValueRange args) {
        SmallVector<Value> products;
        for (ArrayRef<int64_t> head : heads) {
          Value key = mp::BroadcastOp::create(
              b, loc, state, sliceHead(b, loc, args[0], head), false);
          Value row = mp::BroadcastOp::create(
              b, loc, state, sliceHead(b, loc, args[1], head), true);
          products.push_back(arith::MulFOp::create(b, loc, key, row));
        }
        return products;
      });
}

Value clique::applyStates(OpBuilder &builder, Value graph, ValueRange states,
                          mp::MessageOp message, const SeparatedValue &value) {
  Location loc = message.getLoc();
  Value queries =
      computeAtNodes(builder, message, value.query, mp::Endpoint::dst);
  const auto heads = listHeads(getHeads(value));
  RankedTensorType type = getFeature(value.source);
  auto row = type.clone(ArrayRef(type.getShape().back()));
  return sumMessage(builder, loc, graph, queries, states, type,
                    [&](OpBuilder &b, ValueRange args) {
                      SmallVector<Value> rows;
                      for (auto [head, state] :
                           llvm::zip_equal(heads, args.drop_front()))
                        rows.push_back(mp::LinearOp::create(
                            b, loc, row, sliceHead(b, loc, args[0], head),
                            state, /*bias=*/Value()));
                      return SmallVector<Value>{joinHeads(b, loc, rows, type)};
                    })
      .front();
}
