//===- FuseIntoStores.cpp - Rows are computed as they are stored ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/RowOfOp.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace clique {
#define GEN_PASS_DEF_FUSEINTOSTORESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// The store of the first rows of a tensor, or of one row of it, which is the
/// only use of what is sliced.
struct RowStore {
  static std::optional<RowStore> get(Operation *user);
  /// Stores rows of `op` in place of those of its result.
  void fuse(linalg::GenericOp op);

  tensor::ExtractSliceOp slice;
  bufferization::MaterializeInDestinationOp store;
  /// Whether it is one row, without its dimension.
  bool isOne;
};
} // namespace

std::optional<RowStore> RowStore::get(Operation *user) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
  if (!slice || !slice->hasOneUse() || !slice.hasUnitStride())
    return std::nullopt;
  auto store =
      dyn_cast<bufferization::MaterializeInDestinationOp>(*slice->user_begin());
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  const bool isOne =
      slice.getDroppedDims().test(0) && slice.getDroppedDims().count() == 1;
  if (!store || !isa<MemRefType>(store.getDest().getType()) ||
      (!isOne &&
       (slice.getDroppedDims().any() || !isZeroInteger(offsets.front()))))
    return std::nullopt;
  for (size_t dim = 1; dim < offsets.size(); ++dim)
    if (!isZeroInteger(offsets[dim]) ||
        getConstantIntValue(sizes[dim]) != shape[dim])
      return std::nullopt;
  return RowStore{slice, store, isOne};
}

/// Row `number` of a buffer, without the row dimension.
static Value viewRow(OpBuilder &b, Location loc, Value buffer, Value number) {
  auto type = cast<MemRefType>(buffer.getType());
  RowPlace place(b, type, number);
  auto row = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(), type, place.offsets, place.sizes,
      place.strides));
  return memref::SubViewOp::create(b, loc, row, buffer, place.offsets,
                                   place.sizes, place.strides);
}

void RowStore::fuse(linalg::GenericOp op) {
  OpBuilder builder(store);
  Location loc = store.getLoc();
  auto toValue = [&](OpFoldResult index) {
    return getValueOrCreateConstantIndexOp(builder, loc, index);
  };
  if (isOne) {
    store.getSourceMutable().set(
        computeRow(builder, op, toValue(slice.getMixedOffsets().front())));
    slice.erase();
    return;
  }
  Value count = toValue(slice.getMixedSizes().front());
  auto rows = scf::ForOp::create(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, 0), count,
      arith::ConstantIndexOp::create(builder, loc, 1));
  builder.setInsertionPointToStart(rows.getBody());
  Value number = rows.getInductionVar();
  Value place = viewRow(builder, loc, store.getDest(), number);
  auto made = bufferization::MaterializeInDestinationOp::create(
      builder, loc, Type(), computeRow(builder, op, number), place);
  made.setWritable(store.getWritable());
  made.setRestrict(store.getRestrict());
  store.erase();
  slice.erase();
}

/// Whether an operand is a sum whose registers `op` finishes.
static bool finishesSums(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    auto sum = input.getDefiningOp<linalg::LinalgOp>();
    return sum && sum.getNumReductionLoops() > 0;
  });
}

namespace {
struct FuseIntoStores
    : public clique::impl::FuseIntoStoresPassBase<FuseIntoStores> {
  void runOnOperation() override {
    const int64_t lanes = mp::getCpu(getOperation()).getVectorBits() / 32;
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (canComputeByRow(op, lanes) && !finishesSums(op))
        fuse(op);
  }

  static void fuse(linalg::GenericOp op) {
    SmallVector<RowStore> stores;
    for (Operation *user : op->getUsers()) {
      std::optional<RowStore> store = RowStore::get(user);
      if (!store)
        return;
      stores.push_back(*store);
    }
    for (RowStore &store : stores)
      store.fuse(op);
    op.erase();
  }
};
} // namespace
