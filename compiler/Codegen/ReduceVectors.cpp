//===- ReduceVectors.cpp - Reductions of many rows at once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace clique {
#define GEN_PASS_DEF_REDUCEVECTORSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether LLVM reduces a single vector lane by lane: a step of a maximum that
/// passes over NaN is several instructions, which vectors have as well.
static bool isTakenByLanes(vector::CombiningKind kind) {
  using Kind = vector::CombiningKind;
  return llvm::is_contained(
      {Kind::MAXNUMF, Kind::MINNUMF, Kind::MAXIMUMF, Kind::MINIMUMF}, kind);
}

/// The number, the same for all rows, at which a maximum that passes over NaN
/// starts, if it is known; NaN does not change it.
static FloatAttr getKnownStart(vector::MultiDimReductionOp op) {
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
  return number.getValue().isNaN() ? FloatAttr() : number;
}

namespace {
/// Rows of a power of two elements, which lie one after the other in vectors of
/// the same size: joins the lower and the upper half of each until one element
/// of each row is left.
class RowHalves {
public:
  RowHalves(vector::MultiDimReductionOp op, int64_t vectorBits,
            PatternRewriter &rewriter)
      : op(op), vectorBits(vectorBits), rewriter(rewriter),
        start(getKnownStart(op)),
        numRows(op.getSourceVectorType().getNumElements()),
        width(op.getSourceVectorType().getShape().back()) {
    numRows /= width;
  }

  Value reduce() {
    split();
    for (; width > 1; width /= 2) {
      if (getLanes() < width)
        joinVectors();
      else if (vectors.size() > 1)
        joinPairs();
      else
        vectors = {
            join(takeHalves(vectors[0], vectors[0], 0, getLanes()),
                 takeHalves(vectors[0], vectors[0], width / 2, getLanes()))};
      first = false;
    }
    Value rows = concatenate();
    return start ? rows
                 : vector::makeArithReduction(rewriter, op.getLoc(),
                                              op.getKind(), rows,
                                              flatten(op.getAcc(), numRows));
  }

private:
  int64_t getLanes() const {
    return cast<VectorType>(vectors[0].getType()).getNumElements();
  }

  Value flatten(Value value, int64_t size) {
    auto flat =
        VectorType::get(size, op.getSourceVectorType().getElementType());
    if (!isa<VectorType>(value.getType()))
      return vector::BroadcastOp::create(rewriter, op.getLoc(), flat, value);
    return rewriter.createOrFold<vector::ShapeCastOp>(op.getLoc(), flat, value);
  }

  Value slice(Value vector, int64_t offset, int64_t size) {
    return rewriter.createOrFold<vector::ExtractStridedSliceOp>(
        op.getLoc(), vector, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{size},
        ArrayRef<int64_t>{1});
  }

  /// Vectors of a register each where a row has as many elements, else one:
  /// LLVM takes long over shuffles of many registers.
  void split() {
    VectorType source = op.getSourceVectorType();
    const int64_t lanes = std::max<int64_t>(
        1, vectorBits / clique::getBits(source.getElementType()));
    if (width < lanes || source.getNumElements() == lanes) {
      vectors = {flatten(op.getSource(), source.getNumElements())};
      return;
    }
    for (int64_t row = 0; row < numRows; ++row) {
      Value whole = op.getSource();
      if (source.getRank() > 1)
        whole = vector::ExtractOp::create(
            rewriter, op.getLoc(), whole,
            delinearize(row, computeStrides(source.getShape().drop_back())));
      for (int64_t offset = 0; offset < width; offset += lanes)
        vectors.push_back(slice(whole, offset, lanes));
    }
  }

  Value join(Value low, Value high) {
    // The start is taken in first: no later step has to look for NaN.
    arith::FastMathFlagsAttr flags;
    if (start && first)
      low = vector::makeArithReduction(
          rewriter, op.getLoc(), op.getKind(), low,
          arith::ConstantOp::create(
              rewriter, op.getLoc(),
              DenseElementsAttr::get(cast<ShapedType>(low.getType()),
                                     Attribute(start))));
    else if (start)
      flags = arith::FastMathFlagsAttr::get(op.getContext(),
                                            arith::FastMathFlags::nnan);
    return vector::makeArithReduction(rewriter, op.getLoc(), op.getKind(), low,
                                      high, flags);
  }

  /// Rows of several vectors: the first half of them and the second.
  void joinVectors() {
    const int64_t half = width / getLanes() / 2;
    SmallVector<Value> joined;
    for (size_t begin = 0; begin < vectors.size(); begin += 2 * half)
      for (int64_t k = 0; k < half; ++k)
        joined.push_back(join(vectors[begin + k], vectors[begin + half + k]));
    vectors = std::move(joined);
  }

  /// Two vectors at a time become one of half the row size; the last one of an
  /// odd number is taken twice, and what is behind its rows never read.
  void joinPairs() {
    SmallVector<Value> joined;
    for (size_t k = 0; k < vectors.size(); k += 2) {
      Value next = vectors[std::min(k + 1, vectors.size() - 1)];
      joined.push_back(
          join(takeHalves(vectors[k], next, 0, 2 * getLanes()),
               takeHalves(vectors[k], next, width / 2, 2 * getLanes())));
    }
    vectors = std::move(joined);
  }

  /// Of each row among the first `size` elements of two vectors, the half that
  /// starts at `offset`.
  Value takeHalves(Value low, Value high, int64_t offset, int64_t size) {
    SmallVector<int64_t> lanes;
    for (int64_t row = 0; row < size; row += width)
      for (int64_t k = 0; k < width / 2; ++k)
        lanes.push_back(row + offset + k);
    return vector::ShuffleOp::create(rewriter, op.getLoc(), low, high, lanes);
  }

  /// One element of each row.
  Value concatenate() {
    while (vectors.size() > 1) {
      SmallVector<Value> joined;
      auto all = llvm::to_vector(llvm::seq(2 * getLanes()));
      for (size_t k = 0; k < vectors.size(); k += 2)
        joined.push_back(vector::ShuffleOp::create(
            rewriter, op.getLoc(), vectors[k],
            vectors[std::min(k + 1, vectors.size() - 1)], all));
      vectors = std::move(joined);
    }
    return getLanes() == numRows ? vectors[0] : slice(vectors[0], 0, numRows);
  }

  vector::MultiDimReductionOp op;
  int64_t vectorBits;
  PatternRewriter &rewriter;
  FloatAttr start;
  int64_t numRows, width;
  SmallVector<Value> vectors;
  bool first = true; // step
};

struct ReduceByHalves : public OpRewritePattern<vector::MultiDimReductionOp> {
  ReduceByHalves(MLIRContext *context, int64_t vectorBits)
      : OpRewritePattern(context), vectorBits(vectorBits) {}

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    VectorType source = op.getSourceVectorType();
    int64_t last = source.getRank() - 1;
    if (last < 0 || op.getReductionDims() != ArrayRef<int64_t>{last})
      return rewriter.notifyMatchFailure(op, "reduces other dimensions");
    if (last == 0 && !isTakenByLanes(op.getKind()))
      return rewriter.notifyMatchFailure(op, "one vector, which LLVM halves");
    // A vector of more registers than there are is better taken row by row.
    if (!llvm::isPowerOf2_64(source.getDimSize(last)) ||
        source.getNumElements() > clique::tuning::halvedElements)
      return rewriter.notifyMatchFailure(op,
                                         "rows have no halves, or are many");

    Value result = RowHalves(op, vectorBits, rewriter).reduce();
    if (isa<VectorType>(op.getType()))
      rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, op.getType(),
                                                       result);
    else
      rewriter.replaceOpWithNewOp<vector::ExtractOp>(op, result, 0);
    return success();
  }

  int64_t vectorBits;
};
} // namespace

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
    patterns.add<ReduceByHalves>(
        &getContext(), clique::mp::getCpu(getOperation()).getVectorBits());
    patterns.add(reduceRowByRow);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     clique::getRewriteConfig())))
      signalPassFailure();
  }
};
} // namespace
