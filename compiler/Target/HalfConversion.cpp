//===- HalfConversion.cpp - From and to numbers of 16 bits ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of the processor, or integer arithmetic on the bits of f32: 1
// bit of sign, 8 of exponent, 23 of fraction. bf16 is its upper half; f16 has
// 5 bits of exponent and 10 of fraction.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/HalfConversion.h"
#include "compiler/Target/TargetCpu.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace clique;

bool clique::isHalfFloat(const Type *type) {
  const Type *element = type->getScalarType();
  return element->isBFloatTy() || element->isHalfTy();
}

Type *clique::getHalfBits(Type *half) {
  return half->getWithNewType(Type::getInt16Ty(half->getContext()));
}

Type *clique::getFloatOfHalf(Type *half) {
  return half->getWithNewType(Type::getFloatTy(half->getContext()));
}

static Value *constantLike(Value *words, uint32_t bits) {
  return ConstantInt::get(words->getType(), bits);
}

static Value *asWords(IRBuilder<> &builder, Value *value) {
  return builder.CreateBitCast(
      value, value->getType()->getWithNewType(builder.getInt32Ty()));
}

static Value *asFloats(IRBuilder<> &builder, Value *words) {
  return builder.CreateBitCast(
      words, words->getType()->getWithNewType(builder.getFloatTy()));
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

static Value *widenBFloat(IRBuilder<> &builder, Value *bits) {
  Value *words = builder.CreateZExt(
      bits, bits->getType()->getWithNewType(builder.getInt32Ty()));
  return asFloats(builder, builder.CreateShl(words, constantLike(words, 16)));
}

static Value *narrowToBFloat(IRBuilder<> &builder, Value *value) {
  Value *words = asWords(builder, value);
  auto constant = [&](uint32_t bits) { return constantLike(words, bits); };
  Value *high = builder.CreateLShr(words, constant(16));
  // Half a unit of the last place, less one where that is even already.
  Value *isOdd = builder.CreateAnd(high, constant(1));
  Value *half = builder.CreateAdd(isOdd, constant(0x7fff));
  Value *rounded =
      builder.CreateLShr(builder.CreateAdd(words, half), constant(16));
  Value *quietNaN = builder.CreateOr(high, constant(0x40));
  Value *result = builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                                       quietNaN, rounded);
  return builder.CreateTrunc(
      result, words->getType()->getWithNewType(builder.getInt16Ty()));
}

//===----------------------------------------------------------------------===//
// f16
//===----------------------------------------------------------------------===//

/// The fraction at its place gives 2^-112 times the number, numbers below the
/// normal ones included; infinity and NaN get the exponent of f32's.
static Value *widenHalf(IRBuilder<> &builder, Value *bits) {
  Value *words = builder.CreateZExt(
      bits, bits->getType()->getWithNewType(builder.getInt32Ty()));
  auto constant = [&](uint32_t number) { return constantLike(words, number); };
  Value *size = builder.CreateShl(builder.CreateAnd(words, constant(0x7fff)),
                                  constant(13));
  Value *scaled = builder.CreateFMul(
      asFloats(builder, size),
      ConstantFP::get(asFloats(builder, size)->getType(), 0x1p112));
  Value *special = builder.CreateOr(size, constant(0x7f800000));
  Value *isSpecial = builder.CreateICmpUGE(size, constant(0x7c00 << 13));
  Value *number =
      builder.CreateSelect(isSpecial, special, asWords(builder, scaled));
  Value *sign = builder.CreateShl(builder.CreateAnd(words, constant(0x8000)),
                                  constant(16));
  return asFloats(builder, builder.CreateOr(number, sign));
}

static Value *narrowToHalf(IRBuilder<> &builder, Value *value) {
  Value *words = asWords(builder, value);
  auto constant = [&](uint32_t bits) { return constantLike(words, bits); };
  Value *size = builder.CreateAnd(words, constant(0x7fffffff));
  // Normal numbers: the exponent's bias is 112 less, and the last 13 bits are
  // rounded away.
  Value *isOdd =
      builder.CreateAnd(builder.CreateLShr(size, constant(13)), constant(1));
  constexpr uint32_t bias = uint32_t(-112) << 23;
  Value *normal = builder.CreateLShr(
      builder.CreateAdd(builder.CreateAdd(size, constant(bias + 0xfff)), isOdd),
      constant(13));
  // Below them: a sum with 0.5, whose last place is f16's, rounds.
  Value *half = constant(0x3f000000);
  Value *sum =
      builder.CreateFAdd(asFloats(builder, size), asFloats(builder, half));
  Value *tiny = builder.CreateSub(asWords(builder, sum), half);
  Value *isTiny = builder.CreateICmpULT(size, constant(113u << 23));
  Value *finite = builder.CreateSelect(isTiny, tiny, normal);
  // Infinity from 65536 on; what is rounded up to that is so already.
  Value *isNaN = builder.CreateICmpUGT(size, constant(0x7f800000));
  Value *special =
      builder.CreateSelect(isNaN, constant(0x7e00), constant(0x7c00));
  Value *isSpecial = builder.CreateICmpUGE(size, constant(143u << 23));
  Value *number = builder.CreateSelect(isSpecial, special, finite);
  Value *sign = builder.CreateAnd(builder.CreateLShr(words, constant(16)),
                                  constant(0x8000));
  return builder.CreateTrunc(
      builder.CreateOr(number, sign),
      words->getType()->getWithNewType(builder.getInt16Ty()));
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

/// The f32 next to a number of f64 that it is not equal to, of which the last
/// bit is 1: rounded again, to fewer bits, it gives what rounding once gives.
/// (Boldo and Melquiond, "When double rounding is odd", 2005.)
static Value *roundToOdd(IRBuilder<> &builder, Value *value) {
  Type *doubles = value->getType();
  Value *nearest = builder.CreateFPTrunc(
      value, doubles->getWithNewType(builder.getFloatTy()));
  Value *back = builder.CreateFPExt(nearest, doubles);
  Value *words = asWords(builder, nearest);
  auto absolute = [&](Value *number) {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  };
  Value *isAbove = builder.CreateFCmpOGT(absolute(back), absolute(value));
  Value *below = builder.CreateSelect(
      isAbove, builder.CreateSub(words, constantLike(words, 1)), words);
  Value *odd = builder.CreateOr(below, constantLike(words, 1));
  Value *isInexact = builder.CreateFCmpONE(back, value);
  return asFloats(builder, builder.CreateSelect(isInexact, odd, words));
}

//===----------------------------------------------------------------------===//
// Instructions of the processor
//===----------------------------------------------------------------------===//

/// The narrowest vectors that are converted; shorter ones are filled up.
static constexpr unsigned kLeastLanes = 8;

HalfConverter::HalfConverter(const TargetCpu &cpu) {
  auto has = [&](StringRef feature) {
    return is_contained(split(cpu.required, ','), feature);
  };
  hasF16C = has("f16c");
  hasBFloat = has("avx512bf16") && has("avx512vl");
  lanes = has("avx512f") ? 2 * kLeastLanes : kLeastLanes;
}

bool HalfConverter::hasConversion(unsigned opcode, const Type *half) const {
  if (half->getScalarType()->isHalfTy())
    return hasF16C;
  return hasBFloat && opcode == Instruction::FPTrunc;
}

bool HalfConverter::isNative(const CastInst &op) const {
  const Type *from = op.getSrcTy(), *to = op.getDestTy();
  bool isTrunc = isa<FPTruncInst>(op);
  if (!isTrunc && !isa<FPExtInst>(op))
    return false;
  const Type *half = isTrunc ? to : from, *wide = isTrunc ? from : to;
  if (!wide->getScalarType()->isFloatTy() ||
      !hasConversion(op.getOpcode(), half))
    return false;
  auto *vector = dyn_cast<FixedVectorType>(half);
  if (!vector)
    return isTrunc;
  return vector->getNumElements() == kLeastLanes ||
         vector->getNumElements() == lanes;
}

/// Elements `offset` to `offset + count` of a vector; beyond its end, poison.
static Value *take(IRBuilder<> &builder, Value *vector, unsigned offset,
                   unsigned count) {
  const unsigned end =
      cast<FixedVectorType>(vector->getType())->getNumElements();
  if (offset == 0 && count == end)
    return vector;
  SmallVector<int> mask;
  for (unsigned k = offset; k < offset + count; ++k)
    mask.push_back(k < end ? int(k) : PoisonMaskElem);
  return builder.CreateShuffleVector(vector, mask);
}

/// Converts numbers one by one, or in vectors of what an instruction takes.
Value *HalfConverter::convertNatively(IRBuilder<> &builder, Value *value,
                                      Convert convert) const {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type)
    return convert(value);
  const unsigned size = type->getNumElements();
  SmallVector<Value *> chunks;
  for (unsigned offset = 0; offset < size; offset += lanes) {
    unsigned count = size - offset <= kLeastLanes ? kLeastLanes : lanes;
    chunks.push_back(convert(take(builder, value, offset, count)));
  }
  return take(builder, concatenateVectors(builder, chunks), 0, size);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

Value *HalfConverter::getBits(IRBuilder<> &builder, Value *half) const {
  return builder.CreateBitCast(half, getHalfBits(half->getType()));
}

Value *HalfConverter::widen(IRBuilder<> &builder, Value *half) const {
  Type *element = half->getType()->getScalarType();
  Value *bits = getBits(builder, half);
  if (!hasConversion(Instruction::FPExt, element))
    return element->isBFloatTy() ? widenBFloat(builder, bits)
                                 : widenHalf(builder, bits);
  auto convert = [&](Value *chunk) {
    Type *type = chunk->getType();
    return builder.CreateFPExt(
        builder.CreateBitCast(chunk, type->getWithNewType(element)),
        getFloatOfHalf(type));
  };
  if (bits->getType()->isVectorTy())
    return convertNatively(builder, bits, convert);
  // One by itself would be inserted into whatever register, an accumulator
  // perhaps, and wait for it.
  auto *vector = FixedVectorType::get(bits->getType(), kLeastLanes);
  Value *padded = builder.CreateInsertElement(
      ConstantAggregateZero::get(vector), bits, uint64_t(0));
  return builder.CreateExtractElement(convert(padded), uint64_t(0));
}

Value *HalfConverter::narrow(IRBuilder<> &builder, Value *value,
                             Type *half) const {
  if (value->getType()->getScalarType()->isDoubleTy())
    value = roundToOdd(builder, value);
  Type *element = half->getScalarType();
  if (!hasConversion(Instruction::FPTrunc, element))
    return element->isBFloatTy() ? narrowToBFloat(builder, value)
                                 : narrowToHalf(builder, value);
  return convertNatively(builder, value, [&](Value *chunk) {
    return getBits(builder,
                   builder.CreateFPTrunc(
                       chunk, chunk->getType()->getWithNewType(element)));
  });
}
