//===- TileRegisters.cpp - Tiles of linalg that fit registers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/DemandedRows.h"
#include "compiler/Codegen/PanelPacking.h"
#include "compiler/Codegen/PanelPrefetch.h"
#include "compiler/Codegen/RegisterTiles.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

namespace clique {
#define GEN_PASS_DEF_TILEREGISTERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// While the pass runs: the loop of an op whose last steps nobody needs.
static constexpr StringLiteral kLimitedLoopAttr = "clique.limited_loop";

namespace {
struct TileRegisters
    : public clique::impl::TileRegistersPassBase<TileRegisters> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    cpu = clique::mp::getCpu(getOperation());
    finishers.clear();
    DemandedRows demanded(getOperation());
    count = demanded.getBound();
    // What sums start from comes last: most of it has been fused by then and
    // is dead.
    SmallVector<linalg::LinalgOp> ops, fills;
    getOperation()->walk([&](linalg::LinalgOp op) {
      (isStart(op) ? fills : ops).push_back(op);
      if (std::optional<unsigned> loop = demanded.getLoop(op))
        op->setAttr(kLimitedLoopAttr, rewriter.getIndexAttr(*loop));
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
    getOperation()->walk(
        [](linalg::LinalgOp op) { op->removeAttr(kLimitedLoopAttr); });
  }

  int64_t getLanes(linalg::LinalgOp op) {
    int64_t bits = 8;
    for (Value operand : op->getOperands())
      bits = std::max(bits,
                      clique::getBits(getElementTypeOrSelf(operand.getType())));
    return std::max<int64_t>(1, cpu.getVectorBits() / bits);
  }

  /// Tiles the parts of a loop apart, each of static size. All of them are
  /// slices of the whole, so that one loop around can carry them all. Those of
  /// a contraction take along those of `finisher`, its one user.
  LogicalResult split(IRRewriter &rewriter, linalg::LinalgOp op, unsigned loop,
                      ArrayRef<int64_t> parts, linalg::LinalgOp finisher = {}) {
    linalg::LinalgOp last = finisher ? finisher : op;
    rewriter.setInsertionPoint(last);
    SmallVector<OpFoldResult> offsets(last.getNumLoops(),
                                      rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes;
    for (Range range : cast<TilingInterface>(last.getOperation())
                           .getIterationDomain(rewriter))
      sizes.push_back(range.size);
    for (linalg::LinalgOp whole : {op, last})
      if (getLimitedLoop(whole) == loop)
        whole->removeAttr(kLimitedLoopAttr);
    SmallVector<Value> results(last.getDpsInits());
    SmallVector<linalg::LinalgOp> tiled, finishing;
    int64_t offset = 0;
    for (int64_t part : parts) {
      auto whole = cast<linalg::LinalgOp>(rewriter.clone(*last));
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
      auto made = cast<linalg::LinalgOp>(piece->tiledOps.front());
      if (finisher) {
        finishing.push_back(made);
        made = tileOperand(rewriter, made, op);
        if (!made)
          return op.emitError("cannot be tiled to registers");
      }
      tiled.push_back(made);
      offset += part;
    }
    rewriter.replaceOp(last, results);
    if (finisher) {
      finishers.insert(finisher);
      rewriter.eraseOp(op);
    }
    for (linalg::LinalgOp part : tiled)
      if (failed(tile(rewriter, part)))
        return failure();
    for (linalg::LinalgOp part : finishing)
      if (!finishers.contains(part) && failed(tile(rewriter, part)))
        return failure();
    return success();
  }

  /// The part of `op` that `user` reads, which becomes an operand of it.
  static linalg::LinalgOp tileOperand(IRRewriter &rewriter,
                                      linalg::LinalgOp user,
                                      linalg::LinalgOp op) {
    for (Value operand : user->getOperands()) {
      auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || slice.getSource().getDefiningOp() != op)
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(slice);
      FailureOr<TilingResult> piece =
          tensor::replaceExtractSliceWithTiledProducer(
              rewriter, slice, cast<OpResult>(slice.getSource()));
      if (failed(piece))
        return {};
      rewriter.replaceOp(slice, piece->tiledValues.front());
      return cast<linalg::LinalgOp>(piece->tiledOps.front());
    }
    return {};
  }

  LogicalResult tile(IRRewriter &rewriter, linalg::LinalgOp op) {
    loops.clear();
    std::optional<unsigned> vectorLoop = getVectorLoop(op);
    if (!vectorLoop || !op.hasPureTensorSemantics() ||
        !isa<TilingInterface>(op.getOperation()))
      return success();
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t lanes = getLanes(op);
    if (!isOfPairs(op) && fitsRegisters(op, *vectorLoop, lanes)) {
      SmallVector<int64_t> parts =
          getVectors(sizes[*vectorLoop], lanes, hasRows(op, *vectorLoop));
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
    if (!isa<linalg::TransposeOp>(op) || size > longest)
      parts = getVectorParts(size, lanes, longest, hasRows(op, *vectorLoop));
    linalg::LinalgOp finisher =
        contraction ? getFinisher(op) : linalg::LinalgOp();
    if (parts.size() > 1)
      return split(rewriter, op, *vectorLoop, parts, finisher);
    int64_t width = std::min(size, longest);

    SmallVector<int64_t> tiles(sizes.size(), 1);
    tiles[*vectorLoop] = width;
    if (isa<linalg::TransposeOp>(op))
      return tileTo(rewriter, op, sizes, getSquare(op, lanes));
    if (contraction) {
      int64_t vectors = llvm::divideCeil(width, lanes);
      // With fewer registers left, LLVM spills what it has loaded ahead.
      const int64_t spare = vectors > 1 && cpu.getRegisters() > 16 ? 8 : 4;
      int64_t rows =
          std::max<int64_t>(1, (cpu.getRegisters() - spare) / vectors);
      std::optional<unsigned> rowLoop = getRowLoop(op, *vectorLoop);
      if (rowLoop) {
        int64_t all = sizes[*rowLoop];
        tiles[*rowLoop] = getLargestDivisor(all, rows);
        // Primes have no divisor: most rows in whole tiles, and the rest.
        if (all > rows && 2 * tiles[*rowLoop] < rows)
          return split(rewriter, op, *rowLoop, {all / rows * rows, all % rows},
                       finisher);
      }
      return tileContraction(rewriter, op, *vectorLoop, rowLoop, sizes, tiles);
    }
    // Sums over vectors: those of several rows are added up together. One
    // operand is taken from memory as it is reduced.
    std::optional<unsigned> outLoop = getOutputLoop(op);
    if (outLoop && !hasFunctions(op) &&
        !linalg::isParallelIterator(op.getIteratorTypesArray()[*vectorLoop])) {
      int64_t registers =
          cpu.getRegisters() / (op.getNumDpsInputs() > 1 ? 2 : 1);
      tiles[*outLoop] = getLargestDivisor(
          sizes[*outLoop], registers / llvm::divideCeil(width, lanes));
    }
    return tileTo(rewriter, op, sizes, tiles);
  }

  LogicalResult tileContraction(IRRewriter &rewriter, linalg::LinalgOp op,
                                unsigned vectorLoop,
                                std::optional<unsigned> rowLoop,
                                ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> tiles) {
    PanelPrefetch ahead(op, vectorLoop, cpu);
    PanelPacking packing(op, vectorLoop, rowLoop, tiles);
    linalg::LinalgOp rows = packRows(rewriter, op, vectorLoop, rowLoop);
    linalg::LinalgOp finisher = getFinisher(op);
    FailureOr<linalg::LinalgOp> inner =
        finisher
            ? tileWithFinisher(rewriter, op, finisher, sizes, tiles, rowLoop)
            : tileLoops(rewriter, op, sizes, tiles,
                        utils::IteratorType::parallel, rowLoop);
    if (failed(inner))
      return failure();
    linalg::LinalgOp copy = packing.emit(rewriter, *inner, loops);
    FailureOr<linalg::LinalgOp> step = tileLoops(
        rewriter, *inner, sizes, tiles, utils::IteratorType::reduction);
    if (failed(step))
      return failure();
    ahead.emit(rewriter, *step, loops, rowLoop, /*isPacked=*/bool(copy));
    for (linalg::LinalgOp made : {rows, copy})
      if (made && failed(tile(rewriter, made)))
        return failure();
    return success();
  }

  /// Tiles the output loops of a contraction and of its one user together;
  /// returns the contraction that is left inside.
  FailureOr<linalg::LinalgOp>
  tileWithFinisher(IRRewriter &rewriter, linalg::LinalgOp op,
                   linalg::LinalgOp finisher, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> tiles, std::optional<unsigned> rowLoop) {
    unsigned outer = finisher.getNumLoops();
    if (sizes.take_front(outer) == tiles.take_front(outer))
      return tileLoops(rewriter, op, sizes, tiles,
                       utils::IteratorType::parallel, rowLoop);
    finishers.insert(finisher);
    return tileLoops(rewriter, finisher, sizes.take_front(outer),
                     tiles.take_front(outer), utils::IteratorType::parallel,
                     rowLoop, op);
  }

  /// Whether a reduction is a comparison and a choice, which vectors have for
  /// one term at a time alone.
  static bool comparesTerms(linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
      return false;
    auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
    auto choice = yield.getOperand(0).getDefiningOp<arith::SelectOp>();
    return choice && choice.getCondition().getDefiningOp<arith::CmpFOp>() &&
           llvm::is_contained(choice->getOperands(),
                              op.getRegionOutputArgs().front());
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
    return vectors <= cpu.getRegisters() / 2 && !isa<linalg::TransposeOp>(op) &&
           !comparesTerms(op);
  }

  /// Returns the op that is left inside.
  FailureOr<linalg::LinalgOp> tileTo(IRRewriter &rewriter, linalg::LinalgOp op,
                                     ArrayRef<int64_t> sizes,
                                     ArrayRef<int64_t> tiles,
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
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, int64_t(sizes.size())));
    if (rowLoop)
      std::rotate(order.begin() + *rowLoop, order.begin() + *rowLoop + 1,
                  order.end());
    options.tilingOptions.setInterchange(order);
    std::optional<int64_t> limited = getLimitedLoop(op);
    options.setFusionControlFn(
        [&](tensor::ExtractSliceOp, OpResult producer, bool isInit)
            -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
          bool isOperand = contraction && producer.getOwner() == contraction;
          if (kind == utils::IteratorType::reduction ||
              (!isOperand && !producer.getDefiningOp<linalg::FillOp>() &&
               !(isInit && isStart(producer.getOwner()))))
            return std::nullopt;
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        });
    rewriter.setInsertionPoint(op);
    FailureOr<scf::SCFTileAndFuseResult> tiled =
        scf::tileConsumerAndFuseProducersUsingSCF(
            rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitError("cannot be tiled to registers");
    llvm::erase_if(order, [&](int64_t loop) {
      return getConstantIntValue(tileSizes[loop]) == 0;
    });
    for (auto [loop, steps] : llvm::zip_equal(order, tiled->loops)) {
      loops[loop] = cast<scf::ForOp>(steps.getOperation());
      if (loop == limited)
        limit(loops[loop], tiled->tiledAndFusedOps.getArrayRef());
    }
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

  static std::optional<int64_t> getLimitedLoop(Operation *op) {
    auto loop = op->getAttrOfType<IntegerAttr>(kLimitedLoopAttr);
    return loop ? std::optional<int64_t>(loop.getInt()) : std::nullopt;
  }

  /// Steps only as far as their results are read.
  void limit(scf::ForOp loop, ArrayRef<Operation *> inside) {
    loop.setUpperBound(count);
    for (Operation *op : inside)
      op->removeAttr(kLimitedLoopAttr);
  }

  /// Ops that were tiled with the contraction before them, and are gone.
  clique::mp::CpuAttr cpu;
  /// Of all limited loops.
  Value count;
  /// Around what is left of the present op, by the loops of the op.
  DenseMap<unsigned, scf::ForOp> loops;
  DenseSet<Operation *> finishers;
};
} // namespace
