//===- InsertInPlace.cpp - Parts of what a loop carries, in place ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public functions lend buffers to parallel loops, where one-shot bufferization
// does not follow them: it copies a tensor before each insertion. Here a tensor
// that a loop carries, and of which each step writes a slice or an element when
// nothing reads the old one any more, is given its buffer.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_INSERTINPLACEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// What an insertion changes.
static OpOperand &getDest(Operation *insertion) {
  return *cast<DestinationStyleOpInterface>(insertion).getDpsInitOperand(0);
}

/// The insertions by which the step of a loop makes the next value of `arg`, in
/// their order; none if it makes it otherwise.
static SmallVector<Operation *> findInsertions(BlockArgument arg, Value next) {
  SmallVector<Operation *> insertions;
  while (next != arg) {
    Operation *insertion = next.getDefiningOp();
    if (!isa_and_nonnull<tensor::InsertSliceOp, tensor::InsertOp>(insertion) ||
        insertion->getBlock() != arg.getOwner() || !next.hasOneUse())
      return {};
    insertions.push_back(insertion);
    next = getDest(insertion).get();
  }
  std::reverse(insertions.begin(), insertions.end());
  return insertions;
}

/// Of a tensor or buffer, the result may be a part of the operand.
static bool mayBePart(Operation *op) {
  return !isa<linalg::LinalgOp, tensor::InsertSliceOp, tensor::InsertOp>(op);
}

static bool isReadBefore(Value value, Operation *first);

/// Whether this use of a value, and all of what may be a part of it, comes
/// before `first`, an op of the loop's body.
static bool isReadBy(OpOperand &use, Operation *first) {
  Operation *user = use.getOwner();
  if (&use == &getDest(first) || isa<tensor::DimOp, memref::DimOp>(user))
    return true;
  Operation *reader = first->getBlock()->findAncestorOpInBlock(*user);
  // Values that other blocks or loops hand on are not followed.
  if (user->hasTrait<OpTrait::IsTerminator>() ||
      isa<RegionBranchOpInterface>(user) || !reader->isBeforeInBlock(first))
    return false;
  return !mayBePart(user) || llvm::all_of(user->getResults(), [&](Value part) {
    return !isa<ShapedType>(part.getType()) || isReadBefore(part, first);
  });
}

/// Whether everything that reads `value` does.
static bool isReadBefore(Value value, Operation *first) {
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return isReadBy(use, first); });
}

/// Slices of `value` that are read behind `first`, if all else is read before
/// it. A copy of a slice is less than one of the whole.
static std::optional<SmallVector<tensor::ExtractSliceOp>>
findLateSlices(Value value, Operation *first) {
  SmallVector<tensor::ExtractSliceOp> late;
  for (OpOperand &use : value.getUses()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    if (slice && slice->getBlock() == first->getBlock() &&
        slice->isBeforeInBlock(first)) {
      if (!isReadBefore(slice, first))
        late.push_back(slice);
    } else if (!isReadBy(use, first)) {
      return std::nullopt;
    }
  }
  return late;
}

/// Gives what is read of a slice memory of its own.
static void copySlice(tensor::ExtractSliceOp slice) {
  OpBuilder b(slice);
  b.setInsertionPointAfter(slice);
  auto copy = bufferization::AllocTensorOp::create(
      b, slice.getLoc(), slice.getType(), ValueRange(), slice.getResult());
  slice.getResult().replaceAllUsesExcept(copy, copy);
}

/// A copy of `tensor` in memory of its own; of one without values the memory.
static Value copyToBuffer(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return memref::AllocOp::create(b, loc, buffer, empty.getDynamicSizes());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, loc, tensor, dim));
  Value from = bufferization::ToBufferOp::create(b, loc, buffer, tensor,
                                                 /*read_only=*/true);
  Value to = memref::AllocOp::create(b, loc, buffer, sizes);
  linalg::CopyOp::create(b, loc, from, to);
  return to;
}

/// Writes the slice or element into the buffer of the whole.
static void write(Operation *op, Value whole) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (auto element = dyn_cast<tensor::InsertOp>(op)) {
    memref::StoreOp::create(b, loc, element.getScalar(), whole,
                            element.getIndices());
    return;
  }
  auto insertion = cast<tensor::InsertSliceOp>(op);
  auto source = cast<RankedTensorType>(insertion.getSource().getType());
  auto type = memref::SubViewOp::inferRankReducedResultType(
      source.getShape(), cast<MemRefType>(whole.getType()),
      insertion.getMixedOffsets(), insertion.getMixedSizes(),
      insertion.getMixedStrides());
  Value slice = memref::SubViewOp::create(
      b, loc, type, whole, insertion.getMixedOffsets(),
      insertion.getMixedSizes(), insertion.getMixedStrides());
  Value from = bufferization::ToBufferOp::create(
      b, loc, MemRefType::get(source.getShape(), source.getElementType()),
      insertion.getSource(), /*read_only=*/true);
  linalg::CopyOp::create(b, loc, from, slice);
}

/// Gives the value that `loop` carries at `position` a buffer, if that is
/// right.
static void insertInPlace(scf::ForOp loop, unsigned position) {
  BlockArgument arg = loop.getRegionIterArg(position);
  OpOperand &yielded = *loop.getTiedLoopYieldedValue(arg);
  if (!isa<RankedTensorType>(arg.getType()))
    return;
  SmallVector<Operation *> insertions = findInsertions(arg, yielded.get());
  if (insertions.empty())
    return;
  auto late = findLateSlices(arg, insertions.front());
  if (!late)
    return;
  llvm::for_each(*late, copySlice);
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto type = cast<RankedTensorType>(arg.getType());
  Value buffer = copyToBuffer(b, loc, loop.getInitArgs()[position]);
  for (Operation *insertion : insertions)
    write(insertion, buffer);
  yielded.set(arg);
  for (Operation *insertion : llvm::reverse(insertions))
    insertion->erase();
  b.setInsertionPointToStart(loop.getBody());
  Value old = bufferization::ToTensorOp::create(
      b, loc, type, buffer, /*restrict=*/true, /*writable=*/false);
  arg.replaceUsesWithIf(old, [&](OpOperand &use) { return &use != &yielded; });
  b.setInsertionPointAfter(loop);
  Value result = bufferization::ToTensorOp::create(
      b, loc, type, buffer, /*restrict=*/true, /*writable=*/false);
  loop.getResult(position).replaceAllUsesWith(result);
}

namespace {
struct InsertInPlacePass
    : public clique::impl::InsertInPlacePassBase<InsertInPlacePass> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      // Of the other functions one-shot bufferization knows all.
      if (!loop->getParentOfType<func::FuncOp>().isPublic())
        return;
      loops.push_back(loop);
      for (unsigned k = 0; k < loop.getNumRegionIterArgs(); ++k)
        insertInPlace(loop, k);
    });
    // They no longer carry what they do not change.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    (void)applyOpPatternsGreedily(loops, std::move(patterns));
  }
};
} // namespace
