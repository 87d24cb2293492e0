//===- DecomposeReadout.cpp - Readouts as aggregations --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-decompose-readout.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_DECOMPOSEREADOUTPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// 0, 1, 2, ... up to `size`.
static Value makeIota(OpBuilder &builder, Location loc, Value size) {
  auto type = RankedTensorType::get(ShapedType::kDynamic, builder.getI32Type());
  return tensor::GenerateOp::create(
      builder, loc, type, size,
      [](OpBuilder &builder, Location loc, ValueRange position) {
        Value number = arith::IndexCastOp::create(
            builder, loc, builder.getI32Type(), position.front());
        tensor::YieldOp::create(builder, loc, number);
      });
}

namespace {
struct ReadoutAsAggregate : OpRewritePattern<mp::ReadoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::ReadoutOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value nodes = op.getNodes();
    Value numNodes = tensor::DimOp::create(rewriter, loc, nodes, int64_t(0));
    // The offsets are row pointers already: graph k hears its own nodes.
    auto sparse = mp::MPGraphType::get(getContext(), mp::Topology::sparse,
                                       /*param=*/0, /*noSelf=*/false);
    auto graph = mp::CSROp::create(rewriter, loc, sparse, op.getOffsets(),
                                   makeIota(rewriter, loc, numNodes), numNodes);
    // Wrong offsets are the readout's, not those of a graph in the spec.
    graph->setAttr("mp.readout", rewriter.getUnitAttr());
    auto edges = mp::EdgesType::get(mp::getNodeFeature(nodes.getType()));
    auto message =
        mp::MessageOp::create(rewriter, loc, graph, /*dst=*/ValueRange(), nodes,
                              /*edge=*/ValueRange(), TypeRange(edges));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(&message.getBody().front());
      mp::YieldOp::create(rewriter, loc, ValueRange{message.getSrcArgs()[0]});
    }
    rewriter.replaceOpWithNewOp<mp::AggregateOp>(
        op, op->getResultTypes(), graph, op.getKind(), /*score=*/Value(),
        message->getResults());
    remark::passed(
        loc,
        remark::RemarkOpts::name("mp-decompose-readout").category("algebra"))
        << "readout is an aggregation over a graph of one row per part";
    return success();
  }
};

struct DecomposeReadoutPass
    : clique::impl::DecomposeReadoutPassBase<DecomposeReadoutPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadoutAsAggregate>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
