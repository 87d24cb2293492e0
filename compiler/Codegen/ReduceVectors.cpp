//===- ReduceVectors.cpp - Reductions of many rows at once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace clique {
#define GEN_PASS_DEF_REDUCEVECTORSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Of each row of `width` numbers, the half that starts at `offset`.
static Value takeHalves(PatternRewriter &rewriter, Location loc, Value rows,
                        int64_t width, int64_t offset) {
  int64_t size = cast<VectorType>(rows.getType()).getNumElements();
  SmallVector<int64_t> lanes;
  for (int64_t row = 0; row < size; row += width)
    for (int64_t k = 0; k < width / 2; ++k)
      lanes.push_back(row + offset + k);
  return vector::ShuffleOp::create(rewriter, loc, rows, rows, lanes);
}

/// Whether LLVM reduces a single vector lane by lane: a step of a maximum that
/// passes over NaN is several instructions, which vectors have as well.
static bool isTakenByLanes(vector::CombiningKind kind) {
  using Kind = vector::CombiningKind;
  return llvm::is_contained(
      {Kind::MAXNUMF, Kind::MINNUMF, Kind::MAXIMUMF, Kind::MINIMUMF}, kind);
}

/// The number, the same for all rows, at which a maximum that passes over NaN
/// starts, if it is known; NaN does not change it.
static TypedAttr getKnownStart(vector::MultiDimReductionOp op, int64_t size) {
  using Kind = vector::CombiningKind;
  if (op.getKind() != Kind::MAXNUMF && op.getKind() != Kind::MINNUMF)
    return {};
  Type element = op.getSourceVectorType().getElementType();
  FloatAttr number;
  if (DenseFPElementsAttr all;
      matchPattern(op.getAcc(), m_Constant(&all)) && all.isSplat())
    number = FloatAttr::get(element, all.getSplatValue<APFloat>());
  else if (!matchPattern(op.getAcc(), m_Constant(&number)))
    return {};
  if (number.getValue().isNaN())
    return {};
  return DenseElementsAttr::get(VectorType::get(size, element),
                                Attribute(number));
}

static LogicalResult reduceByHalves(vector::MultiDimReductionOp op,
                                    PatternRewriter &rewriter) {
  VectorType source = op.getSourceVectorType();
  int64_t last = source.getRank() - 1;
  if (last < 0 || op.getReductionDims() != ArrayRef<int64_t>{last})
    return rewriter.notifyMatchFailure(op, "reduces other dimensions");
  if (last == 0 && !isTakenByLanes(op.getKind()))
    return rewriter.notifyMatchFailure(op, "one vector, which LLVM halves");
  const int64_t width = source.getDimSize(last);
  // A vector of more registers than there are is better taken row by row.
  if (!llvm::isPowerOf2_64(width) ||
      source.getNumElements() > clique::tuning::halvedElements)
    return rewriter.notifyMatchFailure(op, "rows have no halves, or are many");

  Location loc = op.getLoc();
  Type element = source.getElementType();
  auto flatten = [&](Value value, int64_t size) -> Value {
    auto flat = VectorType::get(size, element);
    if (!isa<VectorType>(value.getType()))
      return vector::BroadcastOp::create(rewriter, loc, flat, value);
    return rewriter.createOrFold<vector::ShapeCastOp>(loc, flat, value);
  };
  int64_t numRows = source.getNumElements() / width;
  Value rows = flatten(op.getSource(), source.getNumElements());
  // The start is taken in first: no later step has to look for NaN.
  TypedAttr start = getKnownStart(op, numRows * width / 2);
  arith::FastMathFlagsAttr flags;
  for (int64_t left = width; left > 1; left /= 2) {
    Value low = takeHalves(rewriter, loc, rows, left, 0);
    Value high = takeHalves(rewriter, loc, rows, left, left / 2);
    if (start && left == width)
      low = vector::makeArithReduction(
          rewriter, loc, op.getKind(), low,
          arith::ConstantOp::create(rewriter, loc, start));
    rows = vector::makeArithReduction(rewriter, loc, op.getKind(), low, high,
                                      flags);
    if (start)
      flags = arith::FastMathFlagsAttr::get(op.getContext(),
                                            arith::FastMathFlags::nnan);
  }
  Value result = rows;
  if (!start)
    result = vector::makeArithReduction(rewriter, loc, op.getKind(), rows,
                                        flatten(op.getAcc(), numRows));
  if (isa<VectorType>(op.getType()))
    rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, op.getType(), result);
  else
    rewriter.replaceOpWithNewOp<vector::ExtractOp>(op, result, 0);
  return success();
}

/// What is reduced over the first dimension is reduced row by row. Upstream
/// does so, too, but then transposes reductions over the last dimension; as it
/// is asked to lower these, it transposes the others.
static LogicalResult reduceRowByRow(vector::MultiDimReductionOp op,
                                    PatternRewriter &rewriter) {
  if (op.getSourceVectorType().getRank() < 2 ||
      op.getReductionDims() != ArrayRef<int64_t>{0})
    return rewriter.notifyMatchFailure(op, "reduces other dimensions");
  Value result = op.getAcc();
  for (int64_t row = 0; row < op.getSourceVectorType().getDimSize(0); ++row) {
    Value next =
        vector::ExtractOp::create(rewriter, op.getLoc(), op.getSource(), row);
    result = vector::makeArithReduction(rewriter, op.getLoc(), op.getKind(),
                                        result, next);
  }
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct ReduceVectors
    : public clique::impl::ReduceVectorsPassBase<ReduceVectors> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(reduceByHalves);
    patterns.add(reduceRowByRow);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     clique::getRewriteConfig())))
      signalPassFailure();
  }
};
} // namespace
