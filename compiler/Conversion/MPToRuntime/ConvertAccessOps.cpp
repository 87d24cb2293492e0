//===- ConvertAccessOps.cpp - What loops read of graphs, as calls ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern per op of dialect/IR/MPAccessOps.td.
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/MPToRuntime/CallPatterns.h"
#include "compiler/Conversion/MPToRuntime/MPToRuntime.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

namespace {
struct ConvertRowBlocks : CallPattern<mp::RowBlocksOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::RowBlocksOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value aligned = arith::ConstantIntOp::create(rewriter, op.getLoc(),
                                                 op.getAligned(), /*width=*/1);
    Value longest = adaptor.getLongest();
    if (!longest)
      longest = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    return replaceWithCall(op, "clique_rt_row_blocks",
                           {adaptor.getGraph(), adaptor.getRows(),
                            adaptor.getEdges(), longest, aligned},
                           rewriter);
  }
};

/// An op whose results are what functions of the runtime say of one object.
template <typename Op>
struct ConvertToQueries : CallPattern<Op> {
  using CallPattern<Op>::CallPattern;

  static Value getIndex(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Calls `names`, one for each result; what is not used is not asked for, as
  /// some of it is made on demand.
  LogicalResult replaceWithQueries(Op op, Value object,
                                   ArrayRef<StringRef> names,
                                   ConversionPatternRewriter &rewriter) const {
    SmallVector<Value> results;
    for (auto [result, name] : llvm::zip_equal(op->getResults(), names))
      results.push_back(
          result.use_empty()
              ? Value()
              : this->runtime.call(rewriter, op.getLoc(), name, object));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertTileList : ConvertToQueries<mp::TileListOp> {
  using ConvertToQueries::ConvertToQueries;

  LogicalResult
  matchAndRewrite(mp::TileListOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value tiles = runtime.call(rewriter, loc, "clique_rt_tiles",
                               {adaptor.getGraph(), adaptor.getRows(),
                                getIndex(rewriter, loc, op.getTileRows()),
                                getIndex(rewriter, loc, op.getColumns())});
    return replaceWithQueries(
        op, tiles,
        {"clique_rt_tiles_are_listed", "clique_rt_tile_blocks",
         "clique_rt_tile_list", "clique_rt_tile_register_blocks",
         "clique_rt_tile_words", "clique_rt_tile_first_edges"},
        rewriter);
  }
};

struct ConvertEdgesByType : ConvertToQueries<mp::EdgesByTypeOp> {
  using ConvertToQueries::ConvertToQueries;

  LogicalResult
  matchAndRewrite(mp::EdgesByTypeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value withIds = arith::ConstantIntOp::create(rewriter, loc, op.getWithIds(),
                                                 /*width=*/1);
    Value edges = runtime.call(
        rewriter, loc, "clique_rt_edges_by_type",
        {adaptor.getGraph(), adaptor.getEdgeTypes(), adaptor.getRows(),
         adaptor.getEdges(), getIndex(rewriter, loc, op.getGroups()),
         getIndex(rewriter, loc, op.getTypes()), withIds});
    return replaceWithQueries(op, edges,
                              {"clique_rt_type_blocks", "clique_rt_type_chunks",
                               "clique_rt_type_groups",
                               "clique_rt_type_sources",
                               "clique_rt_type_edge_ids"},
                              rewriter);
  }
};

/// An edge feature is the tensor of its values.
template <typename Op>
struct ForwardOperand : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};
} // namespace

void clique::populateAccessOpConversion(const TypeConverter &converter,
                                        const RuntimeCalls &runtime,
                                        RewritePatternSet &patterns,
                                        ConversionTarget &target) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertToCall<mp::IndptrOp>>(converter, context, runtime,
                                            "clique_rt_indptr");
  patterns.add<ConvertToCall<mp::RowSourcesOp>>(converter, context, runtime,
                                                "clique_rt_row_sources");
  patterns.add<ConvertToCall<mp::SourcesOp>>(converter, context, runtime,
                                             "clique_rt_sources");
  patterns.add<ConvertToCall<mp::EdgeIdsOp>>(converter, context, runtime,
                                             "clique_rt_edge_ids");
  patterns.add<ConvertToCall<mp::RowBeginOp>>(converter, context, runtime,
                                              "clique_rt_row_begin");
  patterns.add<ConvertToCall<mp::RowEndOp>>(converter, context, runtime,
                                            "clique_rt_row_end");
  patterns.add<ConvertToCall<mp::NoSelfOp>>(converter, context, runtime,
                                            "clique_rt_no_self");
  patterns.add<ConvertToCall<mp::InOrderOp>>(converter, context, runtime,
                                             "clique_rt_in_order");
  patterns.add<ConvertToCall<mp::NodeOrderOp>>(converter, context, runtime,
                                               "clique_rt_node_order");
  patterns.add<ConvertToCall<mp::HubChunksOp>>(converter, context, runtime,
                                               "clique_rt_hub_chunks");
  patterns.add<ConvertToCall<mp::HubsOp>>(converter, context, runtime,
                                          "clique_rt_hubs");
  patterns.add<ConvertRowBlocks, ConvertTileList, ConvertEdgesByType>(
      converter, context, runtime);
  patterns.add<ForwardOperand<mp::ToTensorOp>, ForwardOperand<mp::ToEdgesOp>>(
      converter, context);

  target.addIllegalOp<mp::IndptrOp, mp::RowSourcesOp, mp::SourcesOp,
                      mp::EdgeIdsOp, mp::RowBeginOp, mp::RowEndOp, mp::NoSelfOp,
                      mp::InOrderOp, mp::NodeOrderOp, mp::RowBlocksOp,
                      mp::HubChunksOp, mp::HubsOp, mp::TileListOp,
                      mp::EdgesByTypeOp, mp::ToTensorOp, mp::ToEdgesOp>();
}
