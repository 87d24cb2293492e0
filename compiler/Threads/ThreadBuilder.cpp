//===- ThreadBuilder.cpp - Code of one thread of a group ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates, registers, loads and stores. What threads do together is in
// ThreadExchange.cpp,
// asynchronous copies are in ThreadCopies.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/ThreadBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique;

Value clique::getRegister(OpBuilder &b, Location loc, Value vector,
                          int64_t number) {
  return vector::ExtractOp::create(b, loc, vector, number);
}

SmallVector<BufferIndex> clique::getAllDims(unsigned rank) {
  SmallVector<BufferIndex> all;
  for (unsigned dim = 0; dim < rank; ++dim)
    all.push_back(dim);
  return all;
}

Operation *clique::createLike(OpBuilder &b, Operation *op, ValueRange operands,
                              TypeRange types) {
  OperationState state(op->getLoc(), op->getName(), operands, types);
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(state);
}

/// The lanes of a thread's group, as bits.
static Value createLaneMask(OpBuilder &b, Location loc, Value number,
                            int64_t threads) {
  if (threads == kLanesPerWarp)
    return arith::ConstantIntOp::create(b, loc, -1, 32);
  Value own = arith::ConstantIntOp::create(b, loc, (1 << threads) - 1, 32);
  Value firstBits =
      arith::ConstantIndexOp::create(b, loc, kLanesPerWarp - threads);
  Value first = arith::AndIOp::create(b, loc, number, firstBits);
  first = arith::IndexCastOp::create(b, loc, b.getI32Type(), first);
  return arith::ShLIOp::create(b, loc, own, first);
}

ThreadBuilder::ThreadBuilder(func::FuncOp function, int64_t threads)
    : OpBuilder(function.getContext()), function(function), threads(threads),
      entry(function.getContext()) {
  Location loc = function.getLoc();
  entry.setInsertionPointToStart(&function.getBody().front());
  Value number = gpu::ThreadIdOp::create(entry, loc, gpu::Dimension::x);
  groupBytes = arith::ConstantIndexOp::create(entry, loc, 0);
  scratchOffset = arith::ConstantIndexOp::create(entry, loc, 0);
  if (!isInWarp()) {
    thread = number;
    sharedBase = arith::ConstantIndexOp::create(entry, loc, 0);
    return;
  }
  lanes = createLaneMask(entry, loc, number, threads);
  Value size = arith::ConstantIndexOp::create(entry, loc, threads);
  thread = arith::RemUIOp::create(entry, loc, number, size);
  Value group = arith::DivUIOp::create(entry, loc, number, size);
  sharedBase = arith::MulIOp::create(entry, loc, group, groupBytes);
}

int ThreadBuilder::getThreadBits() const { return int(llvm::Log2_64(threads)); }

Value ThreadBuilder::constantIndex(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(*this, loc, value);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

Value ThreadBuilder::getThreadField(int first, int size, int64_t scale) {
  Location loc = function.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(entry, loc, value);
  };
  Value field = arith::ShRUIOp::create(entry, loc, thread, constant(first));
  field = arith::AndIOp::create(entry, loc, field,
                                constant((int64_t(1) << size) - 1));
  return arith::MulIOp::create(entry, loc, field, constant(scale));
}

Value ThreadBuilder::getThreadPart(const ThreadLayout &layout, unsigned dim) {
  Location loc = function.getLoc();
  Value part;
  ArrayRef<IndexBit> bits = layout.getBits(dim);
  for (unsigned place = 0; place < bits.size();) {
    if (!bits[place].isThread) {
      ++place;
      continue;
    }
    // Runs of bits are taken together.
    unsigned run = 1;
    while (place + run < bits.size() && bits[place + run].isThread &&
           bits[place + run].number == bits[place].number + int(run))
      ++run;
    Value field =
        getThreadField(bits[place].number, int(run), int64_t(1) << place);
    part = part ? arith::AddIOp::create(entry, loc, part, field).getResult()
                : field;
    place += run;
  }
  return part;
}

Value ThreadBuilder::getCoordinate(Location loc, const ThreadLayout &layout,
                                   unsigned dim, int64_t number) {
  Value offset = constantIndex(loc, layout.getOffset(dim, number));
  Value part = getThreadPart(layout, dim);
  return part ? arith::AddIOp::create(*this, loc, part, offset).getResult()
              : offset;
}

Value ThreadBuilder::getCoordinates(Location loc, const ThreadLayout &layout,
                                    unsigned dim) {
  SmallVector<int64_t> offsets;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number)
    offsets.push_back(layout.getOffset(dim, number));
  auto type = VectorType::get(int64_t(offsets.size()), getIndexType());
  Value vector = arith::ConstantOp::create(
      *this, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>(offsets)));
  if (Value part = getThreadPart(layout, dim))
    vector = arith::AddIOp::create(*this, loc, vector,
                                   splat(loc, part, int64_t(offsets.size())));
  return vector;
}

Value ThreadBuilder::getCoordinatesWithin(Location loc,
                                          const ThreadLayout &layout,
                                          unsigned dim, int64_t extent) {
  Value vector = getCoordinates(loc, layout, dim);
  if (extent == layout.getPaddedSize(dim))
    return vector;
  Value last =
      splat(loc, constantIndex(loc, extent - 1), layout.getNumRegisters());
  return arith::MinUIOp::create(*this, loc, vector, last);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Value ThreadBuilder::splat(Location loc, Value scalar, int64_t size) {
  return vector::BroadcastOp::create(
      *this, loc, VectorType::get(size, scalar.getType()), scalar);
}

Value ThreadBuilder::take(Location loc, Value vector,
                          ArrayRef<int64_t> registers) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  if (llvm::equal(registers, llvm::seq<int64_t>(0, size)))
    return vector;
  return vector::ShuffleOp::create(*this, loc, vector, vector, registers);
}

Value ThreadBuilder::expand(Location loc, Value vector,
                            const ThreadLayout &full, ArrayRef<unsigned> kept) {
  SmallVector<int64_t> registers;
  for (int64_t number = 0; number < full.getNumRegisters(); ++number)
    registers.push_back(full.projectRegister(kept, number));
  return take(loc, vector, registers);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether an offset is a multiple of `size`: a constant, or the counter of a
/// loop.
static bool isMultiple(OpFoldResult offset, int64_t size) {
  if (std::optional<int64_t> constant = getConstantIntValue(offset))
    return *constant % size == 0;
  auto counter = dyn_cast<BlockArgument>(cast<Value>(offset));
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp())
                      : scf::ForOp();
  return loop && counter == loop.getInductionVar() &&
         isMultiple(OpFoldResult(loop.getLowerBound()), size) &&
         isMultiple(OpFoldResult(loop.getStep()), size);
}

/// Whether buffers begin, and step in all but the last dimension, at multiples
/// of `size` elements. Whole buffers begin at multiples of 16 bytes.
static bool isAligned(Value buffer, int64_t size) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (strides.empty() || strides.back() != 1)
    return false;
  for (int64_t stride : ArrayRef<int64_t>(strides).drop_back())
    if (ShapedType::isDynamic(stride) || stride % size != 0)
      return false;
  if (auto view = buffer.getDefiningOp<memref::SubViewOp>()) {
    bool isWhole = isMultiple(view.getMixedOffsets().back(), size);
    llvm::SmallBitVector dropped = view.getDroppedDims();
    // A dropped last dimension is a step of one element.
    return isWhole && !dropped.test(dropped.size() - 1) &&
           isAligned(view.getSource(), size);
  }
  if (Operation *op = buffer.getDefiningOp();
      isa_and_present<memref::CastOp, memref::CollapseShapeOp,
                      memref::ExpandShapeOp>(op))
    return isAligned(op->getOperand(0), size);
  return isa<BlockArgument>(buffer) ||
         isa_and_present<memref::ViewOp, memref::GetGlobalOp>(
             buffer.getDefiningOp());
}

int64_t ThreadBuilder::getAccessSize(Value buffer, const ThreadLayout &layout,
                                     ArrayRef<BufferIndex> indices) {
  auto type = cast<MemRefType>(buffer.getType());
  if (indices.empty() || !type.getElementType().isIntOrFloat())
    return 1;
  const BufferIndex &last = indices.back();
  unsigned bits = type.getElementTypeBitWidth();
  if (!last.dim || last.limit || bits < 8)
    return 1;
  constexpr int64_t mostBits = 128;
  int64_t size = std::min(layout.getVectorSize(*last.dim), mostBits / bits);
  while (size > 1 &&
         (type.getShape().back() % size != 0 || !isAligned(buffer, size)))
    size /= 2;
  return size;
}

/// `index`, or where the last `size` elements that are there begin.
static Value clamp(OpBuilder &b, Location loc, Value index, Value limit,
                   int64_t size) {
  Value taken = arith::ConstantIndexOp::create(b, loc, size);
  Value last = arith::SubIOp::create(b, loc, limit, taken);
  return arith::MinUIOp::create(b, loc, index, last);
}

Value ThreadBuilder::load(Location loc, Value buffer,
                          const ThreadLayout &layout,
                          ArrayRef<BufferIndex> indices, Value otherwise) {
  // A transposed buffer is read as it lies.
  if (auto transposed = buffer.getDefiningOp<memref::TransposeOp>()) {
    SmallVector<BufferIndex> straight(indices);
    for (auto [k, index] : llvm::enumerate(indices))
      straight[transposed.getPermutation().getDimPosition(k)] = index;
    return load(loc, transposed.getIn(), layout, straight, otherwise);
  }
  auto type = cast<MemRefType>(buffer.getType());
  Type element = type.getElementType();
  int64_t size = getAccessSize(buffer, layout, indices);
  int64_t total = layout.getNumRegisters();
  auto vectorType = VectorType::get(total, element);
  SmallVector<Value> parts;
  for (int64_t number = 0; number < total; number += size) {
    SmallVector<Value> position;
    Value isThere;
    for (auto [k, index] : llvm::enumerate(indices)) {
      if (!index.dim) {
        position.push_back(index.fixed);
        continue;
      }
      Value coordinate = getCoordinate(loc, layout, *index.dim, number);
      if (index.limit) {
        Value inside = arith::CmpIOp::create(
            *this, loc, arith::CmpIPredicate::ult, coordinate, index.limit);
        isThere =
            isThere
                ? arith::AndIOp::create(*this, loc, isThere, inside).getResult()
                : inside;
        coordinate = clamp(*this, loc, coordinate, index.limit, 1);
      } else if (int64_t extent = type.getDimSize(k);
                 !ShapedType::isDynamic(extent) &&
                 extent < layout.getPaddedSize(*index.dim)) {
        bool isLast = k + 1 == indices.size();
        coordinate = clamp(*this, loc, coordinate, constantIndex(loc, extent),
                           isLast ? size : 1);
      }
      position.push_back(coordinate);
    }
    Value part;
    if (size == 1) {
      part = memref::LoadOp::create(*this, loc, buffer, position);
    } else {
      auto partType = VectorType::get(size, element);
      llvm::MaybeAlign alignment(size * element.getIntOrFloatBitWidth() / 8);
      part = vector::LoadOp::create(*this, loc, partType, buffer, position,
                                    /*nontemporal=*/false, alignment);
    }
    if (isThere && otherwise) {
      Value rest = size == 1 ? otherwise : splat(loc, otherwise, size);
      part = arith::SelectOp::create(*this, loc, isThere, part, rest);
    }
    parts.push_back(part);
  }
  if (size == 1)
    return vector::FromElementsOp::create(*this, loc, vectorType, parts);
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> elements;
  for (Value part : parts)
    for (int64_t k = 0; k < size; ++k)
      elements.push_back(getRegister(*this, loc, part, k));
  return vector::FromElementsOp::create(*this, loc, vectorType, elements);
}

Value ThreadBuilder::locate(Location loc, MemRefType type,
                            const ThreadLayout &layout,
                            ArrayRef<BufferIndex> indices, int64_t number,
                            SmallVectorImpl<Value> &position) {
  Value condition;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(*this, loc, predicate, lhs, rhs);
    condition =
        condition
            ? arith::AndIOp::create(*this, loc, condition, holds).getResult()
            : holds;
  };
  // Replicas store once.
  if (unsigned replicas = unsigned(threads - 1) & ~layout.getThreadMask()) {
    Value bits =
        arith::AndIOp::create(*this, loc, thread, constantIndex(loc, replicas));
    require(arith::CmpIPredicate::eq, bits, constantIndex(loc, 0));
  }
  for (auto [k, index] : llvm::enumerate(indices)) {
    if (!index.dim) {
      position.push_back(index.fixed);
      continue;
    }
    Value coordinate = getCoordinate(loc, layout, *index.dim, number);
    Value limit = index.limit;
    if (int64_t extent = type.getDimSize(k);
        !limit && !ShapedType::isDynamic(extent) &&
        extent < layout.getPaddedSize(*index.dim))
      limit = constantIndex(loc, extent);
    if (limit)
      require(arith::CmpIPredicate::ult, coordinate, limit);
    position.push_back(coordinate);
  }
  return condition;
}

void ThreadBuilder::store(Location loc, Value vector, Value buffer,
                          const ThreadLayout &layout,
                          ArrayRef<BufferIndex> indices) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t size = getAccessSize(buffer, layout, indices);
  for (int64_t number = 0; number < layout.getNumRegisters(); number += size) {
    OpBuilder::InsertionGuard guard(*this);
    SmallVector<Value> position;
    if (Value condition =
            locate(loc, type, layout, indices, number, position)) {
      auto guarded = scf::IfOp::create(*this, loc, condition);
      setInsertionPointToStart(guarded.thenBlock());
    }
    if (size == 1) {
      memref::StoreOp::create(*this, loc,
                              getRegister(*this, loc, vector, number), buffer,
                              position);
      continue;
    }
    SmallVector<int64_t> registers =
        llvm::to_vector(llvm::seq(number, number + size));
    llvm::MaybeAlign alignment(size * type.getElementTypeBitWidth() / 8);
    vector::StoreOp::create(*this, loc, take(loc, vector, registers), buffer,
                            position, /*nontemporal=*/false, alignment);
  }
}
