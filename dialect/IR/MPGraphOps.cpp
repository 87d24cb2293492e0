//===- MPGraphOps.cpp - Ops that make, change and measure graphs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, constraints and folds of the graph ops.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPGroups.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique::mp;

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

LogicalResult CompleteOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location>,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(
      MPGraphType::get(context, Topology::complete, 0, adaptor.getNoSelf()));
  return success();
}

LogicalResult BipartiteOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location>, Adaptor,
                                            SmallVectorImpl<Type> &types) {
  types.push_back(MPGraphType::get(context, Topology::bipartite, 0, false));
  return success();
}

LogicalResult CausalOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.push_back(
      MPGraphType::get(context, Topology::causal, 0, adaptor.getNoSelf()));
  return success();
}

LogicalResult WindowOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  // A negative half width has no type; the verifier rejects it by name.
  int64_t halfWidth = std::max<int64_t>(adaptor.getHalfWidth(), 0);
  types.push_back(MPGraphType::get(context, Topology::window, halfWidth,
                                   adaptor.getNoSelf()));
  return success();
}

LogicalResult CliquesOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Topology topology =
      adaptor.getCausal() ? Topology::causal_cliques : Topology::cliques;
  types.push_back(MPGraphType::get(context, topology, 0, adaptor.getNoSelf()));
  return success();
}

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<MPGraphType>(adaptor.getGraph().getType());
  types.push_back(type.getReversed());
  return success();
}

LogicalResult SelfLoopsOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = cast<MPGraphType>(adaptor.getGraph().getType());
  types.push_back(type.getWithSelfLoops());
  return success();
}

/// A tensor of rank 1, of any length.
static Type getListType(MLIRContext *context, unsigned width) {
  return RankedTensorType::get(ShapedType::kDynamic,
                               IntegerType::get(context, width));
}

LogicalResult LevelsOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto type = cast<MPGraphType>(adaptor.getGraph().getType());
  types.push_back(type.getByLevel());
  types.append(2, getListType(context, 32));
  types.push_back(getListType(context, 64));
  return success();
}

LogicalResult RowsOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto type = cast<MPGraphType>(adaptor.getGraph().getType());
  types.push_back(type.getRows());
  types.push_back(getListType(context, 64));
  return success();
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

LogicalResult WindowOp::verify() {
  // C1
  int64_t halfWidth = getHalfWidth();
  if (halfWidth < 0)
    return emitOpError("half width is ")
           << halfWidth << ": give 0 (self-loops only) or more";
  return success();
}

/// A graph made from an edge list may turn out to be of any class, so its type
/// must not promise one.
static LogicalResult verifyListTopology(Operation *op, MPGraphType type) {
  if (type.isUnknown() || type.getTopology() == Topology::sparse)
    return success();
  return op->emitOpError("result has type ")
         << type
         << ", which an edge list cannot promise: write !mp.graph or "
            "!mp.graph<sparse>";
}

LogicalResult CSROp::verify() {
  // C1
  return verifyListTopology(*this, getGraph().getType());
}

LogicalResult COOOp::verify() {
  // C1
  if (failed(verifyListTopology(*this, getGraph().getType())))
    return failure();
  // C2
  int64_t dstLength = getDst().getType().getDimSize(0);
  int64_t srcLength = getSrc().getType().getDimSize(0);
  if (!ShapedType::isDynamic(dstLength) && !ShapedType::isDynamic(srcLength) &&
      dstLength != srcLength)
    return emitOpError("has ") << dstLength << " destinations and " << srcLength
                               << " sources: give one of each per edge";
  return success();
}

LogicalResult EdgeListOp::verify() {
  // C1
  ShapedType type = getEdges().getShapedType();
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return emitOpError("edges have type ")
           << type << ", expected tensor<nx2xi32>: one [destination, source] "
           << "pair per edge";
  // C2
  int64_t numDst = getNumDst(), numSrc = getNumSrc();
  if (numDst < 0 || numSrc < 0)
    return emitOpError("has ") << numDst << " destinations and " << numSrc
                               << " sources: give counts of 0 or more";
  auto values = getEdges().getValues<int32_t>();
  for (int64_t edge = 0, count = type.getDimSize(0); edge < count; ++edge) {
    int32_t dst = values[2 * edge], src = values[2 * edge + 1];
    if (dst < 0 || dst >= numDst)
      return emitOpError("edge ")
             << edge << " is [" << dst << ", " << src << "], but there are "
             << numDst << " destinations: raise num_dst or mend the edge";
    if (src < 0 || src >= numSrc)
      return emitOpError("edge ")
             << edge << " is [" << dst << ", " << src << "], but there are "
             << numSrc << " sources: raise num_src or mend the edge";
  }
  // C3
  return verifyListTopology(*this, getGraph().getType());
}

/// For ops whose graph is over one set of nodes.
static LogicalResult verifyOneSetOfNodes(Operation *op, MPGraphType type) {
  if (type.getTopology() == Topology::bipartite)
    return op->emitOpError("graph is bipartite, its destinations are not its "
                           "sources: use mp.complete where they are");
  return success();
}

LogicalResult SelfLoopsOp::verify() {
  // C1
  return verifyOneSetOfNodes(*this, getGraph().getType());
}

LogicalResult LevelsOp::verify() {
  // C1
  return verifyOneSetOfNodes(*this, getGraph().getType());
}

LogicalResult CastOp::verify() {
  // C1
  MPGraphType from = getGraph().getType(), to = getResult().getType();
  if (!from.isSubtypeOf(to))
    return emitOpError("cannot cast ") << from << " to " << to
                                       << ": cast to a class that holds every "
                                          "such graph, as !mp.graph does";
  return success();
}

LogicalResult DegreeOp::verify() {
  // C1
  auto type = cast<RankedTensorType>(getDegrees().getType());
  if (!type.isDynamicDim(0))
    return emitOpError("result has type ")
           << type << ", but the graph decides the length: write "
           << RankedTensorType::get(ShapedType::kDynamic,
                                    type.getElementType());
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  // reverse(reverse(g)) -> g. A reversed complete graph is not folded: it has
  // the same edges, but other numbers.
  auto inner = getGraph().getDefiningOp<ReverseOp>();
  if (inner && inner.getGraph().getType() == getType())
    return inner.getGraph();
  return {};
}

namespace {
/// reverse(reverse(g)) -> cast g, where the way there forgot g's topology.
struct ReverseOfReverse : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReverseOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getGraph().getDefiningOp<ReverseOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not the reverse of a reverse");
    rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getGraph());
    return success();
  }
};
} // namespace

void ReverseOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ReverseOfReverse>(context);
}

OpFoldResult SelfLoopsOp::fold(FoldAdaptor) {
  // Same type in and out: of these classes, each node has its loop already.
  MPGraphType type = getGraph().getType();
  if (type == getType() && type.isInterval())
    return getGraph();
  // self_loops(self_loops(g)) -> self_loops(g)
  if (auto inner = getGraph().getDefiningOp<SelfLoopsOp>())
    return inner.getResult();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getGraph().getType() == getType())
    return getGraph();
  // cast(cast(g)) -> cast g
  auto inner = getGraph().getDefiningOp<CastOp>();
  if (!inner)
    return {};
  getGraphMutable().assign(inner.getGraph());
  return getResult();
}

/// The number of destinations or sources of `graph`, where the ops that made it
/// say so; otherwise null.
static OpFoldResult getKnownSize(Value graph, Endpoint end) {
  Operation *maker = graph.getDefiningOp();
  if (!maker)
    return {};
  bool ofDst = end == Endpoint::dst;
  Builder builder(graph.getContext());
  return TypeSwitch<Operation *, OpFoldResult>(maker)
      .Case<CompleteOp, CausalOp, WindowOp>(
          [](auto op) -> OpFoldResult { return op.getN(); })
      .Case<BipartiteOp, COOOp>([&](auto op) -> OpFoldResult {
        return ofDst ? op.getNumDst() : op.getNumSrc();
      })
      .Case([&](CSROp op) -> OpFoldResult {
        return ofDst ? OpFoldResult() : op.getNumSrc();
      })
      .Case([&](EdgeListOp op) -> OpFoldResult {
        return builder.getIndexAttr(ofDst ? op.getNumDst() : op.getNumSrc());
      })
      .Case<CastOp, SelfLoopsOp, LevelsOp>(
          [&](auto op) { return getKnownSize(op.getGraph(), end); })
      .Case([&](RowsOp op) -> OpFoldResult {
        return ofDst ? OpFoldResult(op.getCount())
                     : getKnownSize(op.getGraph(), end);
      })
      .Case([&](GroupEdgesOp op) {
        return ofDst ? OpFoldResult() : getKnownSize(op.getGraph(), end);
      })
      .Case([&](ReverseOp op) {
        return getKnownSize(op.getGraph(),
                            ofDst ? Endpoint::src : Endpoint::dst);
      })
      .Default(OpFoldResult());
}

OpFoldResult NumDstOp::fold(FoldAdaptor) {
  return getKnownSize(getGraph(), Endpoint::dst);
}

OpFoldResult NumSrcOp::fold(FoldAdaptor) {
  return getKnownSize(getGraph(), Endpoint::src);
}
