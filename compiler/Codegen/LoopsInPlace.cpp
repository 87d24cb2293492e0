//===- LoopsInPlace.cpp - Elements that loops write one by one ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_LOOPSINPLACEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
/// What a step of a loop does with a tensor that it carries, if it does no more
/// than read and write elements, each write behind the reads of what it
/// changes.
struct Steps {
  SmallVector<Operation *> reads;
  SmallVector<tensor::InsertOp> writes;
};
} // namespace

static std::optional<Steps> findSteps(BlockArgument carried) {
  Steps steps;
  Operation *end = carried.getOwner()->getTerminator();
  for (Value version = carried;;) {
    Operation *next = nullptr;
    SmallVector<Operation *> reads;
    for (OpOperand &use : version.getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != carried.getOwner())
        return std::nullopt;
      if (isa<tensor::ExtractOp, tensor::DimOp>(user)) {
        reads.push_back(user);
        continue;
      }
      const bool isNext =
          user == end ? use.getOperandNumber() + 1 == carried.getArgNumber()
                      : isa<tensor::InsertOp>(user);
      if (!isNext || next)
        return std::nullopt;
      next = user;
    }
    if (!next || llvm::any_of(reads, [&](Operation *read) {
          return !read->isBeforeInBlock(next);
        }))
      return std::nullopt;
    llvm::append_range(steps.reads, reads);
    if (next == end)
      break;
    steps.writes.push_back(cast<tensor::InsertOp>(next));
    version = steps.writes.back().getResult();
  }
  return steps.writes.empty() ? std::nullopt : std::optional(steps);
}

/// The loop's steps on a buffer, which is the result at the end.
static void writeInPlace(scf::ForOp loop, unsigned number, const Steps &steps) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value initial = loop.getInitArgs()[number];
  auto type = cast<RankedTensorType>(initial.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(tensor::DimOp::create(builder, loc, initial, d));
  Value buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      sizes);
  if (!initial.getDefiningOp<tensor::EmptyOp>())
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), initial, buffer, /*restrict=*/true,
        /*writable=*/true);

  for (Operation *read : steps.reads) {
    OpBuilder at(read);
    Value found;
    if (auto extract = dyn_cast<tensor::ExtractOp>(read))
      found = memref::LoadOp::create(at, read->getLoc(), buffer,
                                     extract.getIndices());
    else
      found = memref::DimOp::create(at, read->getLoc(), buffer,
                                    cast<tensor::DimOp>(read).getIndex());
    read->replaceAllUsesWith(ValueRange{found});
    read->erase();
  }
  BlockArgument carried = loop.getRegionIterArg(number);
  for (tensor::InsertOp write : steps.writes) {
    OpBuilder at(write);
    memref::StoreOp::create(at, write.getLoc(), write.getScalar(), buffer,
                            write.getIndices());
    write.replaceAllUsesWith(Value(carried));
    write.erase();
  }
  builder.setInsertionPointAfter(loop);
  Value result = bufferization::ToTensorOp::create(
      builder, loc, type, buffer, /*restrict=*/true, /*writable=*/true);
  loop.getResult(number).replaceAllUsesWith(result);
}

namespace {
struct LoopsInPlace : public clique::impl::LoopsInPlacePassBase<LoopsInPlace> {
  void runOnOperation() override {
    // Of other functions bufferization finds out what is written in place.
    if (!getOperation().isPublic())
      return;
    SmallVector<Operation *> changed;
    getOperation()->walk([&](scf::ForOp loop) {
      for (unsigned number = 0; number < loop.getNumResults(); ++number)
        if (isa<RankedTensorType>(loop.getResult(number).getType()))
          if (auto steps = findSteps(loop.getRegionIterArg(number))) {
            writeInPlace(loop, number, *steps);
            if (!llvm::is_contained(changed, loop.getOperation()))
              changed.push_back(loop);
          }
    });
    // What is no longer carried leaves the loops.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyOpPatternsGreedily(changed, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
