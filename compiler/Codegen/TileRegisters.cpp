//===- TileRegisters.cpp - Tiles of linalg that fit registers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_TILEREGISTERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// The loop along which an operand is contiguous in memory.
static std::optional<unsigned> getContiguousLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

/// The loop that runs over vectors. A sum of products takes the one along which
/// its result and an operand are contiguous, so that nothing is added across
/// lanes; else it is the loop along which most of the data is contiguous.
static std::optional<unsigned> getVectorLoop(linalg::LinalgOp op) {
  std::optional<unsigned> outLoop =
      getContiguousLoop(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (op.getNumReductionLoops() > 0 && outLoop)
    for (OpOperand *input : op.getDpsInputOperands())
      if (getContiguousLoop(op.getMatchingIndexingMap(input)) == outLoop)
        return outLoop;

  SmallVector<int64_t> votes(op.getNumLoops(), 0);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    std::optional<unsigned> loop =
        getContiguousLoop(op.getMatchingIndexingMap(&operand));
    if (type && loop)
      votes[*loop] += type.hasStaticShape() ? type.getNumElements() : 1;
  }
  auto best = llvm::max_element(votes);
  if (best == votes.end() || *best == 0)
    return std::nullopt;
  return std::distance(votes.begin(), best);
}

/// The largest divisor of `size` that is at most `limit`.
static int64_t getLargestDivisor(int64_t size, int64_t limit) {
  for (int64_t divisor = std::min(size, limit); divisor > 1; --divisor)
    if (size % divisor == 0)
      return divisor;
  return 1;
}

namespace {
struct TileRegisters
    : public clique::impl::TileRegistersPassBase<TileRegisters> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    cpu = clique::mp::getCpu(getOperation());
    finishers.clear();
    // Fills come last: most have been fused by then and are dead.
    SmallVector<linalg::LinalgOp> ops, fills;
    getOperation()->walk([&](linalg::LinalgOp op) {
      (isa<linalg::FillOp>(op) ? fills : ops).push_back(op);
    });
    ops.append(fills);
    for (linalg::LinalgOp op : ops) {
      if (finishers.contains(op))
        continue;
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
      else if (failed(tile(rewriter, op)))
        return signalPassFailure();
    }
  }

  int64_t getLanes(linalg::LinalgOp op) {
    int64_t bits = 8;
    for (Value operand : op->getOperands())
      bits = std::max(bits,
                      clique::getBits(getElementTypeOrSelf(operand.getType())));
    return std::max<int64_t>(1, cpu.getVectorBits() / bits);
  }

  /// The sizes of vectors that hold `size` numbers. Each is what LLVM keeps in
  /// registers from one block of code to the next: a power of two of whole
  /// registers, or less than one. Others it takes apart into scalars there.
  static SmallVector<int64_t> getVectors(int64_t size, int64_t lanes) {
    SmallVector<int64_t> vectors;
    while (size > lanes) {
      vectors.push_back(lanes * llvm::bit_floor<uint64_t>(size / lanes));
      size -= vectors.back();
    }
    if (size > 0)
      vectors.push_back(size);
    return vectors;
  }

  /// Tiles the parts of a loop apart, each of static size. All of them are
  /// slices of the whole, so that one loop around can carry them all.
  LogicalResult split(IRRewriter &rewriter, linalg::LinalgOp op, unsigned loop,
                      ArrayRef<int64_t> parts) {
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> offsets(op.getNumLoops(),
                                      rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes;
    for (Range range :
         cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter))
      sizes.push_back(range.size);
    SmallVector<Value> results(op.getDpsInits());
    SmallVector<linalg::LinalgOp> tiled;
    int64_t offset = 0;
    for (int64_t part : parts) {
      auto whole = cast<linalg::LinalgOp>(rewriter.clone(*op));
      whole.getDpsInitsMutable().assign(results);
      auto tiling = cast<TilingInterface>(whole.getOperation());
      offsets[loop] = rewriter.getIndexAttr(offset);
      sizes[loop] = rewriter.getIndexAttr(part);
      FailureOr<TilingResult> piece =
          tiling.getTiledImplementation(rewriter, offsets, sizes);
      if (failed(piece))
        return op.emitError("cannot be tiled to registers");
      for (auto [k, value] : llvm::enumerate(piece->tiledValues)) {
        SmallVector<OpFoldResult> from, count;
        if (failed(tiling.getResultTilePosition(rewriter, k, offsets, sizes,
                                                from, count)))
          return op.emitError("cannot be tiled to registers");
        SmallVector<OpFoldResult> strides(from.size(),
                                          rewriter.getIndexAttr(1));
        results[k] = tensor::InsertSliceOp::create(
            rewriter, op.getLoc(), value, results[k], from, count, strides);
      }
      rewriter.eraseOp(whole);
      tiled.push_back(cast<linalg::LinalgOp>(piece->tiledOps.front()));
      offset += part;
    }
    rewriter.replaceOp(op, results);
    for (linalg::LinalgOp part : tiled)
      if (failed(tile(rewriter, part)))
        return failure();
    return success();
  }

  /// The one user of a contraction, if it does a little arithmetic to each of
  /// its elements: it does so while they are in registers.
  static linalg::LinalgOp getFinisher(linalg::LinalgOp op) {
    if (!op->hasOneUse())
      return {};
    OpOperand &use = *op->getUses().begin();
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || user.getNumReductionLoops() > 0 || !user.isDpsInput(&use) ||
        user.getNumDpsInits() != 1 ||
        !user.getMatchingIndexingMap(&use).isIdentity() ||
        !user.getMatchingIndexingMap(user.getDpsInitOperand(0)).isIdentity())
      return {};
    // The loops of both are the same, but for the reduced ones at the end.
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (auto [k, loop] : llvm::enumerate(out.getResults()))
      if (loop != getAffineDimExpr(k, op.getContext()))
        return {};
    int64_t count = 0;
    for (Operation &step : user.getBody()->without_terminator()) {
      if (!isa<arith::ArithDialect>(step.getDialect()))
        return {};
      count += isa<arith::ConstantOp>(step) ? 0 : 1;
    }
    return count <= clique::tuning::finisherOps ? user : linalg::GenericOp();
  }

  LogicalResult tile(IRRewriter &rewriter, linalg::LinalgOp op) {
    std::optional<unsigned> vectorLoop = getVectorLoop(op);
    if (!vectorLoop || !op.hasPureTensorSemantics() ||
        !isa<TilingInterface>(op.getOperation()))
      return success();
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t lanes = getLanes(op);
    if (!isOfPairs(op) && fitsRegisters(op, *vectorLoop, lanes)) {
      SmallVector<int64_t> parts = getVectors(sizes[*vectorLoop], lanes);
      return parts.size() == 1 ? success()
                               : split(rewriter, op, *vectorLoop, parts);
    }
    // In public functions nothing is written in place (clique-bufferize): each
    // tile would copy the whole. LLVM takes their loops as they are.
    if (op->getParentOfType<func::FuncOp>().isPublic())
      return success();
    bool contraction = isContraction(op, *vectorLoop);
    // A contraction holds accumulators of two vectors times as many rows as fit
    // beside the operands of a step; elementwise code runs over four, or two
    // where it takes polynomials, which need registers of their own.
    int64_t longest = (contraction || hasFunctions(op) ? 2 : 4) * lanes;
    int64_t size = sizes[*vectorLoop];
    SmallVector<int64_t> parts;
    if (size > longest && size % longest != 0) {
      parts.push_back(size / longest * longest);
      llvm::append_range(parts, getVectors(size % longest, lanes));
    } else if (contraction && size <= longest) {
      parts = getVectors(size, lanes);
    }
    if (parts.size() > 1)
      return split(rewriter, op, *vectorLoop, parts);
    int64_t width = std::min(size, longest);

    SmallVector<int64_t> tiles(sizes.size(), 1);
    tiles[*vectorLoop] = width;
    if (isa<linalg::TransposeOp>(op))
      return tileTo(rewriter, op, sizes, getSquare(op, lanes));
    if (contraction) {
      int64_t vectors = llvm::divideCeil(width, lanes);
      int64_t rows = std::max<int64_t>(1, (cpu.getRegisters() - 4) / vectors);
      std::optional<unsigned> rowLoop = getRowLoop(op, *vectorLoop);
      if (rowLoop) {
        int64_t all = sizes[*rowLoop];
        tiles[*rowLoop] = getLargestDivisor(all, rows);
        // Primes have no divisor: most rows in whole tiles, and the rest.
        if (all > rows && 2 * tiles[*rowLoop] < rows)
          return split(rewriter, op, *rowLoop, {all / rows * rows, all % rows});
      }
      if (linalg::LinalgOp finisher = getFinisher(op))
        return tileWithFinisher(rewriter, op, finisher, sizes, tiles, rowLoop);
      return tileTo(rewriter, op, sizes, tiles, rowLoop);
    }
    return tileTo(rewriter, op, sizes, tiles);
  }

  /// Tiles the output loops of a contraction and of its one user together.
  LogicalResult tileWithFinisher(IRRewriter &rewriter, linalg::LinalgOp op,
                                 linalg::LinalgOp finisher,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> tiles,
                                 std::optional<unsigned> rowLoop) {
    unsigned outer = finisher.getNumLoops();
    if (sizes.take_front(outer) == tiles.take_front(outer))
      return tileTo(rewriter, op, sizes, tiles, rowLoop);
    finishers.insert(finisher);
    FailureOr<linalg::LinalgOp> inner = tileLoops(
        rewriter, finisher, sizes.take_front(outer), tiles.take_front(outer),
        utils::IteratorType::parallel, rowLoop, op);
    if (failed(inner))
      return failure();
    return tileLoops(rewriter, *inner, sizes, tiles,
                     utils::IteratorType::reduction);
  }

  /// All of the op is one register tile: what a sparse row computes of an edge
  /// is small, and its sums then stay in registers from edge to edge.
  bool fitsRegisters(linalg::LinalgOp op, unsigned vectorLoop, int64_t lanes) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t vectors = 1;
    for (auto [loop, size] : llvm::enumerate(sizes)) {
      if (ShapedType::isDynamic(size))
        return false;
      vectors *= loop == vectorLoop ? llvm::divideCeil(size, lanes) : size;
    }
    return vectors <= cpu.getRegisters() / 2 && !isa<linalg::TransposeOp>(op);
  }

  static bool hasFunctions(linalg::LinalgOp op) {
    return llvm::any_of(op.getBlock()->without_terminator(),
                        [](Operation &step) {
                          return isa<math::MathDialect>(step.getDialect());
                        });
  }

  /// A sum of products whose vectors run along an output dimension.
  static bool isContraction(linalg::LinalgOp op, unsigned vectorLoop) {
    return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() >= 2 &&
           linalg::isParallelIterator(op.getIteratorTypesArray()[vectorLoop]) &&
           (isOfPairs(op) ||
            linalg::detail::isContractionBody(
                *op.getBlock(), [](Operation *first, Operation *second) {
                  return isa<arith::MulFOp>(first) &&
                         isa<arith::AddFOp>(second);
                }));
  }

  /// Its sums are no reduction of vectors: the reduced loop is tiled by 1.
  static bool isOfPairs(linalg::LinalgOp op) {
    return op.getNumReductionLoops() > 0 &&
           isa<clique::mp::DotPairsOp>(op.getBlock()->front());
  }

  /// Squares of whole vectors in both directions, which shuffles transpose.
  static SmallVector<int64_t> getSquare(linalg::LinalgOp op, int64_t lanes) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    SmallVector<int64_t> tiles(sizes.size(), 1);
    for (AffineMap map : op.getIndexingMapsArray())
      if (std::optional<unsigned> loop = getContiguousLoop(map))
        tiles[*loop] = getLargestDivisor(sizes[*loop], lanes);
    return tiles;
  }

  /// The output loop whose steps share the vectors they multiply: the operand
  /// that is contiguous along the vector loop does not depend on it.
  static std::optional<unsigned> getRowLoop(linalg::LinalgOp op,
                                            unsigned vectorLoop) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    std::optional<unsigned> row;
    SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
    for (unsigned loop = 0; loop < types.size(); ++loop) {
      bool shares = llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *in) {
        AffineMap map = op.getMatchingIndexingMap(in);
        return getContiguousLoop(map) == vectorLoop &&
               map.isFunctionOfDim(loop);
      });
      if (linalg::isParallelIterator(types[loop]) && loop != vectorLoop &&
          shares && sizes[loop] > 1 && !ShapedType::isDynamic(sizes[loop]))
        row = loop;
    }
    return row;
  }

  LogicalResult tileTo(IRRewriter &rewriter, linalg::LinalgOp op,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> tiles,
                       std::optional<unsigned> rowLoop = {}) {
    // Output loops first, the reduction inside: the accumulators start from
    // their fill there and stay in registers.
    FailureOr<linalg::LinalgOp> inner = tileLoops(
        rewriter, op, sizes, tiles, utils::IteratorType::parallel, rowLoop);
    if (failed(inner))
      return failure();
    return tileLoops(rewriter, *inner, sizes, tiles,
                     utils::IteratorType::reduction);
  }

  /// Tiles the loops of one kind; returns the op inside them, or the part of
  /// `contraction`, an operand of `op`, which is computed there as well.
  FailureOr<linalg::LinalgOp>
  tileLoops(IRRewriter &rewriter, linalg::LinalgOp op, ArrayRef<int64_t> sizes,
            ArrayRef<int64_t> tiles, utils::IteratorType kind,
            std::optional<unsigned> rowLoop = {},
            linalg::LinalgOp contraction = {}) {
    SmallVector<OpFoldResult> tileSizes;
    bool any = false;
    for (auto [size, tile, type] :
         llvm::zip_equal(sizes, tiles, op.getIteratorTypesArray())) {
      // A loop of one step is none.
      bool tiled = type == kind && size != tile;
      any |= tiled;
      tileSizes.push_back(rewriter.getIndexAttr(tiled ? tile : 0));
    }
    if (!any)
      return op;
    scf::SCFTileAndFuseOptions options;
    options.tilingOptions.setTileSizes(tileSizes);
    // Rows last: they meet the same panel of the other operand one after the
    // other, while it is in the first cache.
    if (rowLoop) {
      SmallVector<int64_t> order;
      for (unsigned loop = 0; loop < sizes.size(); ++loop)
        if (loop != *rowLoop)
          order.push_back(loop);
      order.push_back(*rowLoop);
      options.tilingOptions.setInterchange(order);
    }
    options.setFusionControlFn(
        [&](tensor::ExtractSliceOp, OpResult producer, bool)
            -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
          bool isOperand = contraction && producer.getOwner() == contraction;
          if (kind == utils::IteratorType::reduction ||
              (!isOperand && !producer.getDefiningOp<linalg::FillOp>()))
            return std::nullopt;
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        });
    rewriter.setInsertionPoint(op);
    FailureOr<scf::SCFTileAndFuseResult> tiled =
        scf::tileConsumerAndFuseProducersUsingSCF(
            rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitError("cannot be tiled to registers");
    auto inner = cast<linalg::LinalgOp>(tiled->tiledAndFusedOps.front());
    if (contraction)
      inner = cast<linalg::LinalgOp>(
          *llvm::find_if(tiled->tiledAndFusedOps, [](Operation *part) {
            return cast<linalg::LinalgOp>(part).getNumReductionLoops() > 0;
          }));
    SmallVector<Value> replacements;
    for (Value result : op->getResults())
      replacements.push_back(tiled->replacements.lookup(result));
    rewriter.replaceOp(op, replacements);
    return inner;
  }

  /// Ops that were tiled with the contraction before them, and are gone.
  clique::mp::CpuAttr cpu;
  DenseSet<Operation *> finishers;
};
} // namespace
