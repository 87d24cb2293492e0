//===- ConvertGraphOps.cpp - Ops on graphs as calls of the runtime --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern per op that makes, changes or measures a graph.
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/MPToRuntime/CallPatterns.h"
#include "compiler/Conversion/MPToRuntime/MPToRuntime.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPReadout.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace clique;

Value clique::callAtPlace(const RuntimeCalls &runtime, OpBuilder &builder,
                          Location loc, StringRef name, ValueRange args) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return runtime.call(builder, loc, name, args);
  const std::string text =
      llvm::formatv("{0}:{1}:{2}: ", place.getFilename().str(), place.getLine(),
                    place.getColumn());
  runtime.call(builder, loc, "clique_rt_at",
               runtime.getString(builder, loc, text));
  Value result = runtime.call(builder, loc, name, args);
  Value nowhere = LLVM::ZeroOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  runtime.call(builder, loc, "clique_rt_at", nowhere);
  return result;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Value getBool(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/1);
}

static Value getIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// A tensor of rank 1 as the memref of dynamic length that the runtime reads.
static Value getArray(OpBuilder &builder, Location loc, Value tensor) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  auto dynamic = RankedTensorType::get(ShapedType::kDynamic, element);
  if (tensor.getType() != dynamic)
    tensor = tensor::CastOp::create(builder, loc, dynamic, tensor);
  return bufferization::ToBufferOp::create(
      builder, loc, MemRefType::get(dynamic.getShape(), element), tensor,
      /*read_only=*/true);
}

static Value getArray(OpBuilder &builder, Location loc,
                      ArrayRef<int32_t> values) {
  return getArray(builder, loc,
                  arith::ConstantOp::create(builder, loc,
                                            builder.getI32TensorAttr(values)));
}

//===----------------------------------------------------------------------===//
// Graphs made
//===----------------------------------------------------------------------===//

namespace {
/// mp.complete, mp.causal.
template <typename Op>
struct ConvertByNodes : CallPattern<Op> {
  ConvertByNodes(const TypeConverter &converter, MLIRContext *context,
                 const RuntimeCalls &runtime, StringRef name)
      : CallPattern<Op>(converter, context, runtime), name(name) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value noSelf = getBool(rewriter, op.getLoc(), op.getNoSelf());
    return this->replaceWithCall(op, name, {adaptor.getN(), noSelf}, rewriter);
  }

  StringRef name;
};

struct ConvertWindow : CallPattern<mp::WindowOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::WindowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value halfWidth = getIndex(rewriter, loc, op.getHalfWidth());
    Value noSelf = getBool(rewriter, loc, op.getNoSelf());
    return replaceWithCall(op, "clique_rt_window",
                           {adaptor.getN(), halfWidth, noSelf}, rewriter);
  }
};

struct ConvertCliques : CallPattern<mp::CliquesOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::CliquesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value offsets = getArray(rewriter, loc, adaptor.getOffsets());
    Value causal = getBool(rewriter, loc, op.getCausal());
    Value noSelf = getBool(rewriter, loc, op.getNoSelf());
    return replaceWithCall(op, "clique_rt_cliques", {offsets, causal, noSelf},
                           rewriter);
  }
};

struct ConvertCSR : CallPattern<mp::CSROp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::CSROp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value indptr = getArray(rewriter, op.getLoc(), adaptor.getIndptr());
    // Made of a readout: errors should speak of its offsets.
    if (op->hasAttr(mp::kReadoutAttr))
      callAtPlace(runtime, rewriter, op.getLoc(), "clique_rt_check_offsets",
                  {indptr, adaptor.getNumSrc()});
    Value indices = getArray(rewriter, op.getLoc(), adaptor.getIndices());
    return replaceWithCall(op, "clique_rt_csr",
                           {indptr, indices, adaptor.getNumSrc()}, rewriter);
  }
};

struct ConvertCOO : CallPattern<mp::COOOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::COOOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value dst = getArray(rewriter, op.getLoc(), adaptor.getDst());
    Value src = getArray(rewriter, op.getLoc(), adaptor.getSrc());
    return replaceWithCall(op, "clique_rt_coo",
                           {dst, src, adaptor.getNumDst(), adaptor.getNumSrc()},
                           rewriter);
  }
};

struct ConvertEdgeList : CallPattern<mp::EdgeListOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::EdgeListOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<int32_t> ends[2];
    for (auto [position, node] :
         llvm::enumerate(op.getEdges().getValues<int32_t>()))
      ends[position % 2].push_back(node);
    Value dst = getArray(rewriter, loc, ends[0]);
    Value src = getArray(rewriter, loc, ends[1]);
    Value numDst = getIndex(rewriter, loc, op.getNumDst());
    Value numSrc = getIndex(rewriter, loc, op.getNumSrc());
    return replaceWithCall(op, "clique_rt_coo", {dst, src, numDst, numSrc},
                           rewriter);
  }
};

struct ConvertCast : OpConversionPattern<mp::CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mp::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getGraph());
    return success();
  }
};

/// mp.levels, mp.rows, mp.group_edges: a graph, and arrays that it lends. What
/// is used of them is copied, as the graph may go before it.
template <typename Op>
struct ConvertWithArrays : CallPattern<Op> {
  /// `names`: of the function that makes the graph, then one for each array.
  ConvertWithArrays(const TypeConverter &converter, MLIRContext *context,
                    const RuntimeCalls &runtime, ArrayRef<StringRef> names)
      : CallPattern<Op>(converter, context, runtime), names(names) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> operands(adaptor.getOperands());
    for (Value &operand : operands)
      if (isa<RankedTensorType>(operand.getType()))
        operand = getArray(rewriter, loc, operand);
    SmallVector<Value> results = {
        callAtPlace(this->runtime, rewriter, loc, names.front(), operands)};
    for (auto [result, name] : llvm::zip_equal(op->getResults().drop_front(),
                                               ArrayRef(names).drop_front())) {
      if (result.use_empty()) {
        results.push_back({});
        continue;
      }
      Value array = this->runtime.call(rewriter, loc, name, results.front());
      auto type = cast<RankedTensorType>(result.getType());
      Value lent = bufferization::ToTensorOp::create(
          rewriter, loc, type, array, /*restrict=*/true, /*writable=*/false);
      results.push_back(bufferization::AllocTensorOp::create(
          rewriter, loc, type, /*dynamicSizes=*/ValueRange(), /*copy=*/lent));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  SmallVector<StringRef> names;
};

//===----------------------------------------------------------------------===//
// Graphs measured
//===----------------------------------------------------------------------===//

struct ConvertChooseDense : CallPattern<mp::ChooseDenseOp> {
  using CallPattern::CallPattern;

  /// Of `versions` of clique_rt_choose_dense (runtime/compiled.h).
  static constexpr int64_t kInOrder = 4;

  LogicalResult
  matchAndRewrite(mp::ChooseDenseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    mp::CostAttr cost = op.getCost();
    SmallVector<Value> operands = {
        adaptor.getGraph(), runtime.getString(rewriter, loc, op.getKernel()),
        getIndex(rewriter, loc,
                 int64_t(op.getVersions()) | (op.getInOrder() ? kInOrder : 0))};
    for (int64_t part :
         {cost.getEdge(), cost.getFarEdge(), cost.getSourceBytes(),
          cost.getRow(), cost.getPair(), cost.getMaskedPair(),
          cost.getTileEdge(), cost.getTileRows(), cost.getRegisterBlock(),
          cost.getEvenSaving()})
      operands.push_back(getIndex(rewriter, loc, part));
    return replaceWithCall(op, "clique_rt_choose_dense", operands, rewriter);
  }
};

/// The rows of the tensor that holds an edge feature.
struct ConvertNumRows : OpConversionPattern<mp::NumRowsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mp::NumRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tensor::DimOp>(op, adaptor.getEdges(),
                                               int64_t(0));
    return success();
  }
};

struct ConvertCheck : CallPattern<mp::CheckOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::CheckOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value what = runtime.getString(rewriter, op.getLoc(), op.getWhat());
    runtime.call(
        rewriter, op.getLoc(), "clique_rt_check",
        {adaptor.getActual(), adaptor.getLeast(), adaptor.getMost(), what});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Differences of neighbouring row pointers. The result is a tensor of its own:
/// the row pointers go when the graph goes.
struct ConvertDegree : CallPattern<mp::DegreeOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(mp::DegreeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value graph = adaptor.getGraph();
    Value array = runtime.call(rewriter, loc, "clique_rt_indptr", graph);
    auto arrayType = cast<MemRefType>(array.getType());
    Value indptr = bufferization::ToTensorOp::create(
        rewriter, loc,
        RankedTensorType::get(arrayType.getShape(), arrayType.getElementType()),
        array, /*restrict=*/true, /*writable=*/false);
    Value count = runtime.call(rewriter, loc, "clique_rt_num_dst", graph);

    auto shifted = [&](int64_t offset) -> Value {
      return tensor::ExtractSliceOp::create(
          rewriter, loc, indptr, OpFoldResult(rewriter.getIndexAttr(offset)),
          OpFoldResult(count), OpFoldResult(rewriter.getIndexAttr(1)));
    };
    auto type = cast<RankedTensorType>(op.getDegrees().getType());
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, type, ValueRange{count});
    SmallVector<AffineMap> maps(3, rewriter.getMultiDimIdentityMap(1));
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, ValueRange{shifted(0), shifted(1)}, empty, maps,
        utils::IteratorType::parallel, emitDifference);
    return success();
  }

private:
  static void emitDifference(OpBuilder &builder, Location loc,
                             ValueRange args) {
    auto type = cast<FloatType>(args[2].getType());
    Value degree = arith::SubIOp::create(builder, loc, args[1], args[0]);
    // Integers have no direct conversion to half precision on many CPUs.
    Type wide = type.getWidth() < 32 ? builder.getF32Type() : Type(type);
    Value result = arith::SIToFPOp::create(builder, loc, wide, degree);
    if (wide != type)
      result = arith::TruncFOp::create(builder, loc, type, result);
    linalg::YieldOp::create(builder, loc, result);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void clique::populateGraphOpConversion(const TypeConverter &converter,
                                       const RuntimeCalls &runtime,
                                       RewritePatternSet &patterns,
                                       ConversionTarget &target) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertByNodes<mp::CompleteOp>>(converter, context, runtime,
                                               "clique_rt_complete");
  patterns.add<ConvertByNodes<mp::CausalOp>>(converter, context, runtime,
                                             "clique_rt_causal");
  patterns.add<ConvertToCall<mp::BipartiteOp>>(converter, context, runtime,
                                               "clique_rt_bipartite");
  patterns.add<ConvertToCall<mp::ReverseOp>>(converter, context, runtime,
                                             "clique_rt_reverse");
  patterns.add<ConvertToCall<mp::SelfLoopsOp>>(converter, context, runtime,
                                               "clique_rt_self_loops");
  patterns.add<ConvertToCall<mp::NumDstOp>>(converter, context, runtime,
                                            "clique_rt_num_dst");
  patterns.add<ConvertToCall<mp::NumSrcOp>>(converter, context, runtime,
                                            "clique_rt_num_src");
  patterns.add<ConvertToCall<mp::NumEdgesOp>>(converter, context, runtime,
                                              "clique_rt_num_edges");
  patterns.add<ConvertWithArrays<mp::LevelsOp>>(
      converter, context, runtime,
      ArrayRef<StringRef>{"clique_rt_levels", "clique_rt_level_nodes",
                          "clique_rt_level_places", "clique_rt_level_offsets"});
  patterns.add<ConvertWithArrays<mp::RowsOp>>(
      converter, context, runtime,
      ArrayRef<StringRef>{"clique_rt_rows", "clique_rt_row_edges"});
  patterns.add<ConvertWithArrays<mp::GroupEdgesOp>>(
      converter, context, runtime,
      ArrayRef<StringRef>{"clique_rt_group_edges", "clique_rt_group_rows",
                          "clique_rt_group_keys"});
  patterns
      .add<ConvertWindow, ConvertCliques, ConvertCSR, ConvertCOO,
           ConvertEdgeList, ConvertChooseDense, ConvertDegree, ConvertCheck>(
          converter, context, runtime);
  patterns.add<ConvertCast, ConvertNumRows>(converter, context);

  target.addIllegalOp<mp::CompleteOp, mp::BipartiteOp, mp::CausalOp,
                      mp::WindowOp, mp::CliquesOp, mp::CSROp, mp::COOOp,
                      mp::EdgeListOp, mp::ReverseOp, mp::SelfLoopsOp,
                      mp::LevelsOp, mp::RowsOp, mp::GroupEdgesOp, mp::CastOp,
                      mp::NumDstOp, mp::NumSrcOp, mp::NumEdgesOp, mp::NumRowsOp,
                      mp::CheckOp, mp::ChooseDenseOp, mp::DegreeOp>();
}
