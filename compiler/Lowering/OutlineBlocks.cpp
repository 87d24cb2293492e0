//===- OutlineBlocks.cpp - Kernels as loops over blocks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-outline-blocks.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockOutliner.h"
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/TileCaller.h"
#include "compiler/Lowering/TypedRowCaller.h"
#include "dialect/IR/MPNodeTypes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace clique {
#define GEN_PASS_DEF_OUTLINEBLOCKSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// A row for each chunk of the states of a kernel's aggregators: their
/// identities are made, for their types alone.
static FailureOr<SmallVector<MemRefType>> getScratch(const KernelInfo &info) {
  Block unused;
  OpBuilder builder(info.kernel->getContext());
  builder.setInsertionPointToStart(&unused);
  Lifter lifter(builder, 0, 0, {}, {});
  if (failed(mapOutside(info, lifter, [](Value capture) { return capture; })))
    return failure();
  FailureOr<SmallVector<Value>> states =
      EdgeStream(info, /*hasDst=*/false).getIdentity(lifter);
  if (failed(states))
    return failure();
  SmallVector<MemRefType> types;
  for (Value state : *states)
    types.push_back(getBufferType(
        mp::getNodesType(cast<RankedTensorType>(state.getType()))));
  return types;
}

/// `blocks` of one row, as parts of a divided row are taken.
static mp::RowBlocksAttr getOneRow(mp::RowBlocksAttr blocks) {
  return mp::RowBlocksAttr::get(blocks.getContext(), 1, blocks.getEdges(),
                                blocks.getChunk(), blocks.getPart(),
                                blocks.getPrefetch(), blocks.getThreads(), 0);
}

/// The functions of divided rows; `chunk` and `merge`: the schedules of a part
/// of one's edges, and of their join.
static FailureOr<HubFunctions> outlineHubs(const KernelInfo &info,
                                           Attribute chunk, Attribute merge) {
  FailureOr<SmallVector<MemRefType>> scratch = getScratch(info);
  if (failed(scratch))
    return failure();
  Type index = IndexType::get(info.kernel->getContext());
  HubFunctions functions;
  functions.scratch = *scratch;
  BlockKind kind = {
      isa<mp::EdgeBlocksAttr>(chunk) ? "_edges_chunk" : "_sparse_chunk", chunk,
      // Its first edge and the one past its last, its number.
      SmallVector<Type>(3, index), *scratch, mp::BlockPart::chunk};
  functions.chunk = BlockOutliner(info, kind).run();
  kind = {"_sparse_merge", merge, SmallVector<Type>(2, index), *scratch,
          mp::BlockPart::merge};
  functions.merge = BlockOutliner(info, kind).run();
  return functions;
}

static LogicalResult outline(const KernelInfo &info,
                             mp::NodeBlocksAttr schedule) {
  func::FuncOp function =
      BlockOutliner(info, {"_nodes", schedule, {}, {}}).run();
  KernelCaller(info, schedule).replaceWithCalls(function);
  return success();
}

/// `function` is the one of whole rows.
static LogicalResult outlineRows(const KernelInfo &info, func::FuncOp function,
                                 Attribute chunk, Attribute merge) {
  std::optional<HubFunctions> hubs;
  // No row of a scan is divided.
  if (!info.scan) {
    FailureOr<HubFunctions> made = outlineHubs(info, chunk, merge);
    if (failed(made))
      return failure();
    hubs = *made;
  }
  RowCaller(info, info.kernel.getScheduleAttr(), hubs)
      .replaceWithCalls(function);
  return success();
}

static LogicalResult outline(const KernelInfo &info,
                             mp::RowBlocksAttr schedule) {
  func::FuncOp function =
      BlockOutliner(info, {"_sparse", schedule, {}, {}}).run();
  mp::RowBlocksAttr oneRow = getOneRow(schedule);
  return outlineRows(info, function, oneRow, oneRow);
}

static LogicalResult outline(const KernelInfo &info,
                             mp::EdgeBlocksAttr schedule) {
  func::FuncOp function =
      BlockOutliner(info, {"_edges", schedule, {}, {}}).run();
  auto chunk = mp::EdgeBlocksAttr::get(
      schedule.getContext(), 1, 1, schedule.getEdges(), schedule.getChunk(),
      schedule.getPart(), schedule.getPrefetch());
  auto merge =
      mp::RowBlocksAttr::get(schedule.getContext(), 1, schedule.getEdges(), 0,
                             schedule.getPart(), schedule.getPrefetch(), 0, 0);
  return outlineRows(info, function, chunk, merge);
}

static LogicalResult outline(const KernelInfo &info,
                             mp::TypedBlocksAttr schedule) {
  FailureOr<TypedProduct> product = TypedProduct::get(info);
  if (failed(product))
    return failure();
  Builder builder(schedule.getContext());
  Type index = builder.getIndexType();
  auto getArray = [&](Type element) -> Type {
    return MemRefType::get(ShapedType::kDynamic, element);
  };
  Type numbers = getArray(builder.getI64Type());
  // As mp.edges_by_type has them, for the block's chunks.
  BlockKind kind = {
      "_typed",
      schedule,
      {index, index, numbers, numbers, getArray(builder.getI32Type()), numbers},
      {}};
  func::FuncOp function = BlockOutliner(info, kind).run();
  mp::RowBlocksAttr oneRow = getOneRow(schedule.getDivided());
  FailureOr<HubFunctions> hubs = outlineHubs(info, oneRow, oneRow);
  if (failed(hubs))
    return failure();
  TypedRowCaller(info, *product, schedule, *hubs).replaceWithCalls(function);
  return success();
}

static LogicalResult outline(const KernelInfo &info, mp::TilesAttr schedule) {
  Type index = IndexType::get(schedule.getContext());
  // The block's tiles, and the next block.
  const int64_t next = info.kernel.getHeads() ? 6 : 2;
  SmallVector<Type> args(schedule.getPrefetch() > 0 ? 2 + next : 2, index);
  BlockKind kind = {"_dense", schedule, args, {}};
  func::FuncOp function = BlockOutliner(info, kind).run();
  TileCaller(info, schedule).replaceWithCalls(function);
  return success();
}

namespace {
struct OutlineBlocks
    : public clique::impl::OutlineBlocksPassBase<OutlineBlocks> {
  void runOnOperation() override {
    SmallVector<mp::KernelOp> kernels;
    getOperation().walk([&](mp::KernelOp kernel) {
      if (kernel.getScheduleAttr() && !isa<mp::BlockOp>(kernel->getParentOp()))
        kernels.push_back(kernel);
    });
    for (mp::KernelOp kernel : kernels) {
      KernelInfo info(kernel);
      LogicalResult done =
          llvm::TypeSwitch<Attribute, LogicalResult>(kernel.getScheduleAttr())
              .Case<mp::NodeBlocksAttr, mp::RowBlocksAttr, mp::EdgeBlocksAttr,
                    mp::TypedBlocksAttr, mp::TilesAttr>(
                  [&](auto schedule) { return outline(info, schedule); });
      if (failed(done))
        return signalPassFailure();
    }
  }
};
} // namespace
