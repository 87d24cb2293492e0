//===- ThreadCopies.cpp - Asynchronous copies of a group of threads -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async (PTX ISA): from global to shared memory, past the registers.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/ThreadBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace clique;

int64_t ThreadBuilder::getCopySize(Value from, const ThreadLayout &layout) {
  auto type = cast<MemRefType>(from.getType());
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || !type.isLastDimUnitStride())
    return 0;
  // There are copies of 4, 8 and 16 bytes.
  constexpr int64_t fewestBits = 32;
  int64_t size = getAccessSize(from, layout, getAllDims(layout.getRank()));
  return size * element.getIntOrFloatBitWidth() < fewestBits ? 0 : size;
}

bool ThreadBuilder::canCopyAsync(Value from, const ThreadLayout &layout) {
  return getCopySize(from, layout) > 0;
}

/// Rows [first, shape[0]) of a buffer that has so many or more.
static Value dropRows(OpBuilder &b, Location loc, Value buffer, int64_t first,
                      ArrayRef<int64_t> shape) {
  SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape),
      strides(shape.size(), 1);
  offsets.front() = first;
  sizes.front() -= first;
  return memref::SubViewOp::create(b, loc, buffer, offsets, sizes, strides);
}

void ThreadBuilder::copyAsync(Location loc, Value from, Value to,
                              const ThreadLayout &layout, Value limit) {
  auto type = cast<MemRefType>(to.getType());
  SmallVector<BufferIndex> all = getAllDims(layout.getRank());
  int64_t size = getCopySize(from, layout);
  constexpr int64_t mostBits = 128;
  // What lies in shared memory need not lie in the first-level cache, too.
  bool bypass = size * type.getElementTypeBitWidth() == mostBits;
  auto copy = [&](Value from, ValueRange source, Value to, ValueRange position,
                  Value count) {
    nvgpu::DeviceAsyncCopyOp::create(
        *this, loc, nvgpu::DeviceAsyncTokenType::get(getContext()), to,
        position, from, source, getIndexAttr(size), count,
        bypass ? getUnitAttr() : UnitAttr());
  };
  Value whole = constantIndex(loc, size), none = constantIndex(loc, 0);
  for (int64_t number = 0; number < layout.getNumRegisters(); number += size) {
    OpBuilder::InsertionGuard guard(*this);
    SmallVector<Value> position;
    Value condition = locate(loc, type, layout, all, number, position);
    if (condition) {
      auto guarded = scf::IfOp::create(*this, loc, condition);
      setInsertionPointToStart(guarded.thenBlock());
    } else if (!limit) {
      // The thread's part of the row stands alone: then its address is one for
      // all of its copies, which add a constant.
      position.front() = getCoordinate(loc, layout, 0, 0);
      int64_t first = layout.getOffset(0, number);
      copy(dropRows(*this, loc, from, first, type.getShape()), position,
           dropRows(*this, loc, to, first, type.getShape()), position, {});
      continue;
    }
    SmallVector<Value> source = position;
    Value count;
    if (limit) {
      Value row = position.front();
      Value isThere = arith::CmpIOp::create(
          *this, loc, arith::CmpIPredicate::ult, row, limit);
      count = arith::SelectOp::create(*this, loc, isThere, whole, none);
      Value last =
          arith::SubIOp::create(*this, loc, limit, constantIndex(loc, 1));
      source.front() = arith::MinUIOp::create(*this, loc, row, last);
    }
    copy(from, source, to, position, count);
  }
}

void ThreadBuilder::waitForCopies(Location loc, bool forWarpgroups) {
  Value group = nvgpu::DeviceAsyncCreateGroupOp::create(
      *this, loc, nvgpu::DeviceAsyncTokenType::get(getContext()), ValueRange());
  // Without tokens or an attribute its text would go on in the next line.
  group.getDefiningOp()->setAttr("mp.tiles", getUnitAttr());
  nvgpu::DeviceAsyncWaitOp::create(*this, loc, group, IntegerAttr());
  // Before the next copies start: it would wait for those.
  if (forWarpgroups)
    fenceForWarpgroups(loc);
  synchronise(loc);
}
