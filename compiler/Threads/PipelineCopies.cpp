//===- PipelineCopies.cpp - Copies a round ahead of their use -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Threads/ThreadPasses.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {
#define GEN_PASS_DEF_PIPELINECOPIESPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// A loop whose rounds copy tiles, wait for them and compute.
struct CopyLoop {
  scf::ForOp loop;
  nvgpu::DeviceAsyncCreateGroupOp group;
  nvgpu::DeviceAsyncWaitOp wait;
  gpu::BarrierOp barrier;
  /// Ops of the body that copy, and those whose results they take.
  llvm::SetVector<Operation *> copies;
};
} // namespace

/// Whether successive rounds write to different buffers.
static bool alternates(nvgpu::DeviceAsyncCopyOp copy) {
  auto view = copy.getDst().getDefiningOp<memref::SubViewOp>();
  for (; view; view = view.getSource().getDefiningOp<memref::SubViewOp>())
    if (view.getSourceType().getDimSize(0) > 1 && view.isDynamicOffset(0))
      return true;
  return false;
}

static bool copiesAsync(Operation &op) {
  return op
      .walk([](nvgpu::DeviceAsyncCopyOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether a round may load it before the rounds before are over.
static bool isConstantIn(scf::ForOp loop, memref::LoadOp load) {
  auto getRoot = [](Value buffer) -> Value {
    return memref::skipViewLikeOps(cast<MemrefValue>(buffer));
  };
  Value buffer = getRoot(load.getMemRef());
  WalkResult stores = loop.walk([&](Operation *op) {
    auto store = dyn_cast<memref::StoreOp>(op);
    auto vectors = dyn_cast<vector::StoreOp>(op);
    Value to = store     ? Value(store.getMemRef())
               : vectors ? Value(vectors.getBase())
                         : Value();
    return to && getRoot(to) == buffer ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  return isa<BlockArgument>(buffer) && !stores.wasInterrupted();
}

/// Whether a round may compute it before the rounds before are over.
static bool isEarly(scf::ForOp loop, Operation &op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isConstantIn(loop, load);
  if (!isa<scf::IfOp>(op))
    return isPure(&op);
  return llvm::all_of(op.getRegions(), [&](Region &region) {
    return region.empty() ||
           llvm::all_of(region.front(),
                        [&](Operation &inner) { return isEarly(loop, inner); });
  });
}

static FailureOr<CopyLoop> match(scf::ForOp loop) {
  Block *body = loop.getBody();
  auto groups = body->getOps<nvgpu::DeviceAsyncCreateGroupOp>();
  if (!llvm::hasSingleElement(groups))
    return failure();
  CopyLoop found{loop, *groups.begin(), {}, {}, {}};
  Operation *next = found.group->getNextNode();
  found.wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(next);
  next = next->getNextNode();
  if (isa_and_present<NVVM::FenceProxyOp>(next))
    next = next->getNextNode();
  found.barrier = dyn_cast_or_null<gpu::BarrierOp>(next);
  if (!found.wait || !found.barrier)
    return failure();
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  for (Operation &op : *body) {
    if (!copiesAsync(op))
      continue;
    if (found.group->isBeforeInBlock(&op) ||
        failed(getBackwardSlice(&op, &found.copies, options)))
      return failure();
    found.copies.insert(&op);
  }
  // What a round computes may not be what the next one copies.
  bool isMovable = llvm::all_of(found.copies, [&](Operation *op) {
    return op->getBlock() == body && (copiesAsync(*op) || isEarly(loop, *op));
  });
  WalkResult allAlternate = loop.walk([](nvgpu::DeviceAsyncCopyOp copy) {
    return alternates(copy) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!isMovable || allAlternate.wasInterrupted())
    return failure();
  return found;
}

/// The tile of round `index`, if there is such a round; returns the group.
static Value startTile(RewriterBase &rewriter, CopyLoop found, Value index) {
  scf::ForOp loop = found.loop;
  Location loc = found.group.getLoc();
  Value isRound = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, index, loop.getUpperBound());
  auto tile = scf::IfOp::create(rewriter, loc, isRound);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(tile.thenBlock());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  // Copies side by side, so that those of one condition become one branch.
  for (bool isCopy : {false, true})
    for (Operation &op : *loop.getBody())
      if (found.copies.contains(&op) && copiesAsync(op) == isCopy)
        rewriter.clone(op, mapping);
  rewriter.setInsertionPointAfter(tile);
  // Without a tile the group is empty.
  return rewriter.clone(*found.group)->getResult(0);
}

/// Bytes of shared memory, from the first one to the one past the last.
using ByteRange = std::pair<int64_t, int64_t>;

static std::optional<ByteRange> getBytes(memref::ViewOp view) {
  std::optional<int64_t> begin = getConstantIntValue(view.getByteShift());
  MemRefType type = view.getType();
  if (!begin || !type.hasStaticShape())
    return std::nullopt;
  int64_t bits = type.getNumElements() * getBits(type.getElementType());
  return ByteRange(*begin, *begin + bits / CHAR_BIT);
}

/// The buffer in shared memory that `part` is a view of; null if unknown.
static memref::ViewOp getBuffer(Value part) {
  while (auto view = part.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto buffer = dyn_cast<memref::ViewOp>(*view))
      return buffer;
    part = view.getViewSource();
  }
  return {};
}

/// Whether other buffers lie where the loop's copies go.
static bool sharesMemory(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 4> own;
  loop.walk([&](nvgpu::DeviceAsyncCopyOp copy) {
    own.insert(getBuffer(copy.getDst()));
  });
  auto overlap = [](memref::ViewOp one, memref::ViewOp other) {
    std::optional<ByteRange> a = getBytes(one), b = getBytes(other);
    return !a || !b || (a->first < b->second && b->first < a->second);
  };
  WalkResult found =
      loop->getParentOfType<func::FuncOp>().walk([&](memref::ViewOp other) {
        bool isShared = llvm::any_of(own, [&](Operation *op) {
          return op != other &&
                 (!op || overlap(cast<memref::ViewOp>(op), other));
        });
        return isShared ? WalkResult::interrupt() : WalkResult::advance();
      });
  return found.wasInterrupted();
}

/// Where the first tile is copied: together with what is waited for before the
/// loop, if that does not use its memory.
static Operation *findPlaceOfFirst(RewriterBase &rewriter, scf::ForOp loop) {
  if (sharesMemory(loop))
    return loop;
  SmallVector<Operation *> between;
  Operation *before = loop->getPrevNode();
  for (; before && isPure(before); before = before->getPrevNode())
    between.push_back(before);
  auto barrier = dyn_cast_or_null<gpu::BarrierOp>(before);
  before = barrier ? barrier->getPrevNode() : nullptr;
  if (isa_and_present<NVVM::FenceProxyOp>(before))
    before = before->getPrevNode();
  auto wait = dyn_cast_or_null<nvgpu::DeviceAsyncWaitOp>(before);
  if (!wait)
    return loop;
  for (Operation *op : llvm::reverse(between))
    rewriter.moveOpBefore(op, wait);
  return wait;
}

/// Not upstream's scf::pipelineForLoop, which asks for a condition on each op
/// of a round that may not be: the tile is one region with one condition.
static void pipeline(IRRewriter &rewriter, CopyLoop found) {
  scf::ForOp loop = found.loop;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(findPlaceOfFirst(rewriter, loop));
  Value first = startTile(rewriter, found, loop.getLowerBound());
  // When all threads have come to the barrier, they are done with the buffer of
  // the round before, and the next one's tile may go there.
  rewriter.setInsertionPointAfter(found.barrier);
  Value next =
      startTile(rewriter, found,
                arith::AddIOp::create(rewriter, loc, loop.getInductionVar(),
                                      loop.getStep()));
  for (Operation *op : llvm::reverse(found.copies))
    if (copiesAsync(*op))
      rewriter.eraseOp(op);
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{next};
      }));
  rewriter.replaceOp(found.group, carrying.getRegionIterArgs().back());
}

namespace {
struct PipelineCopies
    : public clique::impl::PipelineCopiesPassBase<PipelineCopies> {
  void runOnOperation() override {
    SmallVector<CopyLoop> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (FailureOr<CopyLoop> found = match(loop); succeeded(found))
        loops.push_back(*found);
    });
    IRRewriter rewriter(&getContext());
    for (const CopyLoop &found : loops)
      pipeline(rewriter, found);
  }
};
} // namespace
