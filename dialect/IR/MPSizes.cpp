//===- MPSizes.cpp - Numbers of rows, and checks of them ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each op says of the sizes of its results, and the canonicalisation of
// what asks for sizes and checks them.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace clique::mp;

#define GET_OP_CLASSES
#include "dialect/IR/MPSizeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Sizes of results
//===----------------------------------------------------------------------===//

namespace {
/// Results whose dynamic rows are a number that `Model` names.
template <typename Op, typename Model>
struct Sizes
    : ReifyRankedShapedTypeOpInterface::ExternalModel<Sizes<Op, Model>, Op> {
  LogicalResult reifyResultShapes(Operation *op, OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &shapes) const {
    OpFoldResult rows = Model::getRows(cast<Op>(op), builder);
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor) // edge features, behind all tensors
        continue;
      auto &shape = shapes.emplace_back();
      for (int64_t size : tensor.getShape())
        shape.push_back(ShapedType::isDynamic(size)
                            ? rows
                            : OpFoldResult(builder.getIndexAttr(size)));
    }
    return success();
  }
};

/// A row for each destination.
struct Destinations {
  template <typename Op>
  static OpFoldResult getRows(Op op, OpBuilder &builder) {
    return builder.createOrFold<NumDstOp>(op.getLoc(), op.getGraph());
  }
};

struct Nodes {
  static OpFoldResult getRows(UpdateOp op, OpBuilder &builder) {
    return tensor::getMixedSize(builder, op.getLoc(), op.getNodes().front(), 0);
  }
};

/// A row between two offsets.
struct Parts {
  static OpFoldResult getRows(ReadoutOp op, OpBuilder &builder) {
    Location loc = op.getLoc();
    Value bounds =
        builder.createOrFold<tensor::DimOp>(loc, op.getOffsets(), int64_t(0));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return builder.createOrFold<arith::SubIOp>(loc, bounds, one);
  }
};
/// The nodes that the op names.
struct NamedNodes {
  template <typename Op>
  static OpFoldResult getRows(Op op, OpBuilder &) {
    return op.getNumNodes();
  }
};

/// A row for each index, where there are several.
struct LookupSizes
    : ReifyRankedShapedTypeOpInterface::ExternalModel<LookupSizes, LookupOp> {
  // How a model is written: NOLINTNEXTLINE(*-shadowing-base-method)
  LogicalResult reifyResultShapes(Operation *op, OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &shapes) const {
    auto lookup = cast<LookupOp>(op);
    auto type = dyn_cast<RankedTensorType>(lookup.getResult().getType());
    if (!type)
      return failure();
    auto &shape = shapes.emplace_back();
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size)
                          ? tensor::getMixedSize(builder, op->getLoc(),
                                                 lookup.getIndex(), 0)
                          : OpFoldResult(builder.getIndexAttr(size)));
    return success();
  }
};
} // namespace

void clique::mp::attachSizeInterfaces(MLIRContext &context) {
  AggregateOp::attachInterface<Sizes<AggregateOp, Destinations>>(context);
  ScanOp::attachInterface<Sizes<ScanOp, Destinations>>(context);
  DegreeOp::attachInterface<Sizes<DegreeOp, Destinations>>(context);
  UpdateOp::attachInterface<Sizes<UpdateOp, Nodes>>(context);
  ReadoutOp::attachInterface<Sizes<ReadoutOp, Parts>>(context);
  SpreadOp::attachInterface<Sizes<SpreadOp, NamedNodes>>(context);
  NodeNumbersOp::attachInterface<Sizes<NodeNumbersOp, NamedNodes>>(context);
  PartNumbersOp::attachInterface<Sizes<PartNumbersOp, NamedNodes>>(context);
  LookupOp::attachInterface<LookupSizes>(context);
}

//===----------------------------------------------------------------------===//
// Sizes asked for, and checks
//===----------------------------------------------------------------------===//

namespace {
/// A message has values for each edge of its graph, and so has a softmax; a
/// look-up of edge features has them for each index.
struct RowsOfMaker : OpRewritePattern<NumRowsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NumRowsOp op,
                                PatternRewriter &rewriter) const override {
    Operation *maker = op.getEdges().getDefiningOp();
    if (auto lookup = dyn_cast_if_present<LookupOp>(maker)) {
      rewriter.replaceOpWithNewOp<tensor::DimOp>(op, lookup.getIndex(),
                                                 int64_t(0));
      return success();
    }
    if (!isa_and_present<MessageOp, ScanOp, EdgeSoftmaxOp>(maker))
      return rewriter.notifyMatchFailure(op, "not values made on a graph");
    rewriter.replaceOpWithNewOp<NumEdgesOp>(op, maker->getOperand(0));
    return success();
  }
};
} // namespace

void NumRowsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<RowsOfMaker>(context);
}

/// Whether it is known that low <= high.
static bool isAtMost(Value low, Value high) {
  if (low == high)
    return true;
  APInt lowNumber, highNumber;
  bool isLowKnown = matchPattern(low, m_ConstantInt(&lowNumber));
  bool isHighKnown = matchPattern(high, m_ConstantInt(&highNumber));
  if (isLowKnown && isHighKnown)
    return lowNumber.sle(highNumber);
  // Sizes are not negative, and every number is at most the largest.
  Operation *size = high.getDefiningOp();
  if (isLowKnown && lowNumber.isZero() &&
      isa_and_present<tensor::DimOp, NumDstOp, NumSrcOp, NumEdgesOp, NumRowsOp>(
          size))
    return true;
  return isHighKnown && highNumber.isMaxSignedValue();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!isAtMost(op.getLeast(), op.getActual()) ||
      !isAtMost(op.getActual(), op.getMost()))
    return rewriter.notifyMatchFailure(op, "depends on what is given");
  rewriter.eraseOp(op);
  return success();
}
