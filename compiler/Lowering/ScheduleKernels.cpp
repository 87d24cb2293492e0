//===- ScheduleKernels.cpp - How the work of kernels is divided -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-schedule-kernels: the extents of blocks and tiles, from the
// target's description and the sizes of what a kernel computes.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/EdgeProducts.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/TileRows.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/EdgeFunctions.h"
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/NodeSums.h"
#include "compiler/Lowering/OuterProducts.h"
#include "compiler/Lowering/RestrictTiles.h"
#include "compiler/Lowering/TypedProduct.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_SCHEDULEKERNELSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Edge values are f32 when they are computed.
static constexpr int64_t kElementBytes = 4;

/// The columns of a tile: fewer where edge values are large, so that one of a
/// tile has at most `limit` elements.
static int64_t getColumns(const KernelInfo &info, int64_t tileRows,
                          int64_t limit) {
  int64_t columns = tuning::tileColumns;
  while (tileRows * columns * info.getEdgeValueSize() > limit &&
         columns > tuning::leastTileColumns)
    columns /= 2;
  return columns;
}

//===----------------------------------------------------------------------===//
// CPUs
//===----------------------------------------------------------------------===//

static mp::NodeBlocksAttr getNodeBlocks(const KernelInfo &info, mp::CpuAttr) {
  // Large weights pass the caches once per block: it should be long.
  int64_t elements = 0;
  for (Value capture : info.captures)
    if (auto type = dyn_cast<RankedTensorType>(capture.getType()))
      elements += type.getNumElements();
  int64_t rows = tuning::nodeRows;
  if (elements > tuning::largeWeights)
    rows *= tuning::longBlocks;
  return mp::NodeBlocksAttr::get(info.kernel->getContext(), rows, 0);
}

/// Whether an outer product is summed that is too large for the sums of a row
/// to stay in registers from edge to edge.
static bool hasLargeProducts(const KernelInfo &info, mp::CpuAttr cpu) {
  const int64_t lanes = cpu.getVectorBits() / (8 * kElementBytes);
  return llvm::any_of(
      findOuterProducts(info), [&](const OuterProduct &product) {
        return product.getSize() > cpu.getRegisters() / 2 * lanes;
      });
}

/// Whether there is nothing else that keeps edges from being taken in chunks
/// for what EdgeFunctions finds.
static bool hasFunctionsOfEdges(const KernelInfo &info) {
  return !info.scan && findOuterProducts(info).empty() &&
         !EdgeFunctions(info).empty();
}

static int64_t getPrefetchedEdges(const KernelInfo &info, mp::CpuAttr cpu) {
  int64_t lines = 0;
  for (Value input : info.srcInputs)
    lines += llvm::divideCeil(getBytes(mp::getNodeFeature(input.getType())),
                              cpu.getLineBytes());
  return lines > tuning::mostLinesAhead
             ? tuning::leastEdgesAhead
             : tuning::prefetchEdges[unsigned(cpu.getRates())];
}

static mp::RowBlocksAttr getRowBlocks(const KernelInfo &info, mp::CpuAttr cpu,
                                      int64_t rows, int64_t edges,
                                      int64_t longest) {
  const bool isAhead = !EdgeStream(info, /*hasDst=*/false).getAhead().empty();
  const bool inChunks =
      isAhead || hasLargeProducts(info, cpu) || hasFunctionsOfEdges(info);
  int64_t chunk = inChunks ? tuning::chunkEdges : 0;
  return mp::RowBlocksAttr::get(info.kernel->getContext(), rows, edges, chunk,
                                tuning::partEdges,
                                getPrefetchedEdges(info, cpu), 0, longest);
}

/// As many rows as have the edges of a block where degrees are low, so that few
/// chunks are not full.
static mp::EdgeBlocksAttr getChunkedBlocks(const KernelInfo &info,
                                           mp::CpuAttr cpu) {
  // Values that are large fit a cache in smaller chunks.
  int64_t limit = cpu.getL2Bytes() / tuning::cacheParts / kElementBytes;
  int64_t chunk = tuning::productEdges;
  while (chunk * info.getLargestValueSize() > limit &&
         chunk > tuning::vectorScores)
    chunk -= tuning::vectorScores;
  return mp::EdgeBlocksAttr::get(
      info.kernel->getContext(), tuning::edgeBlockRows, tuning::blockRows,
      tuning::blockEdges, chunk, tuning::partEdges / chunk * chunk,
      getPrefetchedEdges(info, cpu));
}

/// Long blocks, whose sums fit a cache.
static mp::TypedBlocksAttr getTypedBlocks(const KernelInfo &info,
                                          const TypedProduct &product,
                                          mp::CpuAttr cpu) {
  int64_t step = tuning::blockRows;
  int64_t rows =
      std::clamp(cpu.getL2Bytes() / kElementBytes / product.getOutSize(),
                 tuning::leastTypedRows, tuning::mostTypedRows);
  rows = std::max(rows / step, int64_t(1)) * step;
  return mp::TypedBlocksAttr::get(
      info.kernel->getContext(), rows, step, tuning::typedGroups,
      getRowBlocks(info, cpu, rows, tuning::blockEdges, 0));
}

static Attribute getEdgeBlocks(const KernelInfo &info, mp::CpuAttr cpu) {
  if (std::optional<TypedProduct> typed = TypedProduct::find(info))
    return getTypedBlocks(info, *typed, cpu);
  if (!info.scan && isWorthChunks(info))
    return getChunkedBlocks(info, cpu);
  // Blocks of rows for which nothing is kept may be long: the more edges a
  // block has, the less its work differs from that of others.
  if (info.updates.empty() && getNodeSums(info.kernel).empty())
    return getRowBlocks(info, cpu, tuning::blockRows * tuning::longBlocks,
                        tuning::blockEdges, 0);
  // Products of updates are for whole blocks.
  return getRowBlocks(info, cpu, tuning::blockRows, tuning::updateEdges,
                      tuning::blockEdges);
}

static mp::Topology getTopology(const KernelInfo &info) {
  return cast<mp::MPGraphType>(info.kernel.getGraph().getType()).getTopology();
}

/// Blocks of small cliques share no sources: each begins with rows that no
/// cache has.
static int64_t getPrefetchedBlocks(const KernelInfo &info) {
  return isOfCliques(info) || getTopology(info) == mp::Topology::unknown;
}

/// A block of small cliques is one tile. On other graphs most have several, and
/// each begins with sources that no near cache has: attention on blocks of 64
/// and 128, a quarter of whose time was their layout, takes 0.94 and 0.97 of
/// the time, on a complete graph 0.98, its backward pass 0.93 with heads of 64
/// and 0.98 with heads of 128 (AMD Zen 3, 2026-11-28, medians of three sets of
/// runs; by least times 0.98 to 1).
static int64_t getPrefetchedTiles(const KernelInfo &info) {
  return !isOfCliques(info);
}

/// Mixed cliques are taken in order where the graph may be such and nothing is
/// said of positions or edges, which have the numbers of the graph as it is.
static bool mayBeInOrder(const KernelInfo &info) {
  if (getTopology(info) != mp::Topology::unknown || info.usesEdgeFeatures() ||
      !info.sourceSums.empty())
    return false;
  return !info.kernel
              ->walk([](mp::PositionOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

static mp::TilesAttr getTiles(const KernelInfo &info, mp::CpuAttr cpu) {
  const int64_t cached = cpu.getL2Bytes() / kElementBytes;
  int64_t tileRows = getTileRows(info, cpu);
  int64_t columns = getColumns(info, tileRows, cached);
  int64_t rows = std::min(tuning::tileBlockRows,
                          cached / tuning::cacheParts / info.getRowSize());
  // Blocks of one small clique are over before long, and to ask for scratch
  // memory takes a part of that: it should fit the stack.
  int64_t onStack =
      tuning::stackBufferBytes / kElementBytes / info.getLargestValueSize();
  if (isOfCliques(info) && onStack >= tuning::leastCliqueRows)
    rows = std::min(rows, onStack);
  rows = std::max<int64_t>(1, rows / tileRows) * tileRows;
  return mp::TilesAttr::get(info.kernel->getContext(), rows, tileRows, columns,
                            std::min(columns, tuning::borderColumns),
                            /*threads=*/0, getPrefetchedBlocks(info),
                            getPrefetchedTiles(info), mayBeInOrder(info));
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

/// As many threads more as hold a value of so many elements in a part of their
/// registers.
static int64_t addThreads(int64_t threads, int64_t elements, mp::GpuAttr gpu) {
  const int64_t most =
      (gpu.getThreadRegisters() + 1) / tuning::gpuRegisterParts;
  while (threads < 4 * tuning::gpuBlockThreads && elements > most * threads)
    threads *= 2;
  return threads;
}

/// A value of all rows lies in the registers of a block's threads; what it is
/// computed from, in shared memory.
static mp::NodeBlocksAttr getNodeBlocks(const KernelInfo &info,
                                        mp::GpuAttr gpu) {
  int64_t size = info.getUpdateValueSize();
  int64_t rows = tuning::gpuTileRows, threads = tuning::gpuBlockThreads;
  auto getBlocks = [&] {
    return mp::NodeBlocksAttr::get(info.kernel->getContext(), rows, threads);
  };
  if (info.hasHalfProducts()) {
    // Each weight is read once for all rows of a block: they should be many.
    auto isTooLarge = [&] {
      return rows * size > tuning::gpuProductElements * threads;
    };
    auto doubleThreads = [&](int64_t limit) {
      while (threads < limit && isTooLarge())
        threads *= 2;
    };
    doubleThreads(2 * tuning::gpuBlockThreads);
    while (rows > tuning::gpuLeastProductRows && isTooLarge())
      rows /= 2;
    doubleThreads(4 * tuning::gpuBlockThreads);
    if (!isTooLarge())
      return getBlocks();
  }
  rows = tuning::gpuTileRows;
  threads = tuning::gpuBlockThreads;
  while (rows > tuning::gpuLeastRows &&
         rows * size > tuning::gpuUpdateElements * threads)
    rows /= 2;
  int64_t rowBytes = (info.getRowSize() + size) * kElementBytes;
  while (rows > 1 && rows * rowBytes > gpu.getSharedBytes())
    rows /= 2;
  threads = addThreads(threads, rows * size, gpu);
  return getBlocks();
}

/// A row for each warp or a part of one. Each thread has as much of its largest
/// value as one access takes: with more threads some would repeat what others
/// do, in whose place a warp can have further rows. A row of which two values
/// are more than a warp's registers has a block.
static Attribute getEdgeBlocks(const KernelInfo &info, mp::GpuAttr gpu) {
  int64_t elements = int64_t(llvm::PowerOf2Ceil(info.getLargestValueSize()));
  int64_t threads = std::clamp(elements / tuning::gpuThreadElements,
                               tuning::gpuLeastRowThreads, gpu.getWarp());
  if (2 * elements > gpu.getWarp() * (gpu.getThreadRegisters() + 1))
    threads = addThreads(tuning::gpuBlockThreads, elements, gpu);
  return mp::RowBlocksAttr::get(info.kernel->getContext(), /*rows=*/1,
                                tuning::gpuRowEdges, 0, 0, 0, threads, 0);
}

/// An edge value of a tile takes a part of the threads' registers.
static mp::TilesAttr getTiles(const KernelInfo &info, mp::GpuAttr gpu) {
  int64_t rows = tuning::gpuTileRows, threads = tuning::gpuBlockThreads;
  int64_t limit =
      (gpu.getThreadRegisters() + 1) / tuning::gpuRegisterParts * threads;
  int64_t columns = getColumns(info, rows, limit);
  return mp::TilesAttr::get(info.kernel->getContext(), rows, rows, columns,
                            columns, threads, /*prefetch=*/0,
                            /*prefetch_tiles=*/0, /*in_order=*/0);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Says of a choice whether all tiles that it is about are those of a graph in
/// order.
static void markOrder(mp::ChooseDenseOp choice) {
  bool isInOrder = false;
  for (Operation *user : choice->getUsers())
    if (auto branch = dyn_cast<scf::IfOp>(user)) {
      isInOrder = true;
      branch.getThenRegion().walk([&](mp::KernelOp kernel) {
        if (auto tiles =
                dyn_cast_or_null<mp::TilesAttr>(kernel.getScheduleAttr()))
          isInOrder &= tiles.getInOrder() == 1;
      });
    }
  choice.setInOrder(isInOrder);
}

template <typename Target>
static Attribute getSchedule(const KernelInfo &info, Target target) {
  switch (*info.kernel.getLowering()) {
  case mp::Lowering::nodes:
    return getNodeBlocks(info, target);
  case mp::Lowering::sparse:
    return getEdgeBlocks(info, target);
  case mp::Lowering::dense:
    return getTiles(info, target);
  }
  llvm_unreachable("unknown lowering");
}

namespace {
struct ScheduleKernels
    : public clique::impl::ScheduleKernelsPassBase<ScheduleKernels> {
  void runOnOperation() override {
    if (failed(restrictTiles(getOperation())))
      return signalPassFailure();
    WalkResult result = getOperation().walk([](mp::KernelOp kernel) {
      for (auto aggregate : kernel.getBody().getOps<mp::AggregateOp>())
        if (!Aggregator::create(aggregate, /*hasDst=*/false)) {
          aggregate.emitOpError("has no lowering: run mp-decompose-aggregates "
                                "first");
          return WalkResult::interrupt();
        }
      if (kernel.getSchedule())
        return WalkResult::advance();
      if (!kernel.getLowering()) {
        kernel.emitOpError("has no lowering: run mp-select-lowering first");
        return WalkResult::interrupt();
      }
      KernelInfo info(kernel);
      mp::GpuAttr gpu = mp::getGpu(kernel);
      kernel.setScheduleAttr(gpu ? getSchedule(info, gpu)
                                 : getSchedule(info, mp::getCpu(kernel)));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation().walk(markOrder);
  }
};
} // namespace
