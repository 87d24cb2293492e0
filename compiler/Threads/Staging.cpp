//===- Staging.cpp - Tiles in shared memory -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a group read together is put into shared memory first.
// Rows that lie in memory as they are needed are copied asynchronously, past
// the registers; in a loop with two buffers a round's copies do not touch what
// the round before reads, so that the next round's can be started a round
// earlier (clique-pipeline-copies).
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace clique;

ResultRange Distribution::ifWhole(
    Location loc, Value tensor, TypeRange types,
    llvm::function_ref<SmallVector<Value>(Value limit)> emit) {
  // Nearly all windows are whole: no row of those need be looked at.
  Value limit = get(tensor).limit;
  Value whole = b.constantIndex(loc, getShape(tensor).front());
  Value isWhole =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, limit, whole);
  auto branch =
      scf::IfOp::create(b, loc, types, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (auto [block, rows] : {std::pair(branch.thenBlock(), Value()),
                             std::pair(branch.elseBlock(), limit)}) {
    b.setInsertionPointToStart(block);
    SmallVector<Value> values = emit(rows);
    if (!types.empty())
      scf::YieldOp::create(b, loc, values);
  }
  return branch.getResults();
}

Value Distribution::loadWindow(Location loc, Value tensor,
                               const ThreadLayout &layout) {
  auto type = VectorType::get(layout.getNumRegisters(), getElement(tensor));
  return ifWhole(loc, tensor, type,
                 [&](Value limit) -> SmallVector<Value> {
                   if (limit)
                     return {getRegisters(loc, tensor, layout)};
                   SmallVector<BufferIndex> all =
                       getAllDims(getShape(tensor).size());
                   return {b.load(loc, get(tensor).value, layout, all)};
                 })
      .front();
}

Value Distribution::stage(Location loc, Value tensor) {
  ThreadValue value = get(tensor);
  ArrayRef<int64_t> shape = getShape(tensor);
  // Rows are to lie in different banks: ldmatrix's by a swizzle
  // (clique-swizzle-shared), others by a gap.
  bool isSwizzled = isReadByTensorCores(tensor) &&
                    getElement(tensor).getIntOrFloatBitWidth() == 16 &&
                    llvm::isPowerOf2_64(shape.back());
  bool padded = shape.size() == 2 && !isReshaped(tensor) && !isSwizzled;
  bool isWindow = value.kind == ThreadValue::Kind::window;
  if (isWindow)
    if (Value buffer = stageAsync(loc, tensor, padded))
      return buffer;
  ThreadLayout layout = value.kind == ThreadValue::Kind::registers
                            ? value.layout
                            : getCopyLayout(shape, getElement(tensor));
  Value buffer =
      b.allocateShared(loc, MemRefType::get(shape, getElement(tensor)), padded);
  Value vector = isWindow ? loadWindow(loc, tensor, layout)
                          : getRegisters(loc, tensor, layout);
  b.synchronise(loc);
  b.store(loc, vector, buffer, layout, getAllDims(shape.size()));
  b.synchronise(loc);
  return buffer;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// Which of `stages` buffers a round of the loop has.
static Value getTurn(OpBuilder &b, scf::ForOp loop, int64_t stages) {
  Location loc = loop.getLoc();
  Value round = arith::SubIOp::create(b, loc, loop.getInductionVar(),
                                      loop.getLowerBound());
  round = arith::DivUIOp::create(b, loc, round, loop.getStep());
  return arith::RemUIOp::create(b, loc, round,
                                arith::ConstantIndexOp::create(b, loc, stages));
}

/// Buffer `turn` of several.
static Value viewBuffer(OpBuilder &b, Location loc, Value buffers, Value turn,
                        ArrayRef<int64_t> shape) {
  unsigned rank = shape.size() + 1;
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)),
      sizes = {b.getIndexAttr(1)}, strides(rank, b.getIndexAttr(1));
  offsets.front() = turn;
  llvm::append_range(sizes, getAsIndexOpFoldResult(b.getContext(), shape));
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(buffers.getType()), offsets, sizes, strides));
  return memref::SubViewOp::create(b, loc, type, buffers, offsets, sizes,
                                   strides);
}

Value Distribution::stageAsync(Location loc, Value tensor, bool padded) {
  ThreadValue window = get(tensor);
  ArrayRef<int64_t> shape = getShape(tensor);
  Type element = getElement(tensor);
  // Missing rows become zero.
  auto from = cast<MemRefType>(window.value.getType());
  if (from.getElementType() != element ||
      (window.otherwise && !matchPattern(window.otherwise, m_PosZeroFloat()) &&
       !matchPattern(window.otherwise, m_Zero())))
    return {};
  ThreadLayout layout = getCopyLayout(shape, element);
  if (!b.canCopyAsync(window.value, layout))
    return {};

  auto loop = dyn_cast<scf::ForOp>(b.getInsertionBlock()->getParentOp());
  Value buffer;
  if (stages > 1 && loop && loop->getParentOp() == function) {
    // Copies that run ahead may not meet another use of their memory.
    b.skipUsedShared();
    SmallVector<int64_t> all = {stages};
    llvm::append_range(all, shape);
    Value buffers =
        b.allocateShared(loc, MemRefType::get(all, element), padded);
    buffer = viewBuffer(b, loc, buffers, getTurn(b, loop, stages), shape);
  } else {
    // Whoever reads what was there before must be done with it.
    bool isFirstUse = b.isSharedFresh() &&
                      b.getInsertionBlock() == &function.getBody().front();
    if (!isCopying && !isFirstUse)
      b.synchronise(loc);
    buffer = b.allocateShared(loc, MemRefType::get(shape, element), padded);
  }
  ifWhole(loc, tensor, {}, [&](Value limit) {
    b.copyAsync(loc, window.value, buffer, layout, limit);
    return SmallVector<Value>();
  });
  isCopying = true;
  return buffer;
}

void Distribution::finishCopies(Location loc) {
  if (isCopying)
    b.waitForCopies(loc);
  isCopying = false;
}
