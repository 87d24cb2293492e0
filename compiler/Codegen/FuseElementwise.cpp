//===- FuseElementwise.cpp - Elementwise ops where they cost nothing ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// The ops of a body of arithmetic; none if there are others.
static std::optional<int64_t> countArithmetic(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &step : op.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect>(step.getDialect()))
      return std::nullopt;
    count += isa<arith::ConstantOp>(step) ? 0 : 1;
  }
  return count;
}

/// Whether what the op makes is in one register, and needs no buffer.
static bool fitsRegister(linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResultTypes().front());
  return type && type.hasStaticShape() && !clique::mp::getGpu(op) &&
         type.getNumElements() * clique::getBits(type.getElementType()) <=
             clique::mp::getCpu(op).getVectorBits();
}

/// Whether doing it again costs less than to keep it: nothing, or little beside
/// a buffer.
static bool isCheap(linalg::LinalgOp op) {
  std::optional<int64_t> count = countArithmetic(op);
  if (!count)
    return false;
  return *count == 0 ||
         (*count <= clique::tuning::cheapOps && !fitsRegister(op));
}

/// Whether the user visits each element of the operand once.
static bool visitsOnce(OpOperand &operand) {
  auto user = cast<linalg::LinalgOp>(operand.getOwner());
  AffineMap map = user.getMatchingIndexingMap(&operand);
  for (auto [loop, size] : llvm::enumerate(user.getStaticLoopRanges()))
    if (size != 1 && !map.isFunctionOfDim(loop))
      return false;
  return true;
}

/// A factor, or a factor that is repeated for a product, whose sum is taken:
/// together they are a product of matrices, which has registers for its
/// factors, but not for what they are made from.
static bool becomesFactor(linalg::LinalgOp op) {
  bool isMultiplied = false;
  while (op && op.getNumReductionLoops() == 0) {
    Operation &step = op.getBlock()->front();
    bool isProduct = isa<arith::MulFOp>(step) &&
                     step.getNextNode() == op.getBlock()->getTerminator();
    isMultiplied |= isProduct;
    if (!op->hasOneUse() || (!isProduct && !isa<linalg::YieldOp>(step)))
      return false;
    op = dyn_cast<linalg::LinalgOp>(*op->getUsers().begin());
  }
  return op && (isMultiplied || isa<arith::MulFOp>(op.getBlock()->front()));
}

/// Whether the body has a function that becomes a polynomial.
static bool hasFunction(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(), [](Operation &step) {
    return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
               math::Log1pOp, math::TanhOp, math::ErfOp>(step);
  });
}

/// Whether both have functions, each a long chain of steps that wait for each
/// other: a CPU has more of shorter ones under way. A GPU has other threads to
/// compute meanwhile, and no cheap place for what lies between.
static bool isLongChain(linalg::LinalgOp producer, linalg::LinalgOp user) {
  using namespace clique::tuning;
  int64_t elements = 1;
  for (int64_t size : producer.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(size))
      return false;
    elements *= size;
  }
  return elements >= leastChainElements && elements <= mostChainElements &&
         hasFunction(producer) && hasFunction(user) &&
         !clique::mp::getGpu(producer);
}

/// Whether the op reads what it replaces: done again it would add to its own
/// result.
static bool readsInits(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
}

static bool isWorthwhile(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto user = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !user || !producer->hasOneUse() ||
      isLongChain(producer, user))
    return false;
  if (user.getNumReductionLoops() > 0 || becomesFactor(user))
    return visitsOnce(*operand);
  return visitsOnce(*operand) || (isCheap(producer) && !readsInits(producer));
}

namespace {
/// A reduction that subtracts its terms is a sum of them, negated, which is
/// divided into blocks as sums are.
struct SubtractionAsSum : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(op, "reduces nothing");
    SmallVector<arith::SubFOp> steps;
    for (auto step : op.getBlock()->getOps<arith::SubFOp>())
      if (llvm::is_contained(op.getRegionOutputArgs(), step.getLhs()))
        steps.push_back(step);
    for (arith::SubFOp step : steps) {
      rewriter.setInsertionPoint(step);
      Value term = arith::NegFOp::create(rewriter, step.getLoc(), step.getRhs(),
                                         step.getFastmath());
      rewriter.replaceOpWithNewOp<arith::AddFOp>(step, step.getLhs(), term,
                                                 step.getFastmath());
    }
    return success(!steps.empty());
  }
};

struct FuseElementwise
    : public clique::impl::FuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, isWorthwhile);
    patterns.add<SubtractionAsSum>(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     clique::getRewriteConfig())))
      signalPassFailure();
  }
};
} // namespace
