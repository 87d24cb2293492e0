//===- DecomposeReadout.cpp - Readouts and spreads as aggregations --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-decompose-readout.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Algebra/DecomposeLookup.h"
#include "compiler/Algebra/DecomposeScatter.h"
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPNodeTypes.h"
#include "dialect/IR/MPReadout.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_DECOMPOSEREADOUTPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

Value clique::makeIota(OpBuilder &builder, Location loc, Value size,
                       Type element) {
  if (!element)
    element = builder.getI32Type();
  auto type = RankedTensorType::get(ShapedType::kDynamic, element);
  return tensor::GenerateOp::create(
      builder, loc, type, size,
      [&](OpBuilder &builder, Location loc, ValueRange position) {
        Value number =
            arith::IndexCastOp::create(builder, loc, element, position.front());
        tensor::YieldOp::create(builder, loc, number);
      });
}

static bool isIota(Value list) {
  auto numbers = list.getDefiningOp<tensor::GenerateOp>();
  if (!numbers || numbers.getType().getRank() != 1)
    return false;
  Block &body = numbers.getBody().front();
  auto number = cast<tensor::YieldOp>(body.getTerminator())
                    .getValue()
                    .getDefiningOp<arith::IndexCastOp>();
  return number && number.getIn() == body.getArgument(0);
}

bool clique::hasOneEdgePerRow(Value graph) {
  // A node is in one part.
  if (auto turned = graph.getDefiningOp<mp::ReverseOp>()) {
    auto members = turned.getGraph().getDefiningOp<mp::CSROp>();
    return members && members->hasAttr(mp::kReadoutAttr);
  }
  auto edges = graph.getDefiningOp<mp::COOOp>();
  return edges && isIota(edges.getDst());
}

Value clique::makeMembers(OpBuilder &builder, Location loc, Value offsets,
                          Value numNodes) {
  auto sparse = mp::MPGraphType::get(builder.getContext(), mp::Topology::sparse,
                                     /*param=*/0, /*noSelf=*/false);
  auto graph = mp::CSROp::create(builder, loc, sparse, offsets,
                                 makeIota(builder, loc, numNodes), numNodes);
  // Wrong offsets are the op's, not those of a graph in the spec.
  graph->setAttr(mp::kReadoutAttr, builder.getUnitAttr());
  return graph;
}

/// A message whose values are the features of the sources.
static mp::MessageOp makeCopies(OpBuilder &builder, Location loc, Value graph,
                                ValueRange sources) {
  SmallVector<Type> edges;
  for (Value source : sources)
    edges.push_back(mp::EdgesType::get(mp::getNodeFeature(source.getType())));
  auto message =
      mp::MessageOp::create(builder, loc, graph, /*dst=*/ValueRange(), sources,
                            /*edge=*/ValueRange(), edges);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&message.getBody().front());
  SmallVector<Value> values(message.getSrcArgs().begin(),
                            message.getSrcArgs().end());
  mp::YieldOp::create(builder, loc, values);
  return message;
}

/// Of integers: bit by bit, 0 or the one that arrives.
static void addIntegerMonoid(mp::AggregateOp op, RankedTensorType type,
                             OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  auto fill = [&](Region &region, unsigned numArgs) {
    Block *block = builder.createBlock(&region);
    for (unsigned k = 0; k < numArgs; ++k)
      block->addArgument(type, loc);
    Value result;
    if (numArgs == 0)
      result =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    else if (numArgs == 1)
      result = block->getArgument(0);
    else
      result = arith::OrIOp::create(builder, loc, block->getArgument(0),
                                    block->getArgument(1));
    mp::YieldOp::create(builder, loc, result);
  };
  fill(op.getIdentity(), 0);
  fill(op.getLift(), 1);
  fill(op.getCombine(), 2);
  fill(op.getFinalise(), 1);
}

Value clique::gatherRows(OpBuilder &builder, Location loc, Value graph,
                         Value rows) {
  RankedTensorType feature = mp::getNodeFeature(rows.getType());
  const bool isFloat = isa<FloatType>(feature.getElementType());
  auto message = makeCopies(builder, loc, graph, rows);
  auto sum = mp::AggregateOp::create(
      builder, loc, TypeRange(mp::getNodesType(feature)), graph,
      isFloat ? mp::AggregatorKind::max : mp::AggregatorKind::custom,
      /*score=*/Value(), message->getResults());
  if (!isFloat)
    addIntegerMonoid(sum, feature, builder);
  return sum.getResult(0);
}

void clique::reportRewrite(Location loc, StringRef what) {
  remark::passed(
      loc, remark::RemarkOpts::name("mp-decompose-readout").category("algebra"))
      << what.str();
}

namespace {
struct ReadoutAsAggregate : OpRewritePattern<mp::ReadoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::ReadoutOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value nodes = op.getNodes();
    Value numNodes = tensor::DimOp::create(rewriter, loc, nodes, int64_t(0));
    Value graph = makeMembers(rewriter, loc, op.getOffsets(), numNodes);
    SmallVector<Value> sources = {nodes};
    if (op.getScore())
      sources.push_back(op.getScore());
    auto message = makeCopies(rewriter, loc, graph, sources);
    Value score = op.getScore() ? message.getResult(1) : Value();
    auto aggregate =
        mp::AggregateOp::create(rewriter, loc, op->getResultTypes(), graph,
                                op.getKind(), score, message.getResult(0));
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), aggregate->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    rewriter.replaceOp(op, aggregate);
    reportRewrite(loc,
                  "readout is an aggregation over a graph of one row per part");
    return success();
  }
};

/// Replaces `op` by the row of `parts` for each node.
template <typename Op>
void spread(Op op, Value parts, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value members = makeMembers(rewriter, loc, op.getOffsets(), op.getNumNodes());
  Value graph = mp::ReverseOp::create(rewriter, loc, members);
  rewriter.replaceOp(op, gatherRows(rewriter, loc, graph, parts));
  reportRewrite(loc, "spread is an aggregation over one edge per node");
}

struct SpreadAsAggregate : OpRewritePattern<mp::SpreadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::SpreadOp op,
                                PatternRewriter &rewriter) const override {
    spread(op, op.getParts(), rewriter);
    return success();
  }
};

struct NodeNumbersAsTensor : OpRewritePattern<mp::NodeNumbersOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::NodeNumbersOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, makeIota(rewriter, op.getLoc(), op.getNumNodes(),
                                    getElementTypeOrSelf(op.getType())));
    return success();
  }
};

struct PartNumbersAsSpread : OpRewritePattern<mp::PartNumbersOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::PartNumbersOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value entries =
        tensor::DimOp::create(rewriter, loc, op.getOffsets(), int64_t(0));
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value count = arith::SubIOp::create(rewriter, loc, entries, one);
    spread(op,
           makeIota(rewriter, loc, count, getElementTypeOrSelf(op.getType())),
           rewriter);
    return success();
  }
};

struct EdgeSoftmaxAsMessage : OpRewritePattern<mp::EdgeSoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::EdgeSoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto edges = cast<mp::EdgesType>(op.getScore().getType());
    auto stored =
        RankedTensorType::get(edges.getShape(), edges.getElementType());
    // A log-sum-exp in half precision would be too coarse for exponentials.
    const bool isHalf = stored.getElementTypeBitWidth() < 32;
    auto computed = isHalf ? stored.clone(rewriter.getF32Type()) : stored;
    Value scores = op.getScore();
    if (isHalf)
      scores =
          makeMessage(rewriter, loc, op.getGraph(), /*dst=*/{}, scores,
                      computed, [&](OpBuilder &b, ValueRange args) -> Value {
                        return arith::ExtFOp::create(b, loc, computed, args[0]);
                      });
    RankedTensorType nodes = mp::getNodesType(computed);
    auto sum = mp::AggregateOp::create(
        rewriter, loc, TypeRange{nodes, nodes}, op.getGraph(),
        mp::AggregatorKind::softmax, scores, /*values=*/ValueRange());
    Value weights = makeMessage(
        rewriter, loc, op.getGraph(), sum.getResults(), scores, stored,
        [&](OpBuilder &b, ValueRange args) -> Value {
          Value d = arith::SubFOp::create(b, loc, args[2], args[0]);
          d = arith::SubFOp::create(b, loc, d, args[1]);
          Value e = math::ExpOp::create(b, loc, d);
          return isHalf ? arith::TruncFOp::create(b, loc, stored, e) : e;
        });
    rewriter.replaceOp(op, weights);
    reportRewrite(loc, "weights of a softmax are exponentials of scores less "
                       "their log-sum-exp");
    return success();
  }

private:
  static Value
  makeMessage(OpBuilder &builder, Location loc, Value graph, ValueRange dst,
              Value edge, RankedTensorType feature,
              llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
    auto message =
        mp::MessageOp::create(builder, loc, graph, dst, /*src=*/ValueRange(),
                              edge, TypeRange(mp::EdgesType::get(feature)));
    OpBuilder::InsertionGuard guard(builder);
    Block &block = message.getBody().front();
    builder.setInsertionPointToEnd(&block);
    Value result = body(builder, block.getArguments());
    mp::YieldOp::create(builder, loc, result);
    return message.getResult(0);
  }
};

struct DecomposeReadoutPass
    : clique::impl::DecomposeReadoutPassBase<DecomposeReadoutPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadoutAsAggregate, SpreadAsAggregate, NodeNumbersAsTensor,
                 PartNumbersAsSpread, EdgeSoftmaxAsMessage>(&getContext());
    populateDecomposeLookupPatterns(patterns);
    populateDecomposeScatterPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failed(verifyNoScatter(getOperation())))
      signalPassFailure();
  }
};
} // namespace
