//===- Vectorize.cpp - Register tiles of linalg to vectors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace clique {
#define GEN_PASS_DEF_VECTORIZEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether a value of the op's body is made of none of its operands or indices.
static bool isUniform(Value value, linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto isOperand = [&](Value other) {
    auto argument = dyn_cast<BlockArgument>(other);
    return argument && argument.getOwner() == body;
  };
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != body)
    return !isOperand(value);
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *other) { return other->getBlock() == body; };
  SetVector<Operation *> slice;
  (void)getBackwardSlice(value, &slice, options);
  return llvm::none_of(slice, [&](Operation *other) {
    return isa<linalg::IndexOp>(other) ||
           llvm::any_of(other->getOperands(), isOperand);
  });
}

/// Upstream takes such a number for a vector that was reduced already, and adds
/// it once.
static bool reducesUniformValue(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  return llvm::any_of(
      llvm::seq<unsigned>(0, op.getNumDpsInits()), [&](unsigned output) {
        SmallVector<Operation *, 4> combiners;
        Value reduced =
            matchReduction(op.getRegionOutputArgs(), output, combiners);
        return reduced && isUniform(reduced, op);
      });
}

/// The loops of a reduction in the order in which an operand of all of them has
/// its elements, if a reduced one would be innermost otherwise: vectors then
/// run along what is not reduced, and need no transposition.
static linalg::LinalgOp orderLoops(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || op.getNumReductionLoops() == 0 ||
      !linalg::isReductionIterator(op.getIteratorTypesArray().back()))
    return op;
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (!map.isPermutation() || map.isIdentity())
      continue;
    auto order = llvm::map_to_vector(map.getResults(), [](AffineExpr loop) {
      return cast<AffineDimExpr>(loop).getPosition();
    });
    if (linalg::isReductionIterator(op.getIteratorTypesArray()[order.back()]))
      continue;
    FailureOr<linalg::GenericOp> ordered =
        linalg::interchangeGenericOp(rewriter, generic, order);
    return succeeded(ordered) ? linalg::LinalgOp(*ordered) : op;
  }
  return op;
}

namespace {
struct Vectorize : public clique::impl::VectorizePassBase<Vectorize> {
  using VectorizePassBase::VectorizePassBase;

  void runOnOperation() override {
    dropUnitLoops();
    vectorizeAll();
    // Of an accumulator's slice with dimensions of one element the read and the
    // write have the same map, until that of the write is lowered.
    foldSlices(/*lowersMaps=*/false);
    carryAccumulators();
    foldSlices(/*lowersMaps=*/true);
    bool changed = storeCarriedAsVectors();
    changed |= overwriteCarried();
    changed |= carryAccumulators();
    if (!changed)
      return;
    // What an inner loop carries is read and written around it: an outer loop
    // can carry it too.
    foldSlices(/*lowersMaps=*/true);
    carryAccumulators();
  }

  /// A reduction of one step is no reduction: the tile of a contraction becomes
  /// elementwise, an outer product.
  void dropUnitLoops() {
    RewritePatternSet patterns(&getContext());
    linalg::ControlDropUnitDims control;
    control.rankReductionStrategy =
        linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
    linalg::populateFoldUnitExtentDimsPatterns(patterns, control);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns),
                                clique::getRewriteConfig());
  }

  bool isRegisterTile(linalg::LinalgOp op) {
    // A look-up of one number is a load; upstream makes a gather without lanes
    // of it, which does not verify.
    if (op.getNumLoops() == 0 &&
        !op->getRegion(0).getOps<tensor::ExtractOp>().empty())
      return false;
    int64_t elements = 1;
    for (int64_t size : op.getStaticLoopRanges()) {
      if (ShapedType::isDynamic(size))
        return false;
      elements *= size;
    }
    return 0 < elements && elements <= maxElements;
  }

  void vectorizeAll() {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      if (!isRegisterTile(op) || reducesUniformValue(op))
        continue;
      rewriter.setInsertionPoint(op);
      op = orderLoops(rewriter, op);
      FailureOr<linalg::VectorizationResult> result =
          linalg::vectorize(rewriter, op);
      if (succeeded(result))
        rewriter.replaceOp(op, result->replacements);
    }
  }

  void foldSlices(bool lowersMaps) {
    RewritePatternSet patterns(&getContext());
    tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
    if (lowersMaps)
      vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::TransferReadOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    vector::TransferWriteOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet sound(std::move(patterns),
                                  clique::getBrokenPatterns());
    (void)applyPatternsGreedily(getOperation(), sound,
                                clique::getRewriteConfig());
    mergeEqual();
  }

  /// A subset that is read twice cannot be hoisted.
  void mergeEqual() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  /// A carried tensor that a step stores as it came is read as others are, or
  /// it could not be carried in registers.
  /// True if there are such tensors, as of the steps below.
  bool storeCarriedAsVectors() {
    SmallVector<bufferization::MaterializeInDestinationOp> stores;
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp store) {
      auto carried = dyn_cast<BlockArgument>(store.getSource());
      auto type = dyn_cast<RankedTensorType>(store.getSource().getType());
      if (carried && type && type.hasStaticShape() &&
          type.getNumElements() > 0 && type.getNumElements() <= maxElements &&
          isa<scf::ForOp>(carried.getOwner()->getParentOp()))
        stores.push_back(store);
    });
    for (bufferization::MaterializeInDestinationOp store : stores) {
      OpBuilder b(store);
      Location loc = store.getLoc();
      auto type = cast<RankedTensorType>(store.getSource().getType());
      SmallVector<Value> zeros(type.getRank());
      for (Value &zero : zeros)
        zero = arith::ConstantIndexOp::create(b, loc, 0);
      SmallVector<bool> inBounds(type.getRank(), true);
      Value read = vector::TransferReadOp::create(
          b, loc, VectorType::get(type.getShape(), type.getElementType()),
          store.getSource(), zeros, /*padding=*/std::nullopt,
          ArrayRef<bool>(inBounds));
      Value empty = tensor::EmptyOp::create(b, loc, type.getShape(),
                                            type.getElementType());
      auto write = vector::TransferWriteOp::create(b, loc, read, empty, zeros,
                                                   ArrayRef<bool>(inBounds));
      store.getSourceMutable().assign(write.getResult());
    }
    if (stores.empty())
      return false;
    mergeEqual();
    return true;
  }

  /// A tensor that a step writes as a whole, at once or in parts, may lie where
  /// the one before it did: as an accumulator, which needs no other memory in
  /// each step.
  bool overwriteCarried() {
    bool changed = false;
    getOperation()->walk([&](scf::ForOp loop) {
      for (auto [yielded, carried] :
           llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs())) {
        OpOperand *overwritten = findOverwritten(loop, yielded, carried);
        if (overwritten && overwritten->get().getType() == carried.getType()) {
          overwritten->set(carried);
          changed = true;
        }
      }
    });
    return changed;
  }

  /// What the loop's body writes over to make `tensor`, where nothing of it is
  /// left.
  static OpOperand *findOverwritten(scf::ForOp loop, Value tensor,
                                    BlockArgument carried) {
    if (auto write = tensor.getDefiningOp<vector::TransferWriteOp>();
        write && write->hasOneUse() && write->getParentOp() == loop &&
        isWhole(write))
      return &write.getBaseMutable();
    // Loops that read it may do so behind the first part.
    if (llvm::any_of(carried.getUsers(), [&](Operation *user) {
          return user->getBlock() != loop.getBody();
        }))
      return nullptr;
    OpOperand *base = nullptr;
    for (Operation *op = tensor.getDefiningOp(); op;
         op = base->get().getDefiningOp()) {
      if (isa<tensor::EmptyOp>(op))
        return base;
      auto write = dyn_cast<vector::TransferWriteOp>(op);
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if ((!write && !insert) || op->getParentOp() != loop)
        return nullptr;
      base = write ? &write.getBaseMutable() : &insert.getDestMutable();
    }
    return nullptr;
  }

  static bool isWhole(vector::TransferWriteOp write) {
    return write.getShapedType().getShape() ==
               write.getVectorType().getShape() &&
           write.getPermutationMap().isIdentity() && !write.getMask() &&
           llvm::all_of(write.getIndices(), [](Value index) {
             return isConstantIntValue(index, 0);
           });
  }

  /// What a check in a loop guards may not be there, and what has no step is
  /// not checked: nothing may be read in front of such a loop.
  static bool hasCheck(LoopLikeOpInterface loop) {
    return loop
        ->walk([](clique::mp::CheckOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  /// Accumulators become vectors that the loops carry.
  bool carryAccumulators() {
    getOperation()->walk([](LoopLikeOpInterface loop) {
      if (!hasCheck(loop))
        (void)moveLoopInvariantCode(loop);
    });
    IRRewriter rewriter(&getContext());
    bool changed = false;
    // A loop that carries more is another op.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      if (!hasCheck(loop) && writesInvariantPart(loop))
        changed |= hoistLoopInvariantSubsets(rewriter, loop) != loop;
    });
    return changed;
  }

  /// Whether each step writes the same part of a tensor: only that can be
  /// carried. Upstream compares all parts with each other before it asks.
  static bool writesInvariantPart(LoopLikeOpInterface loop) {
    auto isInvariant = [&](SubsetInsertionOpInterface write) {
      return llvm::all_of(write->getOpOperands(), [&](OpOperand &operand) {
        return &operand == &write.getSourceOperand() ||
               &operand == &write.getDestinationOperand() ||
               loop.isDefinedOutsideOfLoop(operand.get());
      });
    };
    return llvm::any_of(loop.getLoopRegions(), [&](Region *body) {
      return llvm::any_of(body->getOps<SubsetInsertionOpInterface>(),
                          isInvariant);
    });
  }
};
} // namespace
