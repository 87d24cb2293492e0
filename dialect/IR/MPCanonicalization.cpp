//===- MPCanonicalization.cpp - Simplifies messages and updates -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalisation of the ops with regions: unused operands and results are
// dropped, duplicate operands merged, operands that an update passes on are its
// results. A scan keeps its states.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace clique::mp;

namespace {
/// Drops operands whose region argument is unused, merges an operand that is
/// given twice with the same role, and drops unused results.
template <typename OpTy>
struct DropRedundantValues : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  /// 0, 1, 2 for the roles of a message's operands, 0 for those of an update.
  static unsigned getRole(MessageOp op, unsigned arg) {
    unsigned numDst = op.getDst().size(), numSrc = op.getSrc().size();
    return arg < numDst ? 0 : arg < numDst + numSrc ? 1 : 2;
  }
  static unsigned getRole(UpdateOp, unsigned) { return 0; }
  static unsigned getRole(ScanOp op, unsigned arg) {
    return arg < op.getFrom().size() ? 0 : 1;
  }

  /// States belong to their results, one to one.
  static unsigned getNumStates(Operation *op) {
    auto scan = dyn_cast<ScanOp>(op);
    return scan ? scan.getFrom().size() : 0;
  }

  static OpTy rebuild(PatternRewriter &rewriter, MessageOp op,
                      ArrayRef<SmallVector<Value>> operands,
                      TypeRange results) {
    return MessageOp::create(rewriter, op.getLoc(), op.getGraph(), operands[0],
                             operands[1], operands[2], results);
  }
  static OpTy rebuild(PatternRewriter &rewriter, UpdateOp op,
                      ArrayRef<SmallVector<Value>> operands,
                      TypeRange results) {
    return UpdateOp::create(rewriter, op.getLoc(), operands[0], results);
  }
  static OpTy rebuild(PatternRewriter &rewriter, ScanOp op,
                      ArrayRef<SmallVector<Value>> operands,
                      TypeRange results) {
    return ScanOp::create(rewriter, op.getLoc(), op.getGraph(),
                          op.getReversed(), operands[0], operands[1], results);
  }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    const unsigned numStates = getNumStates(op);
    unsigned first = op->getNumOperands() - body.getNumArguments();
    SmallVector<SmallVector<Value>, 3> operands(3);
    SmallVector<std::pair<unsigned, Value>> kept;
    // Where each old argument is found among the kept ones.
    SmallVector<std::optional<unsigned>> newIndex;
    for (BlockArgument arg : body.getArguments()) {
      Value operand = op->getOperand(first + arg.getArgNumber());
      unsigned role = getRole(op, arg.getArgNumber());
      std::pair<unsigned, Value> entry(role, operand);
      const bool isState = arg.getArgNumber() < numStates;
      auto *it = isState
                     ? kept.end()
                     : std::find(kept.begin() + numStates, kept.end(), entry);
      // An update keeps one operand, which says how many nodes there are, and a
      // scan one edge feature.
      bool needed = isState || !arg.use_empty() ||
                    (!isa<MessageOp>(op) && kept.size() == numStates &&
                     arg.getArgNumber() + 1 == body.getNumArguments());
      if (it != kept.end()) {
        newIndex.push_back(std::distance(kept.begin(), it));
      } else if (needed) {
        newIndex.push_back(kept.size());
        kept.push_back(entry);
        operands[role].push_back(operand);
      } else {
        newIndex.push_back(std::nullopt);
      }
    }
    SmallVector<Type> resultTypes;
    SmallVector<unsigned> usedResults;
    for (OpResult result : op->getResults())
      if (!result.use_empty() || result.getResultNumber() < numStates) {
        usedResults.push_back(result.getResultNumber());
        resultTypes.push_back(result.getType());
      }
    if (usedResults.empty() || (kept.size() == body.getNumArguments() &&
                                usedResults.size() == op->getNumResults()))
      return failure();

    OpTy newOp = rebuild(rewriter, op, operands, resultTypes);
    newOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Block &newBody = newOp.getBody().front();
    SmallVector<Value> replacements;
    for (auto [arg, index] : llvm::zip_equal(body.getArguments(), newIndex)) {
      if (index) {
        replacements.push_back(newBody.getArgument(*index));
        continue;
      }
      replacements.push_back(nullptr);
    }
    // Unused arguments need a value to be merged; any will do.
    rewriter.setInsertionPointToStart(&newBody);
    for (auto [arg, value] : llvm::zip_equal(body.getArguments(), replacements))
      if (!value)
        value = arith::ConstantOp::create(
            rewriter, op.getLoc(),
            rewriter.getZeroAttr(cast<RankedTensorType>(arg.getType())));
    rewriter.mergeBlocks(&body, &newBody, replacements);

    auto yield = cast<YieldOp>(newBody.getTerminator());
    SmallVector<Value> yielded;
    for (unsigned index : usedResults)
      yielded.push_back(yield.getOperand(index));
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValuesMutable().assign(yielded); });
    for (auto [index, result] :
         llvm::zip_equal(usedResults, newOp->getResults()))
      rewriter.replaceAllUsesWith(op->getResult(index), result);
    rewriter.eraseOp(op);
    return success();
  }
};

/// A result of an update that is one of its operands, unchanged, is that
/// operand. In a kernel it is what the kernel writes.
struct ForwardOperands : OpRewritePattern<UpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UpdateOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<KernelOp>(op->getParentOp()))
      return failure();
    bool changed = false;
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), op.getYield().getValues())) {
      auto arg = dyn_cast<BlockArgument>(value);
      if (!arg || arg.getOwner() != &op.getBody().front() || result.use_empty())
        continue;
      Value operand = op->getOperand(arg.getArgNumber());
      if (operand.getType() != result.getType())
        continue;
      rewriter.replaceAllUsesWith(result, operand);
      changed = true;
    }
    return success(changed);
  }
};
} // namespace

void MessageOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropRedundantValues<MessageOp>>(context);
}

void UpdateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropRedundantValues<UpdateOp>, ForwardOperands>(context);
}

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropRedundantValues<ScanOp>>(context);
}
