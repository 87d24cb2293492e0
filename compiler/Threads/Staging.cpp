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
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Threads/Distribution.h"
#include "dialect/IR/MPOps.h"
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

bool Distribution::isReshaped(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](Operation *user) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return true;
    return (isExtension(user) || isa<linalg::TransposeOp>(user) ||
            isa<tensor::ExtractSliceOp>(user)) &&
           isReshaped(user->getResult(0));
  });
}

bool Distribution::keepsRows(Value tensor) {
  return llvm::all_of(tensor.getUsers(), [](Operation *user) {
    if (isExtension(user))
      return keepsRows(user->getResult(0));
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      return collapse.getReassociationIndices().front().size() == 1;
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      return expand.getReassociationIndices().front().size() == 1;
    return !isa<linalg::TransposeOp, tensor::ExtractSliceOp>(user);
  });
}

/// Whether parts of rows are taken.
static bool isCutAcross(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (isExtension(user))
      return isCutAcross(user->getResult(0));
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && slice.getStaticSizes().back() !=
                        slice.getSourceType().getShape().back();
  });
}

/// Whether mp.warpgroup_product can read rows of elements of half precision,
/// and clique-swizzle-shared can put them in panels.
static bool canBeInPanels(ArrayRef<int64_t> shape) {
  constexpr int64_t rowsTogether = 8;
  int64_t width = shape.size() == 2
                      ? mp::WarpgroupProductOp::getPanelWidth(shape.back())
                      : 0;
  return width > 0 && shape.front() % rowsTogether == 0 &&
         shape.front() % (shape.back() / width) == 0;
}

Value Distribution::allocate(Location loc, ArrayRef<int64_t> shape,
                             Type element, bool padded, bool isForPanels) {
  if (isForPanels) {
    Value buffer = b.allocateShared(loc, MemRefType::get(shape, element),
                                    /*padded=*/false, kPanelAlignment);
    forPanels.insert(buffer);
    return buffer;
  }
  if (!padded || shape.size() == 2)
    return b.allocateShared(loc, MemRefType::get(shape, element), padded);
  // Gaps between rows, not within them.
  SmallVector<int64_t> flat = {shape.front(),
                               ShapedType::getNumElements(shape.drop_front())};
  Value buffer =
      b.allocateShared(loc, MemRefType::get(flat, element), /*padded=*/true);
  SmallVector<ReassociationIndices> groups(2);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    groups[dim > 0].push_back(dim);
  return memref::ExpandShapeOp::create(b, loc, shape, buffer, groups);
}

Value Distribution::stage(Location loc, Value tensor, bool isRounded) {
  ThreadValue value = get(tensor);
  ArrayRef<int64_t> shape = getShape(tensor);
  bool isRegisters = value.kind == ThreadValue::Kind::registers;
  bool isMemory = value.kind == ThreadValue::Kind::memory;
  Type element = getElement(tensor);
  if (isRounded)
    element = cores.getHalf();
  else if (isMemory)
    element = cast<MemRefType>(value.value.getType()).getElementType();
  // Rows are to lie in different banks: ldmatrix's by a swizzle
  // (clique-swizzle-shared), others by a gap.
  bool isSwizzled = isReadByTensorCores(tensor) && getBits(element) == 16 &&
                    llvm::isPowerOf2_64(shape.back()) && !isReshaped(tensor) &&
                    !isCutAcross(tensor);
  bool padded = !isSwizzled &&
                (isReshaped(tensor) ? keepsRows(tensor) : shape.size() == 2);
  bool isForPanels =
      isSwizzled && cores.haveWarpgroups() && canBeInPanels(shape);
  if (isMemory || value.kind == ThreadValue::Kind::window)
    if (Value buffer = stageAsync(loc, tensor, element, padded, isForPanels))
      return buffer;
  ThreadLayout layout =
      isRegisters ? value.layout : getCopyLayout(shape, element);
  Value buffer = allocate(loc, shape, element, padded, isForPanels);
  SmallVector<BufferIndex> all = getAllDims(shape.size());
  Value vector = isMemory ? b.load(loc, value.value, layout, all)
                 : value.kind == ThreadValue::Kind::window
                     ? loadWindow(loc, tensor, layout)
                     : getRegisters(loc, tensor, layout);
  if (auto type = cast<VectorType>(vector.getType());
      type.getElementType() != element)
    vector = arith::TruncFOp::create(b, loc, type.clone(element), vector);
  b.synchronise(loc);
  b.store(loc, vector, buffer, layout, all);
  if (isForPanels)
    b.fenceForWarpgroups(loc);
  b.synchronise(loc);
  return buffer;
}

void Distribution::stageSliced(scf::ForOp loop) {
  loop.walk([&](tensor::ExtractSliceOp slice) {
    Value source = slice.getSource();
    if (get(source).kind != ThreadValue::Kind::registers ||
        sliced.contains(source))
      return;
    bool isRounded = cores.getHalf() && isReadByTensorCores(slice.getResult());
    sliced[source] = stage(slice.getLoc(), source, isRounded);
  });
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

Value Distribution::stageAsync(Location loc, Value tensor, Type element,
                               bool padded, bool isForPanels) {
  ThreadValue value = get(tensor);
  ArrayRef<int64_t> shape = getShape(tensor);
  // Missing rows become zero.
  auto from = cast<MemRefType>(value.value.getType());
  if (from.getElementType() != element ||
      (value.otherwise && !matchPattern(value.otherwise, m_PosZeroFloat()) &&
       !matchPattern(value.otherwise, m_Zero())))
    return {};
  ThreadLayout layout = getCopyLayout(shape, element);
  if (!b.canCopyAsync(value.value, layout))
    return {};

  auto loop = dyn_cast<scf::ForOp>(b.getInsertionBlock()->getParentOp());
  Value buffer;
  if (stages > 1 && loop && loop->getParentOp() == function) {
    // Copies that run ahead may not meet another use of their memory.
    b.skipUsedInLoop();
    if (!b.isSharedFresh()) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(loop);
      b.synchronise(loc);
    }
    SmallVector<int64_t> all = {stages};
    llvm::append_range(all, shape);
    Value buffers = b.allocateShared(
        loc, MemRefType::get(all, element), padded && shape.size() == 2,
        isForPanels ? kPanelAlignment : kSharedAlignment);
    buffer = viewBuffer(b, loc, buffers, getTurn(b, loop, stages), shape);
    if (isForPanels)
      forPanels.insert(buffer);
  } else {
    // Whoever reads what was there before must be done with it.
    bool isFirstUse = b.isSharedFresh() &&
                      b.getInsertionBlock() == &function.getBody().front();
    if (!isCopying && !isFirstUse)
      b.synchronise(loc);
    buffer = allocate(loc, shape, element, padded, isForPanels);
  }
  if (value.kind == ThreadValue::Kind::memory)
    b.copyAsync(loc, value.value, buffer, layout, /*limit=*/{});
  else
    ifWhole(loc, tensor, {}, [&](Value limit) {
      b.copyAsync(loc, value.value, buffer, layout, limit);
      return SmallVector<Value>();
    });
  isCopying = true;
  return buffer;
}

void Distribution::finishCopies(Location loc) {
  if (isCopying)
    b.waitForCopies(loc, cores.haveWarpgroups());
  isCopying = false;
}
