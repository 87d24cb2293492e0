//===- SimplifyDeviceArith.cpp - Arithmetic as GPUs have it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ExpDifference.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/IntegerPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallSet.h"

#include <cmath>

namespace clique {
#define GEN_PASS_DEF_SIMPLIFYDEVICEARITHPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// A factor that is the same number for all elements.
std::optional<double> getFactor(Value value) {
  FloatAttr number;
  DenseFPElementsAttr all;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  if (matchPattern(value, m_Constant(&all)) && all.isSplat())
    return all.getSplatValue<APFloat>().convertToDouble();
  return std::nullopt;
}

Value createFactor(OpBuilder &b, Location loc, Type type, double factor) {
  TypedAttr number = b.getFloatAttr(getElementTypeOrSelf(type), factor);
  if (auto shaped = dyn_cast<ShapedType>(type))
    number = DenseElementsAttr::get(shaped, Attribute(number));
  return arith::ConstantOp::create(b, loc, number);
}

/// x and c of x c, c a constant.
std::optional<std::pair<Value, double>> getScaled(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  if (std::optional<double> factor = getFactor(product.getRhs()))
    return std::pair(product.getLhs(), *factor);
  return std::nullopt;
}

/// Replaces `op` by `value` times the factor.
void replaceByScaled(PatternRewriter &rewriter, Operation *op, Value value,
                     double factor) {
  rewriter.replaceOpWithNewOp<arith::MulFOp>(
      op, value, createFactor(rewriter, op->getLoc(), value.getType(), factor));
}

constexpr double kLog2E = 1.4426950408889634;

/// exp(x) = 2^(x log2(e)): one instruction and a product. The product's
/// rounding costs exp |x| 2^-24 of relative error. In a softmax, where x <= 0,
/// that is at most 2e-8 of the largest weight; any other exponential gets what
/// the product lost: 2^t (1 + r ln(2)), t + r = x log2(e).
struct ExpByExp2 : public OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "there is an instruction for f32");
    Location loc = op.getLoc();
    auto constant = [&](double number) {
      return createFactor(rewriter, loc, type, number);
    };
    Value x = op.getOperand();
    Value scaled = arith::MulFOp::create(rewriter, loc, x, constant(kLog2E));
    Value power = math::Exp2Op::create(rewriter, loc, scaled);
    if (getDifferenceUpToFactor(op)) {
      rewriter.replaceOp(op, power);
      return success();
    }
    Value lost =
        math::FmaOp::create(rewriter, loc, x, constant(kLog2E),
                            arith::NegFOp::create(rewriter, loc, scaled));
    lost = math::FmaOp::create(rewriter, loc, x,
                               constant(kLog2E - float(kLog2E)), lost);
    lost = arith::MulFOp::create(rewriter, loc, lost, constant(M_LN2));
    Value exact = math::FmaOp::create(rewriter, loc, power, lost, power);
    // Powers that are infinite or 0 stay.
    Value isInRange = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OLT,
        math::AbsFOp::create(rewriter, loc, scaled), constant(128));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isInRange, exact, power);
    return success();
  }
};

/// Whether elements are the same number several times over.
bool isRepeated(Value value) {
  if (value.getDefiningOp<vector::BroadcastOp>())
    return true;
  auto shuffle = value.getDefiningOp<vector::ShuffleOp>();
  return shuffle &&
         llvm::SmallSet<int64_t, 8>(llvm::from_range, shuffle.getMask())
                 .size() < shuffle.getMask().size();
}

/// exp(c x - y) = 2^(x (c log2(e)) - y log2(e)), a multiplication and addition
/// in one, where there are fewer y than x, as in a softmax: y is the largest
/// score of a row. Its product's rounding is the same in all weights of the
/// row, and in what states are rescaled by (rescaleAsWeights).
struct ExpDifferenceByExp2 : public OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    arith::SubFOp difference = getDifferenceUpToFactor(op);
    if (!difference || !isRepeated(difference.getRhs()))
      return rewriter.notifyMatchFailure(op, "no difference of f32 from one of "
                                             "fewer that may be reassociated");
    Location loc = op.getLoc();
    Value x = difference.getLhs();
    double factor = kLog2E;
    if (auto scaled = getScaled(x)) {
      x = scaled->first;
      factor *= scaled->second;
    }
    Value log2e = createFactor(rewriter, loc, type, kLog2E);
    Value less =
        arith::MulFOp::create(rewriter, loc, difference.getRhs(), log2e);
    Value exponent = math::FmaOp::create(
        rewriter, loc, x, createFactor(rewriter, loc, type, factor),
        arith::NegFOp::create(rewriter, loc, less));
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, exponent);
    return success();
  }
};

/// Whether `value` is the largest of some numbers, `part` among them.
bool isMaximumOf(Value value, Value part, int depth = 4) {
  Operation *op = value.getDefiningOp();
  return value == part ||
         (depth > 0 &&
          isa_and_present<arith::MaxNumFOp, arith::MaximumFOp, arith::SelectOp>(
              op) &&
          llvm::any_of(op->getOperands(), [&](Value operand) {
            return isMaximumOf(operand, part, depth - 1);
          }));
}

/// What states are rescaled by, exp(x - y) of the largest scores before and
/// now, where weights are ExpDifferenceByExp2's: 2^(x log2(e) - y log2(e)), of
/// the same rounded products. It is 1 where both are the same.
void rescaleAsWeights(gpu::GPUFuncOp kernel) {
  bool hasWeights = false;
  SmallVector<math::ExpOp> scales;
  kernel.walk([&](math::ExpOp op) {
    arith::SubFOp difference = getDifferenceUpToFactor(op);
    if (!difference)
      return;
    Value y = difference.getRhs();
    hasWeights |= isRepeated(y);
    if (!isRepeated(y) && isMaximumOf(y, difference.getLhs()))
      scales.push_back(op);
  });
  if (!hasWeights)
    return;
  for (math::ExpOp op : scales) {
    IRRewriter rewriter(op);
    Location loc = op.getLoc();
    Value log2e = createFactor(rewriter, loc, op.getType(), kLog2E);
    arith::SubFOp difference = getDifferenceUpToFactor(op);
    auto multiply = [&](Value score) -> Value {
      return arith::MulFOp::create(rewriter, loc, score, log2e);
    };
    Value exponent =
        arith::SubFOp::create(rewriter, loc, multiply(difference.getLhs()),
                              multiply(difference.getRhs()));
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, exponent);
  }
}

//===----------------------------------------------------------------------===//
// A positive factor of all scores is one of their maximum. Rounding keeps
// order, so that max(c x, c y) and c max(x, y) are the same number.
//===----------------------------------------------------------------------===//

bool isPositive(double factor) {
  return factor > 0 && factor < std::numeric_limits<double>::infinity();
}

struct ScaleMaximum : public OpRewritePattern<arith::MaxNumFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MaxNumFOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = getScaled(op.getLhs()), rhs = getScaled(op.getRhs());
    if (!lhs || !rhs || lhs->second != rhs->second || !isPositive(lhs->second))
      return rewriter.notifyMatchFailure(op, "not of one positive factor");
    Value largest = arith::MaxNumFOp::create(rewriter, op.getLoc(), lhs->first,
                                             rhs->first, op.getFastmath());
    replaceByScaled(rewriter, op, largest, lhs->second);
    return success();
  }
};

/// Registers taken from scaled ones, on their way to a maximum.
struct ScaleShuffle : public OpRewritePattern<vector::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    auto scaled = getScaled(op.getV1());
    if (!scaled || op.getV1() != op.getV2() ||
        !llvm::all_of(op->getUsers(), llvm::IsaPred<arith::MaxNumFOp>))
      return rewriter.notifyMatchFailure(op, "no scaled part of a maximum");
    Value part = vector::ShuffleOp::create(rewriter, op.getLoc(), scaled->first,
                                           scaled->first, op.getMask());
    replaceByScaled(rewriter, op, part, scaled->second);
    return success();
  }
};

/// What is masked keeps its -inf.
struct ScaleSelect : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto scaled = getScaled(op.getTrueValue());
    std::optional<double> otherwise = getFactor(op.getFalseValue());
    if (!scaled || !isPositive(scaled->second) || !otherwise ||
        *otherwise != -std::numeric_limits<double>::infinity())
      return rewriter.notifyMatchFailure(op, "no scaled value or -inf");
    Value selected =
        arith::SelectOp::create(rewriter, op.getLoc(), op.getCondition(),
                                scaled->first, op.getFalseValue());
    replaceByScaled(rewriter, op, selected, scaled->second);
    return success();
  }
};

struct SimplifyDeviceArith
    : public clique::impl::SimplifyDeviceArithPassBase<SimplifyDeviceArith> {
  void runOnOperation() override {
    getOperation()->walk(rescaleAsWeights);
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpByExp2, ScaleMaximum, ScaleShuffle, ScaleSelect>(
        &getContext());
    patterns.add<ExpDifferenceByExp2>(&getContext(), /*benefit=*/2);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    clique::populateIntegerPowerPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
