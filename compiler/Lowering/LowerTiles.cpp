//===- LowerTiles.cpp - Kernels of dense tiles ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-tiles.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "dialect/IR/MPTargets.h"

namespace clique {
#define GEN_PASS_DEF_LOWERTILESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// Blocks of about equal numbers of rows, and the tiles that each has.
class TileCaller : public KernelCaller {
public:
  using KernelCaller::KernelCaller;

protected:
  void emitGraphReads() override;
  Value getArray(GraphArray array) override;
  Value emitSplit() override;
  Bounds getBounds(Value block) override { return loadBounds(split, block); }
  SmallVector<Value> getLastArgs(Value block) override;

private:
  /// Destinations per block on this graph.
  Value emitBlockRows();

  Value blockRows, split;
  mp::TileListOp tiles;
};
} // namespace

Value TileCaller::emitBlockRows() {
  // Short blocks on small graphs, so that there is work for several threads;
  // the number of threads must not matter for the result. Each block lays its
  // sources out anew, which a few register blocks must be worth.
  const int64_t jobs = mp::getCpu(info.kernel).getCores();
  auto divide = [&](Value count, Value size) -> Value {
    return arith::CeilDivUIOp::create(builder, loc, count, size);
  };
  Value registerBlock = constantIndex(shape.tileRows);
  Value heads = constantIndex(info.kernel.getHeads().value_or(1));
  Value all = arith::MulIOp::create(builder, loc, numRows, heads);
  const int64_t most = shape.rows / shape.tileRows;
  Value registerBlocks = divide(all, constantIndex(jobs * shape.tileRows));
  registerBlocks = arith::MaxUIOp::create(
      builder, loc, registerBlocks,
      constantIndex(std::min(tuning::leastBlockTiles, most)));
  registerBlocks =
      arith::MinUIOp::create(builder, loc, registerBlocks, constantIndex(most));
  // As many blocks as that makes, of equal size.
  Value blocks =
      divide(numRows, arith::MulIOp::create(builder, loc, registerBlocks,
                                            registerBlock));
  blocks = arith::MaxUIOp::create(builder, loc, blocks, constantIndex(1));
  registerBlocks = divide(
      numRows, arith::MulIOp::create(builder, loc, blocks, registerBlock));
  registerBlocks =
      arith::MaxUIOp::create(builder, loc, registerBlocks, constantIndex(1));
  return arith::MulIOp::create(builder, loc, registerBlocks, registerBlock);
}

void TileCaller::emitGraphReads() {
  blockRows = emitBlockRows();
  tiles = mp::TileListOp::create(builder, loc, graph, blockRows, shape.tileRows,
                                 shape.columns);
}

Value TileCaller::getArray(GraphArray array) {
  switch (array) {
  case GraphArray::rowBegin:
    return create<mp::RowBeginOp>(graph);
  case GraphArray::rowEnd:
    return create<mp::RowEndOp>(graph);
  case GraphArray::noSelf:
    return create<mp::NoSelfOp>(graph);
  case GraphArray::areTilesListed:
    return tiles.getListed();
  case GraphArray::tileList:
    return tiles.getTiles();
  case GraphArray::tileRegisterBlocks:
    return tiles.getRegisterBlocks();
  case GraphArray::tileWords:
    return tiles.getWords();
  case GraphArray::tileFirstEdges:
    return info.usesEdgeFeatures() ? tiles.getFirstEdges() : getNoArray();
  default:
    return KernelCaller::getArray(array);
  }
}

Value TileCaller::emitSplit() {
  // Tiles are of equal work whatever the edges, and one with rows of two
  // cliques would be half empty.
  split = create<mp::RowBlocksOp>(graph, blockRows, constantIndex(0),
                                  /*aligned=*/true);
  return countBlocks(split);
}

SmallVector<Value> TileCaller::getLastArgs(Value block) {
  // Of tiles that are not listed there are two entries, whatever the block.
  Value known = arith::SelectOp::create(builder, loc, tiles.getListed(), block,
                                        constantIndex(0));
  auto [firstTile, pastTile] = loadBounds(tiles.getBlocks(), known);
  return {firstTile, pastTile};
}

static LogicalResult lower(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  FailureOr<func::FuncOp> function = lowerToTiles(info, shape);
  if (failed(function))
    return failure();
  TileCaller(info, shape).replaceWithCalls(*function);
  return success();
}

namespace {
struct LowerTiles : public clique::impl::LowerTilesPassBase<LowerTiles> {
  void runOnOperation() override {
    if (failed(lowerKernels<mp::TilesAttr>(getOperation(), lower)))
      signalPassFailure();
  }
};
} // namespace
