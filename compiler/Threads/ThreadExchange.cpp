//===- ThreadExchange.cpp - What the threads of a group do together -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory, changes of layout, reductions across threads.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Threads/ThreadBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static int64_t getSharedBytes(ArrayRef<int64_t> shape, Type elementType) {
  return llvm::alignTo(getBytes(RankedTensorType::get(shape, elementType)),
                       kSharedAlignment);
}

static Attribute getSharedSpace(MLIRContext *context) {
  return gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
}

void ThreadBuilder::synchronise(Location loc) {
  if (isInWarp())
    NVVM::SyncWarpOp::create(*this, loc, lanes);
  else
    gpu::BarrierOp::create(*this, loc);
}

void ThreadBuilder::fenceForWarpgroups(Location loc) {
  NVVM::FenceProxyOp::create(
      *this, loc,
      NVVM::ProxyKindAttr::get(getContext(), NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(getContext(), NVVM::SharedSpace::shared_cta));
}

Value ThreadBuilder::getShared(Location loc, Value offset, MemRefType type) {
  auto bytes = MemRefType::get(ShapedType::kDynamic, getI8Type(), AffineMap(),
                               getSharedSpace(getContext()));
  // At the function's start: one view for all that is done with a buffer.
  Value whole = gpu::DynamicSharedMemoryOp::create(entry, loc, bytes);
  Value shift = arith::AddIOp::create(entry, loc, sharedBase, offset);
  return memref::ViewOp::create(entry, loc, type, whole, shift, ValueRange());
}

Value ThreadBuilder::allocateShared(Location loc, MemRefType type, bool padded,
                                    int64_t alignment) {
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  if (padded)
    shape.back() += kSharedAlignment * 8 / getBits(element);
  allocated = int64_t(llvm::alignTo(allocated, alignment));
  Value offset = arith::ConstantIndexOp::create(entry, loc, allocated);
  allocated += getSharedBytes(shape, element);
  mostAllocated = std::max(mostAllocated, allocated);
  mostInLoop = std::max(mostInLoop, allocated);
  Value buffer = getShared(loc, offset,
                           MemRefType::get(shape, element, AffineMap(),
                                           getSharedSpace(getContext())));
  if (!padded)
    return buffer;
  SmallVector<OpFoldResult> offsets(shape.size(), getIndexAttr(0)),
      strides(shape.size(), getIndexAttr(1)), sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(getIndexAttr(size));
  return memref::SubViewOp::create(entry, loc, buffer, offsets, sizes, strides);
}

Value ThreadBuilder::getScratch(Location loc, ArrayRef<int64_t> shape,
                                Type elementType) {
  scratchBytes = std::max(scratchBytes, getSharedBytes(shape, elementType));
  return getShared(loc, scratchOffset,
                   MemRefType::get(shape, elementType, AffineMap(),
                                   getSharedSpace(getContext())));
}

int64_t ThreadBuilder::finish() {
  auto set = [](arith::ConstantIndexOp op, int64_t value) {
    op->setAttr("value", IntegerAttr::get(op.getType(), value));
  };
  set(scratchOffset, mostAllocated);
  set(groupBytes, mostAllocated + scratchBytes);
  return mostAllocated + scratchBytes;
}

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

Value ThreadBuilder::convert(Location loc, Value vector,
                             const ThreadLayout &from, const ThreadLayout &to,
                             ArrayRef<int64_t> shape) {
  if (from == to)
    return vector;
  Type element = cast<VectorType>(vector.getType()).getElementType();
  Value buffer = getScratch(loc, shape, element);
  SmallVector<BufferIndex> all = getAllDims(shape.size());
  synchronise(loc);
  store(loc, vector, buffer, from, all);
  synchronise(loc);
  return load(loc, buffer, to, all);
}

/// The type in which a number is shuffled between lanes.
static Type getShuffleType(Type type) {
  MLIRContext *context = type.getContext();
  if (type.isF32() || type.isF64() || type.isInteger(32) || type.isInteger(64))
    return type;
  if (type.isIndex())
    return IntegerType::get(context, 64);
  return IntegerType::get(context, 32);
}

static Value toShuffleType(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), wanted = getShuffleType(type);
  if (type == wanted)
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, wanted, value);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(b, loc, b.getI16Type(), value);
  return arith::ExtUIOp::create(b, loc, wanted, value);
}

static Value fromShuffleType(OpBuilder &b, Location loc, Value value,
                             Type type) {
  if (value.getType() == type)
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  value = arith::TruncIOp::create(b, loc, integer, value);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b, loc, type, value).getResult()
             : value;
}

Value ThreadBuilder::shuffleNumber(Location loc, Value own,
                                   gpu::ShuffleMode mode, Value lane) {
  if (threads >= kLanesPerWarp) {
    Value width = arith::ConstantIntOp::create(*this, loc, kLanesPerWarp, 32);
    return gpu::ShuffleOp::create(*this, loc, own, lane, width, mode)
        .getShuffleResult();
  }
  // Not gpu.shuffle, which is lowered to one of the first lanes of the warp.
  auto kind = mode == gpu::ShuffleMode::XOR ? NVVM::ShflKind::bfly
                                            : NVVM::ShflKind::idx;
  // PTX ISA, shfl.sync: the bits of a lane's number that it shares with those
  // it reads from, and the last lane that they may be.
  int64_t segment = (kLanesPerWarp - threads) << 8 | (kLanesPerWarp - 1);
  Value segments = arith::ConstantIntOp::create(*this, loc, segment, 32);
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(*this, loc, word.getType(), lanes, word, lane,
                                segments, kind, UnitAttr());
  };
  Type type = own.getType();
  if (type.getIntOrFloatBitWidth() == 32)
    return exchange(own);
  auto wordsType = VectorType::get(2, getI32Type());
  Value words =
      vector::BitCastOp::create(*this, loc, wordsType, splat(loc, own, 1));
  SmallVector<Value> others;
  for (int64_t k = 0; k < 2; ++k)
    others.push_back(exchange(getRegister(*this, loc, words, k)));
  words = vector::FromElementsOp::create(*this, loc, wordsType, others);
  return getRegister(
      *this, loc,
      vector::BitCastOp::create(*this, loc, VectorType::get(1, type), words),
      0);
}

Value ThreadBuilder::shuffle(Location loc, Value vector, gpu::ShuffleMode mode,
                             Value lane) {
  auto type = cast<VectorType>(vector.getType());
  SmallVector<Value> elements;
  for (int64_t number = 0; number < type.getNumElements(); ++number) {
    Value own =
        toShuffleType(*this, loc, getRegister(*this, loc, vector, number));
    Value other = shuffleNumber(loc, own, mode, lane);
    elements.push_back(
        fromShuffleType(*this, loc, other, type.getElementType()));
  }
  return vector::FromElementsOp::create(*this, loc, type, elements);
}

Value ThreadBuilder::exchange(Location loc, Value vector, int bit) {
  return shuffle(loc, vector, gpu::ShuffleMode::XOR,
                 arith::ConstantIntOp::create(*this, loc, 1 << bit, 32));
}

Value ThreadBuilder::selectAlong(Location loc, Value vector,
                                 const ThreadLayout &layout, unsigned dim,
                                 Value index) {
  auto getBit = [&](unsigned place) -> Value {
    Value rest =
        arith::ShRUIOp::create(*this, loc, index, constantIndex(loc, place));
    return arith::AndIOp::create(*this, loc, rest, constantIndex(loc, 1));
  };
  // Register bits from the highest on, so that the lower ones keep theirs.
  SmallVector<std::pair<int, unsigned>> registers;
  unsigned others = kLanesPerWarp - 1;
  for (auto [place, bit] : llvm::enumerate(layout.getBits(dim))) {
    if (bit.isThread)
      others &= ~(1u << bit.number);
    else
      registers.push_back({bit.number, unsigned(place)});
  }
  llvm::sort(registers, std::greater<>());
  for (auto [bit, place] : registers) {
    auto [low, high] = splitRegisters(loc, vector, bit);
    Value isHigh = arith::CmpIOp::create(*this, loc, arith::CmpIPredicate::ne,
                                         getBit(place), constantIndex(loc, 0));
    vector = arith::SelectOp::create(*this, loc, isHigh, high, low);
  }
  if (others == kLanesPerWarp - 1)
    return vector;
  Value lane =
      arith::AndIOp::create(*this, loc, thread, constantIndex(loc, others));
  for (auto [place, bit] : llvm::enumerate(layout.getBits(dim))) {
    if (!bit.isThread)
      continue;
    Value part = arith::ShLIOp::create(*this, loc, getBit(place),
                                       constantIndex(loc, bit.number));
    lane = arith::OrIOp::create(*this, loc, lane, part);
  }
  return shuffle(loc, vector, gpu::ShuffleMode::IDX,
                 arith::IndexCastOp::create(*this, loc, getI32Type(), lane));
}

Value ThreadBuilder::exchangeWarps(Location loc, Value vector, unsigned mask,
                                   Combine combine) {
  auto type = cast<VectorType>(vector.getType());
  int64_t size = type.getNumElements();
  Value buffer = getScratch(loc, {size, threads}, type.getElementType());
  auto position = [&](int64_t number, Value thread) {
    return SmallVector<Value>{constantIndex(loc, number), thread};
  };
  synchronise(loc);
  for (int64_t number = 0; number < size; ++number)
    memref::StoreOp::create(*this, loc, getRegister(*this, loc, vector, number),
                            buffer, position(number, thread));
  synchronise(loc);
  Value rest = arith::AndIOp::create(*this, loc, thread,
                                     constantIndex(loc, ~int64_t(mask)));
  // In the same order in every thread.
  Value combined;
  unsigned part = 0;
  do {
    Value other =
        arith::OrIOp::create(*this, loc, rest, constantIndex(loc, part));
    SmallVector<Value> elements;
    for (int64_t number = 0; number < size; ++number)
      elements.push_back(
          memref::LoadOp::create(*this, loc, buffer, position(number, other)));
    Value loaded = vector::FromElementsOp::create(*this, loc, type, elements);
    combined = combined ? combine(combined, loaded) : loaded;
    part = (part - mask) & mask;
  } while (part != 0);
  return combined;
}

Value ThreadBuilder::combineThreads(Location loc, Value vector, unsigned mask,
                                    Combine combine) {
  for (int bit = 0; int64_t(1) << bit < kLanesPerWarp; ++bit)
    if (mask >> bit & 1)
      vector = combine(vector, exchange(loc, vector, bit));
  if (unsigned warps = mask & ~unsigned(kLanesPerWarp - 1))
    vector = exchangeWarps(loc, vector, warps, combine);
  return vector;
}

std::pair<Value, Value> ThreadBuilder::splitRegisters(Location loc,
                                                      Value vector, int bit) {
  SmallVector<int64_t> low, high;
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t number = 0; number < size; ++number)
    (number >> bit & 1 ? high : low).push_back(number);
  return {take(loc, vector, low), take(loc, vector, high)};
}

Value ThreadBuilder::combineRegisters(Location loc, Value vector,
                                      ArrayRef<int> bits, Combine combine) {
  // From the highest bit on, so that the lower ones keep their places.
  SmallVector<int> descending(bits);
  llvm::sort(descending, std::greater<>());
  for (int bit : descending) {
    auto [low, high] = splitRegisters(loc, vector, bit);
    vector = combine(low, high);
  }
  return vector;
}
