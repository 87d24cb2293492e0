//===- WeightGradients.cpp - Sums over nodes and edges --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of what all edges or nodes share: products over nodes wherever
// one end of the edges knows a factor, and else a sum over each row first.
// GroupedWeights.cpp has weights that the edge chooses.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Gradient/EdgeScope.h"
#include "compiler/Gradient/TensorTypes.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

//===----------------------------------------------------------------------===//
// Over nodes
//===----------------------------------------------------------------------===//

/// [n.., ...] as [n, elements], or as [n] where there is one; n is the first
/// dimensions, `numNodeDims` of them.
static Value flattenFeature(OpBuilder &b, Location loc, Value nodes,
                            int64_t numNodeDims) {
  const int64_t rank = getTensor(nodes).getRank();
  if (numNodeDims == 1 && rank <= 2)
    return nodes;
  SmallVector<ReassociationIndices> groups(rank > numNodeDims ? 2 : 1);
  for (int64_t dim = 0; dim < rank; ++dim)
    groups[dim < numNodeDims ? 0 : 1].push_back(dim);
  return tensor::CollapseShapeOp::create(b, loc, nodes, groups);
}

Value gradient::sumOverNodes(OpBuilder &b, Location loc, Value x, Value y,
                             int64_t numSummed) {
  const int64_t numNodeDims = 1 + numSummed;
  SmallVector<int64_t> shape;
  for (Value part : {x, y})
    if (part)
      llvm::append_range(shape,
                         getTensor(part).getShape().drop_front(numNodeDims));
  // Loops: the features of x, those of y, the nodes.
  SmallVector<Value> ins;
  SmallVector<int64_t> flat;
  for (Value part : {x, y}) {
    if (!part)
      continue;
    ins.push_back(flattenFeature(b, loc, part, numNodeDims));
    if (getTensor(part).getRank() > numNodeDims)
      flat.push_back(getTensor(ins.back()).getDimSize(1));
  }
  unsigned numLoops = flat.size() + 1, next = 0;
  MLIRContext *context = b.getContext();
  SmallVector<AffineMap> maps;
  for (Value in : ins) {
    SmallVector<AffineExpr> dims = {getAffineDimExpr(flat.size(), context)};
    if (getTensor(in).getRank() > 1)
      dims.push_back(getAffineDimExpr(next++, context));
    maps.push_back(AffineMap::get(numLoops, 0, dims, context));
  }
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < flat.size(); ++dim)
    dims.push_back(getAffineDimExpr(dim, context));
  maps.push_back(AffineMap::get(numLoops, 0, dims, context));
  SmallVector<utils::IteratorType> iterators(flat.size(),
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);

  Type element = getTensor(y).getElementType();
  Value zero = arith::ConstantOp::create(
      b, loc,
      cast<TypedAttr>(b.getZeroAttr(RankedTensorType::get(flat, element))));
  Value sum =
      linalg::GenericOp::create(
          b, loc, zero.getType(), ins, zero, maps, iterators,
          [](OpBuilder &b, Location loc, ValueRange args) {
            Value term = args[0];
            // A product and its sum are rounded once, as in kernels.
            auto contract = arith::FastMathFlags::contract;
            if (args.size() == 3)
              term = arith::MulFOp::create(b, loc, term, args[1], contract);
            Value next =
                arith::AddFOp::create(b, loc, args.back(), term, contract);
            linalg::YieldOp::create(b, loc, next);
          })
          .getResult(0);
  if (shape.size() == flat.size())
    return sum;
  SmallVector<ReassociationIndices> groups;
  int64_t dim = 0;
  for (Value part : {x, y}) {
    if (!part || getTensor(part).getRank() == numNodeDims)
      continue;
    ReassociationIndices &group = groups.emplace_back();
    for (int64_t k = numNodeDims; k < getTensor(part).getRank(); ++k)
      group.push_back(dim++);
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, element), sum, groups);
}

Value gradient::clampRow(OpBuilder &b, Location loc, Value index,
                         int64_t rows) {
  auto type = cast<RankedTensorType>(index.getType());
  auto constant = [&](int64_t value) -> Value {
    auto attr = b.getIntegerAttr(type.getElementType(), value);
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, attr));
  };
  Value low = arith::MaxSIOp::create(b, loc, index, constant(0));
  Value row = arith::MinSIOp::create(b, loc, low, constant(rows - 1));
  RankedTensorType narrow = type.clone(b.getI32Type());
  return type == narrow ? row : arith::TruncIOp::create(b, loc, narrow, row);
}

/// The sum over the nodes, or edges, that look up each row: an aggregation on
/// the graph of who reads what.
static Value sumByRow(FunctionGradient &gradient, Location loc, int64_t rows,
                      const NodeTerm &term) {
  OpBuilder &b = gradient.getBuilder();
  Value clamped = gradient.makeUpdate(
      loc, term.index, [&](OpBuilder &b, Location loc, ValueRange args) {
        return clampRow(b, loc, args[0], rows);
      });
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value numNodes = tensor::DimOp::create(b, loc, clamped, zero);
  Value numRows = arith::ConstantIndexOp::create(b, loc, rows);
  Type element = getTensor(clamped).getElementType();
  auto sparse = mp::MPGraphType::get(b.getContext(), mp::Topology::sparse, 0,
                                     /*noSelf=*/false);
  auto list = RankedTensorType::get({ShapedType::kDynamic}, element);
  if (clamped.getType() != list)
    clamped = tensor::CastOp::create(b, loc, list, clamped);
  Value numbers = term.node;
  if (!numbers)
    numbers = mp::NodeNumbersOp::create(b, loc, list, numNodes);
  else
    numNodes = tensor::DimOp::create(b, loc, term.adjoint, zero);
  Value graph =
      mp::COOOp::create(b, loc, sparse, clamped, numbers, numRows, numNodes);
  SmallVector<Value> sources = {term.adjoint};
  if (term.x)
    sources.push_back(term.x);
  RankedTensorType row = mp::getNodeFeature(term.adjoint.getType());
  SmallVector<int64_t> shape;
  if (term.x)
    llvm::append_range(shape, mp::getNodeFeature(term.x.getType()).getShape());
  llvm::append_range(shape, row.getShape());
  row = row.clone(shape);
  auto message =
      mp::MessageOp::create(b, loc, graph, ValueRange(), sources, ValueRange(),
                            TypeRange(mp::EdgesType::get(row)));
  OpBuilder inner = OpBuilder::atBlockEnd(&message.getBody().front());
  Value value = message.getSrcArgs()[0];
  if (term.x) {
    auto spread = [&](Value part, bool trailing) -> Value {
      if (part.getType() == row)
        return part;
      return mp::BroadcastOp::create(inner, loc, row, part, trailing);
    };
    value = arith::MulFOp::create(inner, loc,
                                  spread(message.getSrcArgs()[1], false),
                                  spread(value, true));
  }
  mp::YieldOp::create(inner, loc, value);
  shape.insert(shape.begin(), ShapedType::kDynamic);
  auto sum = mp::AggregateOp::create(b, loc, TypeRange(row.clone(shape)), graph,
                                     mp::AggregatorKind::sum, Value(),
                                     message.getResults());
  shape[0] = rows;
  return tensor::CastOp::create(b, loc, row.clone(shape), sum.getResult(0));
}

void FunctionGradient::addNodeTerm(const NodeTerm &term) {
  Location loc = term.adjoint.getLoc();
  Value sum;
  if (term.index)
    sum = sumByRow(*this, loc, getTensor(term.weights).getDimSize(0), term);
  else
    sum = sumOverNodes(builder, loc, term.x, term.adjoint, term.numSummed);
  addCotangent(term.weights, sum);
}

//===----------------------------------------------------------------------===//
// Over edges
//===----------------------------------------------------------------------===//

/// row[index] = payload, all other rows 0: a feature [rows, ...].
static Value placeInRow(OpBuilder &b, Location loc, Value index, int64_t rows,
                        Value payload) {
  RankedTensorType type = getTensor(payload);
  SmallVector<int64_t> shape = {rows};
  llvm::append_range(shape, type.getShape());
  auto result = type.clone(shape);
  Value zero =
      arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(result)));
  auto one = RankedTensorType::get({1}, getTensor(index).getElementType());
  Value indices = mp::BroadcastOp::create(b, loc, one, index, false);
  return tensor::ScatterOp::create(b, loc, result, payload, zero, indices,
                                   /*scatter_dims=*/{0}, /*unique=*/true);
}

static bool isOfDst(EdgeScope &scope, Value value) {
  return !(scope.getEnds(value) & ~EdgeScope::dst);
}

/// Stores the factors of a term, and the row, for each edge: a product over
/// edges remains, by row if there is an index. Of a factor alone that the
/// destination knows its number is enough.
static void storeTerm(EdgeScope &scope, const WeightTerm &term,
                      EdgeResults &results) {
  FunctionGradient &gradient = scope.getGradient();
  NodeTerm next{term.weights, Value(), Value(), Value(), term.numSummed};
  const unsigned position = results.stored.size();
  SmallVector<Value NodeTerm::*> parts;
  auto store = [&](Value NodeTerm::*part, Value value) {
    if (!value)
      return;
    parts.push_back(part);
    results.stored.push_back(value);
  };
  store(&NodeTerm::x, term.x);
  if (term.x || !isOfDst(scope, term.adjoint)) {
    store(&NodeTerm::adjoint, term.adjoint);
  } else {
    OpBuilder &b = scope.getBuilder();
    next.adjoint = scope.toNodes(term.adjoint);
    store(&NodeTerm::node,
          mp::PositionOp::create(b, term.adjoint.getLoc(),
                                 RankedTensorType::get({}, b.getI32Type()),
                                 mp::Endpoint::dst));
  }
  store(&NodeTerm::index, term.index);
  results.storedConsumers.push_back(
      [&gradient, next, position, parts](ValueRange stored) {
        NodeTerm term = next;
        for (auto [k, part] : llvm::enumerate(parts))
          term.*part = stored[position + k];
        gradient.addNodeTerm(term);
      });
}

/// Whether an outer product is much larger than its factors.
static bool isLargeProduct(const WeightTerm &term) {
  constexpr int64_t timesLarger = 8;
  const int64_t x = getTensor(term.x).getNumElements(),
                y = getTensor(term.adjoint).getNumElements();
  return x * y > timesLarger * (x + y);
}

/// Whether all factors of a term are values of each edge, of which some are
/// stored at a time (mp-chunk-edge-sums): where no factor is known at the end
/// that sums, on a graph of few edges, on any for a large product, or on one
/// whose edges have types, which are as many values as its edges; and where the
/// product is more than a region computes. Rows of a table come to the sum of a
/// destination one by one, while that is small enough to be added to that of
/// all (mp-fuse-sums).
static bool isStored(EdgeScope &scope, const WeightTerm &term) {
  const int64_t size = getTensor(term.weights).getNumElements();
  const bool isAlways = scope.isSparse() || size > mp::kMaxFeatureElements;
  if (term.index) {
    const bool isOwn = !(scope.getEnds(term.index) & ~EdgeScope::edge);
    return term.numSummed == 0 && !isOfDst(scope, term.index) &&
           (term.x ? isAlways || isOwn
                   : size > tuning::mostNodeSum &&
                         (isAlways || (isOwn && scope.isOfAnyKind())));
  }
  return term.x &&
         (isAlways || (scope.isOfAnyKind() && isLargeProduct(term))) &&
         !isOfDst(scope, term.x) && !isOfDst(scope, term.adjoint);
}

bool gradient::addEdgeTerms(EdgeScope &scope, ArrayRef<WeightTerm> terms,
                            bool isReversed, EdgeResults &results) {
  bool isMore = false;
  OpBuilder &b = scope.getBuilder();
  FunctionGradient &gradient = scope.getGradient();
  for (const WeightTerm &term : terms) {
    Location loc = term.adjoint.getLoc();
    auto multiply = [&]() -> Value {
      return term.x ? outerProduct(b, loc, term.x, term.adjoint, term.numSummed)
                    : term.adjoint;
    };
    unsigned ofX = term.x ? scope.getEnds(term.x) : EdgeScope::edge;
    unsigned ofAdjoint = scope.getEnds(term.adjoint);
    unsigned ofIndex = term.index ? scope.getEnds(term.index) : EdgeScope::edge;
    auto isOf = [&](unsigned ends, unsigned end) { return !(ends & ~end); };
    auto isKnownTo = [&](unsigned end) {
      return isOf(ofX, end) || isOf(ofIndex, end) ||
             (isOf(ofAdjoint, end) && (term.x || term.index));
    };
    // Destinations of the graph come first, sources second, and what neither
    // knows a part of is summed at destinations.
    bool here = isKnownTo(EdgeScope::dst), there = isKnownTo(EdgeScope::src);
    bool isMine = isReversed ? here && !there : here || !there;
    if (!isMine) {
      isMore = true;
      continue;
    }
    if (isStored(scope, term)) {
      bool isGrouped =
          term.index && term.x &&
          (isOf(ofX, EdgeScope::dst) || isOf(ofAdjoint, EdgeScope::dst));
      if (isGrouped)
        addGroupedTerm(scope, term, results);
      else
        storeTerm(scope, term, results);
      continue;
    }
    NodeTerm next{term.weights, Value(), Value(), Value(), term.numSummed};
    Value inSum;
    bool sumIsX = false;
    int64_t rows = term.index ? getTensor(term.weights).getDimSize(0) : 0;
    if (isOf(ofIndex, EdgeScope::dst)) {
      next.index = scope.toNodes(term.index);
      inSum = multiply();
    } else if (term.x && isOf(ofAdjoint, EdgeScope::dst)) {
      next.adjoint = scope.toNodes(term.adjoint);
      inSum =
          term.index ? placeInRow(b, loc, term.index, rows, term.x) : term.x;
      sumIsX = true;
    } else if (term.index && isOf(ofAdjoint, EdgeScope::dst)) {
      next.adjoint = scope.toNodes(term.adjoint);
      auto scalar =
          RankedTensorType::get({}, getTensor(term.adjoint).getElementType());
      Value one = arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(scalar,
                                 b.getFloatAttr(scalar.getElementType(), 1.0)));
      inSum = placeInRow(b, loc, term.index, rows, one);
      sumIsX = true;
    } else if (isOf(ofX, EdgeScope::dst) && !term.index) {
      next.x = scope.toNodes(term.x);
      inSum = term.adjoint;
    } else {
      inSum = multiply();
      next.numSummed = 0;
      if (term.index)
        inSum = placeInRow(b, loc, term.index, rows, inSum);
    }
    unsigned position = results.summed.size();
    results.summed.push_back(inSum);
    results.consumers.push_back(
        [&gradient, next, position, sumIsX](ValueRange sums) {
          NodeTerm term = next;
          (sumIsX ? term.x : term.adjoint) = sums[position];
          gradient.addNodeTerm(term);
        });
  }
  return isMore;
}
