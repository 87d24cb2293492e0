//===- GroupedWeights.cpp - Sums over the edges of one type ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of W_t of y_e = W_t^T x_e is the sum of x_e g_i^T over the edges
// of type t into any destination i: that of (sum x_e) g_i^T over the groups of
// edges of type t into one destination, of which there are fewer.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "compiler/Gradient/TensorTypes.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPNodeTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static Value sumEdges(OpBuilder &b, Location loc, Value graph, Value edges) {
  RankedTensorType feature =
      cast<mp::EdgesType>(edges.getType()).getFeatureType();
  return mp::AggregateOp::create(b, loc, TypeRange(mp::getNodesType(feature)),
                                 graph, mp::AggregatorKind::sum,
                                 /*score=*/Value(), edges)
      .getResult(0);
}

static Value toEdges(OpBuilder &b, Location loc, Value rows) {
  RankedTensorType type = getTensor(rows);
  auto edges = mp::EdgesType::get(RankedTensorType::get(
      type.getShape().drop_front(), type.getElementType()));
  return mp::ToEdgesOp::create(b, loc, edges, rows);
}

namespace {
/// One term, once the values of its edges can be had.
struct GroupedTerm {
  FunctionGradient &gradient;
  Location loc;
  Value weights;
  Value graph;
  /// The factor that destinations know, for each of them, and whether it is x.
  Value nodes;
  bool isX;

  int64_t getNumRows() const { return getTensor(weights).getDimSize(0); }
  mp::GroupEdgesOp makeGroups(Value keys) const;
  /// `edges`: the other factor, on the graph of groups.
  void add(mp::GroupEdgesOp groups, Value edges) const;
};
} // namespace

mp::GroupEdgesOp GroupedTerm::makeGroups(Value keys) const {
  OpBuilder &b = gradient.getBuilder();
  Value count = arith::ConstantIndexOp::create(b, loc, getNumRows());
  return mp::GroupEdgesOp::create(b, loc, graph, keys, count);
}

void GroupedTerm::add(mp::GroupEdgesOp groups, Value edges) const {
  OpBuilder &b = gradient.getBuilder();
  Value sums = sumEdges(b, loc, groups.getGroups(), edges);
  // A row receives by its groups, each from its destination.
  Value numNodes = mp::NumDstOp::create(b, loc, graph);
  Value byRow = mp::COOOp::create(b, loc, groups.getGroups().getType(),
                                  groups.getKeysOfGroups(), groups.getRows(),
                                  groups.getNumKeys(), numNodes);
  auto feature = [](Value rows) { return mp::getNodeFeature(rows.getType()); };
  SmallVector<int64_t> shape(feature(isX ? nodes : sums).getShape());
  llvm::append_range(shape, feature(isX ? sums : nodes).getShape());
  RankedTensorType product = feature(nodes).clone(shape);
  auto message = mp::MessageOp::create(b, loc, byRow, ValueRange(), nodes,
                                       toEdges(b, loc, sums),
                                       TypeRange(mp::EdgesType::get(product)));
  OpBuilder inner = OpBuilder::atBlockEnd(&message.getBody().front());
  Value node = widen(inner, message.getSrcArgs().front());
  Value sum = message.getEdgeArgs().front();
  mp::YieldOp::create(inner, loc,
                      outerProduct(inner, loc, isX ? node : sum,
                                   isX ? sum : node, /*numSummed=*/0));
  Value gradientOfRows = sumEdges(b, loc, byRow, message.getResult(0));
  gradient.addCotangent(
      weights,
      tensor::CastOp::create(b, loc, mp::getNodesType(product, getNumRows()),
                             gradientOfRows));
}

void gradient::addGroupedTerm(EdgeScope &scope, const WeightTerm &term,
                              EdgeResults &results) {
  bool isX = scope.getEnds(term.adjoint) & ~EdgeScope::dst;
  Value known = isX ? term.x : term.adjoint;
  Value other = isX ? term.adjoint : term.x;
  GroupedTerm grouped = {scope.getGradient(),  term.adjoint.getLoc(),
                         term.weights,         scope.getGraph(),
                         scope.toNodes(known), isX};
  // The edge's own key, or one that is computed and stored for each edge.
  Value keys = scope.getOperand(term.index);
  auto type =
      dyn_cast_if_present<mp::EdgesType>(keys ? keys.getType() : Type());
  if (!type || !type.getElementType().isInteger(32))
    keys = {};
  if (keys && !scope.knowsDst(other)) {
    mp::GroupEdgesOp groups = grouped.makeGroups(keys);
    grouped.add(groups, scope.toEdgesOf(groups.getGroups(), other));
    return;
  }
  unsigned position = results.stored.size();
  results.stored.push_back(other);
  if (!keys)
    results.stored.push_back(clampRow(scope.getBuilder(), grouped.loc,
                                      term.index, grouped.getNumRows()));
  results.storedConsumers.push_back(
      [grouped, keys, position](ValueRange stored) {
        OpBuilder &b = grouped.gradient.getBuilder();
        Value own = keys ? keys : toEdges(b, grouped.loc, stored[position + 1]);
        mp::GroupEdgesOp groups = grouped.makeGroups(own);
        grouped.add(groups, toEdges(b, grouped.loc, stored[position]));
      });
}
