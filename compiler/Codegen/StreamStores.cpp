//===- StreamStores.cpp - Large results go past the caches ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/RuntimeCalls.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace clique {
#define GEN_PASS_DEF_STREAMSTORESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Bytes of a cache line. A store that does not fill lines would read them.
static int64_t getLine(Operation *op) {
  return clique::mp::getCpu(op).getLineBytes();
}

/// A store of a whole vector to consecutive addresses, as both ops spell it.
struct Row {
  Operation *store;
  Value vector;
  Value buffer;
  ValueRange position;
};

static bool fillsLines(VectorType type, int64_t line) {
  return type.getRank() == 1 && type.getElementType().isIntOrFloat() &&
         type.getNumElements() * type.getElementTypeBitWidth() % (8 * line) ==
             0;
}

/// Whether `buffer` and its views are written by vectors and scalars and never
/// read; appends the stores of whole lines.
static bool isOnlyWritten(Value buffer, SmallVectorImpl<Row> &rows) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<memref::DimOp>(user))
      return true;
    if (isa<ViewLikeOpInterface>(user) && user->getNumResults() == 1)
      return isOnlyWritten(user->getResult(0), rows);
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getMemRef() == buffer;
    if (auto store = dyn_cast<vector::StoreOp>(user)) {
      if (fillsLines(store.getVectorType(), getLine(store)))
        rows.push_back(
            {store, store.getValueToStore(), buffer, store.getIndices()});
      return true;
    }
    auto write = dyn_cast<vector::TransferWriteOp>(user);
    if (!write)
      return false;
    if (fillsLines(write.getVectorType(), getLine(write)) && !write.getMask() &&
        !write.hasOutOfBoundsDim() &&
        write.getPermutationMap().isMinorIdentity())
      rows.push_back({write, write.getVector(), buffer, write.getIndices()});
    return true;
  });
}

namespace {
struct StreamStores : public clique::impl::StreamStoresPassBase<StreamStores> {
  void runOnOperation() override {
    const clique::RuntimeCalls runtime(getOperation());
    bool streams = false;
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (func.isPrivate() && func.getBody().hasOneBlock())
        streams |= streamResults(func, runtime);
    if (streams)
      getOperation()->walk(orderStores);
  }

  /// Such stores are ordered by a fence alone: before the other threads, which
  /// wait at the end of the region, go on.
  static void orderStores(omp::ParallelOp region) {
    Operation *end = region.getRegion().back().getTerminator();
    OpBuilder builder(end);
    LLVM::FenceOp::create(builder, end->getLoc(),
                          LLVM::AtomicOrdering::seq_cst);
  }

  /// Whether `func` has a result that may be streamed.
  static bool streamResults(func::FuncOp func,
                            const clique::RuntimeCalls &runtime) {
    bool streams = false;
    for (BlockArgument result : func.getArguments()) {
      auto type = dyn_cast<MemRefType>(result.getType());
      SmallVector<Row> rows;
      if (!type || !isOnlyWritten(result, rows) || rows.empty())
        continue;
      auto builder = OpBuilder::atBlockBegin(&func.front());
      Value isLarge =
          runtime.call(builder, func.getLoc(), "clique_rt_outgrows_caches",
                       getBytes(builder, func.getLoc(), result));
      for (const Row &row : rows)
        stream(row, isLarge);
      streams = true;
    }
    return streams;
  }

  static Value getBytes(OpBuilder &builder, Location loc, Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    Value bytes = arith::ConstantIndexOp::create(
        builder, loc, (type.getElementTypeBitWidth() + 7) / 8);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      bytes = arith::MulIOp::create(
          builder, loc, bytes,
          memref::DimOp::create(builder, loc, buffer, dim));
    return bytes;
  }

  /// `row` past the caches if the result is large and the row begins a line.
  static void stream(const Row &row, Value isLarge) {
    OpBuilder builder(row.store);
    const Location loc = row.store->getLoc();
    const int64_t line = getLine(row.store);
    Value isAligned = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        arith::AndIOp::create(
            builder, loc, getAddress(builder, loc, row),
            arith::ConstantIndexOp::create(builder, loc, line - 1)),
        arith::ConstantIndexOp::create(builder, loc, 0));
    auto choice = scf::IfOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, isLarge, isAligned),
        /*withElseRegion=*/true);
    row.store->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
    builder.setInsertionPointToStart(choice.thenBlock());
    vector::StoreOp::create(builder, loc, row.vector, row.buffer, row.position,
                            /*nontemporal=*/true, llvm::MaybeAlign(line));
  }

  static Value getAddress(OpBuilder &builder, Location loc, const Row &row) {
    auto layout =
        memref::ExtractStridedMetadataOp::create(builder, loc, row.buffer);
    auto type = cast<MemRefType>(row.buffer.getType());
    auto toValue = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(builder, loc, size);
    };
    Value element = toValue(layout.getConstifiedMixedOffset());
    for (auto [index, stride] :
         llvm::zip_equal(row.position, layout.getConstifiedMixedStrides()))
      element = arith::AddIOp::create(
          builder, loc, element,
          arith::MulIOp::create(builder, loc, index, toValue(stride)));
    Value bytes = arith::MulIOp::create(
        builder, loc, element,
        arith::ConstantIndexOp::create(builder, loc,
                                       type.getElementTypeBitWidth() / 8));
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                                row.buffer);
    return arith::AddIOp::create(builder, loc, base, bytes);
  }
};
} // namespace
