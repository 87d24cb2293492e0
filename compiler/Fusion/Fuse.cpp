//===- Fuse.cpp - Messages, aggregations and updates to kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-fuse: prepares each block, groups its ops and moves every group
// into an mp.kernel.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/KernelGroups.h"
#include "compiler/Fusion/MessageMerging.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"

namespace clique {
#define GEN_PASS_DEF_FUSEPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::KernelOp;
using mp::MessageOp;
using mp::ScanOp;
using mp::UpdateOp;

/// Rewrites the block so that no message uses another's values on one graph and
/// aggregations and scans take theirs from messages only.
static void prepare(Block &block) {
  for (auto message : llvm::make_early_inc_range(block.getOps<MessageOp>()))
    inlineProducers(message);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<MessageOp>(op) && op.use_empty())
      op.erase();
  for (Operation &op : block)
    if (isa<AggregateOp, ScanOp>(op))
      bringValuesThroughMessage(&op);
  for (auto update : block.getOps<UpdateOp>())
    sinkReshapes(update);
}

/// Adds to each group the messages that its ops read; a message that another
/// group has got is computed again.
static void addMessages(SmallVectorImpl<KernelGroup> &groups) {
  DenseSet<Operation *> taken;
  for (KernelGroup &group : groups)
    taken.insert_range(group.ops);
  for (KernelGroup &group : groups) {
    DenseMap<Operation *, Operation *> copies;
    for (Operation *op : SmallVector<Operation *>(group.ops.getArrayRef())) {
      if (!isa<AggregateOp, ScanOp>(op))
        continue;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<mp::EdgesType>(operand.get().getType()))
          continue;
        auto edges = cast<OpResult>(operand.get());
        Operation *message = edges.getOwner();
        if (group.ops.contains(message))
          continue;
        Operation *&own = copies[message];
        if (!own)
          own = taken.insert(message).second
                    ? message
                    : OpBuilder(message).clone(*message);
        group.ops.insert(own);
        operand.set(own->getResult(edges.getResultNumber()));
      }
    }
  }
}

/// Moves the ops of a group into a kernel at the end of their block, or before
/// the first check behind them, which may need its results.
static KernelOp makeKernel(Block &block, const KernelGroup &group) {
  SmallVector<Operation *> ops(group.ops.getArrayRef());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  auto isOutside = [&](OpOperand &use) {
    Operation *user = block.findAncestorOpInBlock(*use.getOwner());
    return !group.ops.contains(user);
  };
  SmallVector<Value> yielded;
  SmallVector<Location> locations;
  for (Operation *op : ops) {
    locations.push_back(op->getLoc());
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(), isOutside))
        yielded.push_back(result);
  }
  Operation *place = ops.back();
  while (place != block.getTerminator() && !isa<mp::CheckOp>(place))
    place = place->getNextNode();
  OpBuilder builder(place);
  auto kernel = KernelOp::create(
      builder, builder.getFusedLoc(locations), TypeRange(ValueRange(yielded)),
      /*sym=*/"", mp::LoweringAttr(),
      /*heads=*/IntegerAttr(), /*schedule=*/Attribute());
  for (auto [value, result] : llvm::zip_equal(yielded, kernel->getResults()))
    value.replaceUsesWithIf(result, isOutside);

  Block &body = kernel.getBody().emplaceBlock();
  SmallVector<MessageOp> messages;
  for (Operation *op : ops) {
    op->moveBefore(&body, body.end());
    if (auto message = dyn_cast<MessageOp>(op))
      messages.push_back(message);
  }
  builder.setInsertionPointToEnd(&body);
  mp::YieldOp::create(builder, kernel.getLoc(), yielded);
  for (MessageOp message : llvm::reverse(messages))
    message->moveBefore(&body, body.begin());
  if (messages.size() > 1)
    mergeMessages(messages);
  return kernel;
}

static void describe(KernelOp kernel) {
  unsigned aggregates = 0, updates = 0;
  bool isScan = false;
  std::string edges;
  for (Operation &op : kernel.getBody().front()) {
    aggregates += isa<AggregateOp>(op);
    updates += isa<UpdateOp>(op);
    isScan |= isa<ScanOp>(op);
    if (auto message = dyn_cast<MessageOp>(op))
      for (OpResult result : message->getResults()) {
        llvm::raw_string_ostream os(edges);
        bool stored = llvm::is_contained(kernel.getYield().getValues(), result);
        os << (edges.empty() ? "" : ", ") << result.getType()
           << (stored ? " stored" : " not stored");
      }
  }
  std::string pass =
      edges.empty()
          ? llvm::formatv("one pass over the nodes, updates: {0}", updates)
                .str()
      : isScan ? "one pass over the edges, a scan; " + edges
               : llvm::formatv("one pass over the edges, aggregations: {0}, "
                               "updates: {1}; {2}",
                               aggregates, updates, edges)
                     .str();
  remark::passed(kernel.getLoc(),
                 remark::RemarkOpts::name("mp-fuse").category("fusion"))
      << ("kernel " + kernel.getSym() + ": " + pass).str();
}

static bool holdsLayerOps(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isa<MessageOp, AggregateOp, ScanOp, UpdateOp>(op);
  });
}

namespace {
struct FusePass : clique::impl::FusePassBase<FusePass> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    llvm::StringSet<> names;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto kernel = dyn_cast<KernelOp>(op)) {
        names.insert(kernel.getSym());
        return WalkResult::skip();
      }
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (holdsLayerOps(block))
            blocks.push_back(&block);
      return WalkResult::advance();
    });

    unsigned number = 0;
    for (Block *block : blocks) {
      prepare(*block);
      SmallVector<KernelGroup> groups(KernelGroups(*block).getGroups());
      addMessages(groups);
      DenseSet<Operation *> made;
      for (const KernelGroup &group : groups)
        made.insert(makeKernel(*block, group));
      sortBlock(*block);
      for (auto kernel : block->getOps<KernelOp>()) {
        if (!made.contains(kernel))
          continue;
        std::string name;
        do
          name = llvm::formatv("{0}_{1}", getOperation().getName(), number++)
                     .str();
        while (!names.insert(name).second);
        kernel.setSym(name);
        describe(kernel);
      }
    }
  }
};
} // namespace
