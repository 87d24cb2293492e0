//===- SplitSums.cpp - Long sums block by block ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number after the other, the rounding errors of a sum grow with its
// length, and it stands still once it is so large that a term no longer changes
// it (Higham: The Accuracy of Floating Point Summation, SIAM J. Sci. Comput.
// 14, 1993). Sums of sums of blocks have the errors of their longest part.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/SumBlocks.h"
#include "compiler/Codegen/WideReductions.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_SPLITSUMSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// A sum of products of pairs, which clique-pair-products makes.
static bool addsPairs(Operation *combiner) {
  return isa<clique::mp::DotPairsOp>(combiner);
}

/// The ops that join a step of each reduction with what is there; none unless
/// each is one op with a neutral element, and one of them a sum or a product of
/// floats.
static SmallVector<Operation *> getRoundingCombiners(linalg::LinalgOp op) {
  Operation &first = op.getBlock()->front();
  if (addsPairs(&first) &&
      first.getNextNode() == op.getBlock()->getTerminator())
    return {&first};
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (OpOperand &init : op.getDpsInitsMutable())
    for (unsigned loop : loops)
      if (op.getMatchingIndexingMap(&init).isFunctionOfDim(loop))
        return {}; // the slice of a block would be its own output
  SmallVector<Operation *> combiners = getCombiners(op);
  auto mayRound = [](Operation *combiner) {
    // Kernels ask with sums of x - x, which are 0 or NaN, what is not finite.
    return isa<arith::AddFOp, arith::MulFOp>(combiner) &&
           llvm::none_of(combiner->getOperands(), [](Value term) {
             auto difference = term.getDefiningOp<arith::SubFOp>();
             return difference && difference.getLhs() == difference.getRhs();
           });
  };
  if (llvm::none_of(combiners, mayRound))
    return {};
  return combiners;
}

/// Whether each operand is read again for some rows or columns of the result.
static bool isMatrixProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty();
}

/// A block of a product of matrices (clique-outline-sums), of whose factors so
/// few belong to a term that those of some terms stay in the first cache.
static bool isNarrowProduct(linalg::LinalgOp op) {
  if (op->getParentOfType<func::FuncOp>().isPublic() || !isMatrixProduct(op))
    return false;
  int64_t factors = 0;
  for (int64_t size :
       cast<RankedTensorType>(op->getResult(0).getType()).getShape())
    factors += size;
  return factors <= clique::tuning::fewSumFactors;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// One op, whose reductions are split.
class SumSplitter {
public:
  SumSplitter(linalg::LinalgOp op, ArrayRef<Operation *> combiners,
              RewriterBase &rewriter)
      : op(op), combiners(combiners), builder(rewriter), loc(op.getLoc()) {}

  /// Whether there is a loop to split.
  bool findLoops(int64_t blockSize);
  FailureOr<SmallVector<Value>> run();

private:
  /// A reduction loop, in blocks of so many steps, from outer to inner.
  struct Split {
    unsigned loop;
    SmallVector<int64_t> blocks;
  };

  Value getIndex(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }
  /// Tensors like the results, filled with what changes nothing.
  SmallVector<Value> emitNeutral();
  /// `sums` joined with `parts`.
  SmallVector<Value> emitJoin(ValueRange sums, ValueRange parts);
  /// The loops of `splits`, from entry `split` and there from `level` on, added
  /// to `sums`.
  FailureOr<SmallVector<Value>> emitLoops(unsigned split, unsigned level,
                                          ValueRange sums);
  /// A step of one of them, of `size` steps of the op's loop from `offset` on.
  FailureOr<SmallVector<Value>> emitStep(unsigned split, unsigned level,
                                         OpFoldResult offset, OpFoldResult size,
                                         ValueRange sums);
  /// The op over the present part of its loops, from neutral elements on.
  FailureOr<SmallVector<Value>> emitPart();

  linalg::LinalgOp op;
  ArrayRef<Operation *> combiners;
  RewriterBase &builder;
  Location loc;
  SmallVector<Split> splits;
  /// The present part of all loops.
  SmallVector<OpFoldResult> offsets, sizes;
};
} // namespace

/// Steps of a loop at most: a slice is no longer than what it is taken from.
static int64_t getMostSteps(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto slice = operand->get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getSourceType().getRank() != slice.getType().getRank())
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(operand).getResults())) {
      auto position = dyn_cast<AffineDimExpr>(expr);
      if (position && position.getPosition() == loop &&
          !slice.getSourceType().isDynamicDim(dim))
        return slice.getSourceType().getDimSize(dim);
    }
  }
  return ShapedType::kDynamic;
}

bool SumSplitter::findLoops(int64_t blockSize) {
  SmallVector<int64_t> lengths = op.getStaticLoopRanges();
  for (auto [loop, length] : llvm::enumerate(lengths))
    if (ShapedType::isDynamic(length))
      length = getMostSteps(op, loop);
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  int64_t inside = 1;
  for (unsigned loop : llvm::reverse(loops)) {
    // Several loops make long blocks together.
    int64_t block = std::max<int64_t>(1, blockSize / inside);
    bool isLong =
        ShapedType::isDynamic(lengths[loop]) || lengths[loop] > 2 * block;
    if (isLong)
      splits.push_back({loop, {block * blockSize, block}});
    inside *= isLong ? block : lengths[loop];
    inside = std::min(inside, blockSize);
  }
  std::reverse(splits.begin(), splits.end());
  return !splits.empty();
}

SmallVector<Value> SumSplitter::emitNeutral() {
  SmallVector<Value> neutral;
  for (auto [init, combiner] : llvm::zip_equal(op.getDpsInits(), combiners)) {
    Value empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, init),
        getElementTypeOrSelf(init));
    TypedAttr number = addsPairs(combiner)
                           ? TypedAttr(builder.getF32FloatAttr(0.0))
                           : *arith::getNeutralElement(combiner);
    Value element = arith::ConstantOp::create(builder, loc, number);
    neutral.push_back(
        linalg::FillOp::create(builder, loc, element, empty).getResult(0));
  }
  return neutral;
}

SmallVector<Value> SumSplitter::emitJoin(ValueRange sums, ValueRange parts) {
  SmallVector<Value> joined;
  for (auto [sum, part, combiner] : llvm::zip_equal(sums, parts, combiners)) {
    auto type = cast<RankedTensorType>(sum.getType());
    SmallVector<AffineMap> maps(2,
                                builder.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    Operation *step = combiner;
    auto generic = linalg::GenericOp::create(
        builder, loc, type, part, sum, maps, loops,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          if (addsPairs(step)) {
            Value sum = arith::AddFOp::create(b, loc, args[1], args[0]);
            linalg::YieldOp::create(b, loc, sum);
            return;
          }
          Value sum = emitCombiner(b, loc, step, args[1], args[0]);
          linalg::YieldOp::create(b, loc, sum);
        });
    joined.push_back(generic.getResult(0));
  }
  return joined;
}

FailureOr<SmallVector<Value>> SumSplitter::emitPart() {
  SmallVector<Value> operands = op.getDpsInputs();
  llvm::append_range(operands, emitNeutral());
  Operation *whole = mlir::clone(builder, op, op->getResultTypes(), operands);
  auto tiling = cast<TilingInterface>(whole);
  FailureOr<TilingResult> part =
      tiling.getTiledImplementation(builder, offsets, sizes);
  if (failed(part))
    return failure();
  SmallVector<Value> results = part->tiledValues;
  builder.eraseOp(whole);
  return results;
}

FailureOr<SmallVector<Value>>
SumSplitter::emitStep(unsigned split, unsigned level, OpFoldResult offset,
                      OpFoldResult size, ValueRange sums) {
  unsigned loop = splits[split].loop;
  bool isLast = level + 1 == splits[split].blocks.size();
  OpFoldResult start = std::exchange(offsets[loop], offset),
               length = std::exchange(sizes[loop], size);
  // What is inside begins a sum of its own.
  bool joins = !isLast || split + 1 < splits.size();
  SmallVector<Value> inner = joins ? emitNeutral() : SmallVector<Value>(sums);
  FailureOr<SmallVector<Value>> parts =
      isLast ? emitLoops(split + 1, 0, inner)
             : emitLoops(split, level + 1, inner);
  offsets[loop] = start;
  sizes[loop] = length;
  if (failed(parts) || !joins)
    return parts;
  return emitJoin(sums, *parts);
}

FailureOr<SmallVector<Value>>
SumSplitter::emitLoops(unsigned split, unsigned level, ValueRange sums) {
  if (split == splits.size()) {
    FailureOr<SmallVector<Value>> part = emitPart();
    if (failed(part))
      return failure();
    return emitJoin(sums, *part);
  }
  auto [loop, blocks] = splits[split];
  int64_t block = blocks[level];
  OpFoldResult start = offsets[loop], length = sizes[loop];
  // A known length has blocks of known sizes, and a rest behind the loop.
  std::optional<int64_t> known = getConstantIntValue(length);
  if (known && *known <= block)
    return level + 1 == blocks.size()
               ? emitStep(split, level, start, length, sums)
               : emitLoops(split, level + 1, sums);
  OpFoldResult end =
      known ? builder.getIndexAttr(*known / block * block) : length;
  auto steps = scf::ForOp::create(
      builder, loc, getIndex(builder.getIndexAttr(0)), getIndex(end),
      getIndex(builder.getIndexAttr(block)), sums);
  AffineExpr s0 = builder.getAffineSymbolExpr(0),
             s1 = builder.getAffineSymbolExpr(1);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(steps.getBody());
    OpFoldResult step = steps.getInductionVar(),
                 size = builder.getIndexAttr(block);
    OpFoldResult offset = affine::makeComposedFoldedAffineApply(
        builder, loc, s0 + s1, {start, step});
    if (!known)
      size = affine::makeComposedFoldedAffineMin(
          builder, loc,
          AffineMap::get(0, 2, {s0 - s1, builder.getAffineConstantExpr(block)},
                         builder.getContext()),
          {length, step});
    FailureOr<SmallVector<Value>> next =
        emitStep(split, level, offset, size, steps.getRegionIterArgs());
    if (failed(next))
      return failure();
    scf::YieldOp::create(builder, loc, *next);
  }
  if (!known || *known % block == 0)
    return SmallVector<Value>(steps.getResults());
  OpFoldResult offset = affine::makeComposedFoldedAffineApply(
      builder, loc, s0 + s1, {start, end});
  return emitStep(split, level, offset, builder.getIndexAttr(*known % block),
                  steps.getResults());
}

FailureOr<SmallVector<Value>> SumSplitter::run() {
  builder.setInsertionPoint(op);
  for (Range range :
       cast<TilingInterface>(op.getOperation()).getIterationDomain(builder)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  return emitLoops(0, 0, op.getDpsInits());
}

namespace {
struct SplitSums : public clique::impl::SplitSumsPassBase<SplitSums> {
  using SplitSumsPassBase::SplitSumsPassBase;

  void runOnOperation() override {
    bool isKernel =
        !getOperation().isPublic() && !getOperation()->hasAttr("clique.sum");
    if (isKernel != kernels)
      return;
    // Kernels sum edges in blocks by themselves, but not features.
    auto isLeft = [&](linalg::LinalgOp op) {
      return llvm::is_contained(op.getStaticLoopRanges(), 0) ||
             (isKernel &&
              (op.hasDynamicShape() || (products && !isMatrixProduct(op))));
    };
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() > 0 && op.hasPureTensorSemantics() &&
          !isLeft(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (failed(split(op)))
        return signalPassFailure();
  }

private:
  LogicalResult split(linalg::LinalgOp op) {
    IRRewriter rewriter(op);
    if (reducesHalves(op))
      op = carryWide(rewriter, op);
    SmallVector<Operation *> combiners = getRoundingCombiners(op);
    if (combiners.empty())
      return success();
    SumSplitter splitter(op, combiners, rewriter);
    int64_t most = !kernels && isNarrowProduct(op)
                       ? clique::tuning::productSumTerms
                       : int64_t(blockSize);
    if (!splitter.findLoops(std::min<int64_t>(blockSize, most)))
      return success();
    FailureOr<SmallVector<Value>> results = splitter.run();
    if (failed(results))
      return op.emitOpError("has a sum that cannot be split into blocks");
    rewriter.replaceOp(op, *results);
    return success();
  }
};
} // namespace
