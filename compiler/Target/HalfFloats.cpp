//===- HalfFloats.cpp - bf16 and f16 as integers of 16 bits ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction is replaced by one on integers or on f32. Where an operand
// is not replaced yet, or never is (what crosses the border of a module), a
// bitcast stands between; bitcasts there and back are taken out at the end.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/HalfFloats.h"
#include "compiler/Target/HalfArrays.h"
#include "compiler/Target/HalfConversion.h"
#include "compiler/Target/HalfSignatures.h"
#include "compiler/Target/TargetCpu.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace clique;

static bool isHalf(const Value *value) { return isHalfFloat(value->getType()); }

/// A bitcast between numbers and their bits, one by one.
static bool isGlue(const Instruction &op) {
  if (!isa<BitCastInst>(op))
    return false;
  Type *from = op.getOperand(0)->getType(), *to = op.getType();
  return (isHalfFloat(from) || isHalfFloat(to)) &&
         getHalfBits(from) == getHalfBits(to) &&
         from->getScalarSizeInBits() == to->getScalarSizeInBits();
}

namespace {
/// Finds the value that takes an instruction's place; null if it stays.
class HalfFloatLowering : public InstVisitor<HalfFloatLowering, Value *> {
public:
  HalfFloatLowering(Instruction &op, const HalfConverter &converter)
      : builder(&op), converter(converter) {}

  // NOLINTBEGIN(bugprone-derived-method-shadowing-base-method): how a visitor
  // says what it visits
  Value *visitInstruction(Instruction &) { return nullptr; }
  Value *visitLoadInst(LoadInst &op);
  Value *visitStoreInst(StoreInst &op);
  Value *visitPHINode(PHINode &op);
  Value *visitSelectInst(SelectInst &op);
  Value *visitFreezeInst(FreezeInst &op);
  Value *visitExtractElementInst(ExtractElementInst &op);
  Value *visitInsertElementInst(InsertElementInst &op);
  Value *visitShuffleVectorInst(ShuffleVectorInst &op);
  Value *visitExtractValueInst(ExtractValueInst &op);
  Value *visitCastInst(CastInst &op);
  Value *visitUnaryOperator(UnaryOperator &op);
  Value *visitBinaryOperator(BinaryOperator &op);
  Value *visitFCmpInst(FCmpInst &op);
  Value *visitIntrinsicInst(IntrinsicInst &op);
  // NOLINTEND(bugprone-derived-method-shadowing-base-method)

private:
  Value *bits(Value *value) { return converter.getBits(builder, value); }
  Value *widen(Value *value) { return converter.widen(builder, value); }
  /// As a number again, for users that are not replaced yet.
  Value *glue(Value *bits, Type *half) {
    return builder.CreateBitCast(bits, half);
  }
  Value *narrow(Value *value, Type *half) {
    return glue(converter.narrow(builder, value, half), half);
  }
  Value *copySignOfDouble(IntrinsicInst &op);
  Value *callWith(IntrinsicInst &op, function_ref<Type *(Type *)> getType,
                  function_ref<Value *(Value *)> getOperand);

  IRBuilder<> builder;
  const HalfConverter &converter;
};
} // namespace

//===----------------------------------------------------------------------===//
// What only moves numbers
//===----------------------------------------------------------------------===//

Value *HalfFloatLowering::visitLoadInst(LoadInst &op) {
  if (!isHalf(&op))
    return nullptr;
  LoadInst *load = builder.CreateAlignedLoad(getHalfBits(op.getType()),
                                             op.getPointerOperand(),
                                             op.getAlign(), op.isVolatile());
  load->copyMetadata(op);
  return glue(load, op.getType());
}

Value *HalfFloatLowering::visitStoreInst(StoreInst &op) {
  if (!isHalf(op.getValueOperand()))
    return nullptr;
  StoreInst *store = builder.CreateAlignedStore(bits(op.getValueOperand()),
                                                op.getPointerOperand(),
                                                op.getAlign(), op.isVolatile());
  store->copyMetadata(op);
  return store;
}

Value *HalfFloatLowering::visitPHINode(PHINode &op) {
  if (!isHalf(&op))
    return nullptr;
  PHINode *phi =
      builder.CreatePHI(getHalfBits(op.getType()), op.getNumIncomingValues());
  // A block that comes several times brings the same value each time.
  SmallDenseMap<BasicBlock *, Value *> values;
  for (auto [block, value] : zip_equal(op.blocks(), op.incoming_values())) {
    Value *&incoming = values[block];
    if (!incoming) {
      builder.SetInsertPoint(block->getTerminator());
      incoming = bits(value);
    }
    phi->addIncoming(incoming, block);
  }
  builder.SetInsertPoint(op.getParent()->getFirstInsertionPt());
  return glue(phi, op.getType());
}

Value *HalfFloatLowering::visitSelectInst(SelectInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return glue(builder.CreateSelect(op.getCondition(), bits(op.getTrueValue()),
                                   bits(op.getFalseValue())),
              op.getType());
}

Value *HalfFloatLowering::visitFreezeInst(FreezeInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return glue(builder.CreateFreeze(bits(op.getOperand(0))), op.getType());
}

Value *HalfFloatLowering::visitExtractElementInst(ExtractElementInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return glue(builder.CreateExtractElement(bits(op.getVectorOperand()),
                                           op.getIndexOperand()),
              op.getType());
}

Value *HalfFloatLowering::visitInsertElementInst(InsertElementInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return glue(builder.CreateInsertElement(bits(op.getOperand(0)),
                                          bits(op.getOperand(1)),
                                          op.getOperand(2)),
              op.getType());
}

Value *HalfFloatLowering::visitShuffleVectorInst(ShuffleVectorInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return glue(builder.CreateShuffleVector(bits(op.getOperand(0)),
                                          bits(op.getOperand(1)),
                                          op.getShuffleMask()),
              op.getType());
}

/// Vectors of several dimensions are arrays of vectors, in whose place each
/// part is taken as it was put in: the code generator would convert what it
/// moves.
Value *HalfFloatLowering::visitExtractValueInst(ExtractValueInst &op) {
  if (!isHalf(&op))
    return nullptr;
  return FindInsertedValue(op.getAggregateOperand(), op.getIndices());
}

//===----------------------------------------------------------------------===//
// What computes
//===----------------------------------------------------------------------===//

Value *HalfFloatLowering::visitCastInst(CastInst &op) {
  Value *operand = op.getOperand(0);
  if (isGlue(op) || converter.isNative(op) ||
      (!isHalf(operand) && !isHalf(&op)))
    return nullptr;
  if (isa<BitCastInst>(op)) {
    if (isHalf(operand))
      operand = bits(operand);
    if (!isHalf(&op))
      return builder.CreateBitCast(operand, op.getType());
    return glue(builder.CreateBitCast(operand, getHalfBits(op.getType())),
                op.getType());
  }
  if (isHalf(operand))
    return builder.CreateCast(op.getOpcode(), widen(operand), op.getType());
  if (isa<FPTruncInst>(op))
    return narrow(operand, op.getType());
  // Integers that f32 does not hold go through f64.
  constexpr unsigned exactBits = 24;
  Type *wide = operand->getType()->getScalarSizeInBits() <= exactBits
                   ? builder.getFloatTy()
                   : builder.getDoubleTy();
  wide = operand->getType()->getWithNewType(wide);
  return narrow(builder.CreateCast(op.getOpcode(), operand, wide),
                op.getType());
}

Value *HalfFloatLowering::visitUnaryOperator(UnaryOperator &op) {
  if (!isHalf(&op))
    return nullptr;
  constexpr uint16_t sign = 0x8000;
  Value *number = bits(op.getOperand(0));
  return glue(
      builder.CreateXor(number, ConstantInt::get(number->getType(), sign)),
      op.getType());
}

Value *HalfFloatLowering::visitBinaryOperator(BinaryOperator &op) {
  if (!isHalf(&op))
    return nullptr;
  return narrow(builder.CreateBinOpFMF(op.getOpcode(), widen(op.getOperand(0)),
                                       widen(op.getOperand(1)), &op),
                op.getType());
}

Value *HalfFloatLowering::visitFCmpInst(FCmpInst &op) {
  if (!isHalf(op.getOperand(0)))
    return nullptr;
  return builder.CreateFCmpFMF(op.getPredicate(), widen(op.getOperand(0)),
                               widen(op.getOperand(1)), &op);
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// Calls the intrinsic for other types.
Value *HalfFloatLowering::callWith(IntrinsicInst &op,
                                   function_ref<Type *(Type *)> getType,
                                   function_ref<Value *(Value *)> getOperand) {
  SmallVector<Type *> types;
  if (!Intrinsic::getIntrinsicSignature(op.getCalledFunction(), types))
    return nullptr;
  for (Type *&type : types)
    if (isHalfFloat(type))
      type = getType(type);
  SmallVector<Value *> operands;
  for (Value *operand : op.args())
    operands.push_back(isHalf(operand) ? getOperand(operand) : operand);
  auto *call = builder.CreateIntrinsic(op.getIntrinsicID(), types, operands);
  call->setAttributes(op.getAttributes());
  if (isa<FPMathOperator>(call) && isa<FPMathOperator>(op))
    call->copyFastMathFlags(&op);
  return call;
}

/// Of a copysign whose sign is that of a rounded number of f64 LLVM's code
/// generator takes the sign before it is rounded; where the result then becomes
/// half precision it rounds the f64 to that as well, by a function that
/// libraries lack. The upper half of an f64 has the same sign.
Value *HalfFloatLowering::copySignOfDouble(IntrinsicInst &op) {
  auto *rounded = dyn_cast<FPTruncInst>(op.getArgOperand(1));
  if (!rounded || !rounded->getSrcTy()->getScalarType()->isDoubleTy() ||
      !op.getType()->getScalarType()->isFloatTy())
    return nullptr;
  Type *floats = op.getType();
  Value *wide = builder.CreateBitCast(
      rounded->getOperand(0), floats->getWithNewType(builder.getInt64Ty()));
  constexpr uint64_t half = 32;
  Value *upper =
      builder.CreateTrunc(builder.CreateLShr(wide, half),
                          floats->getWithNewType(builder.getInt32Ty()));
  return builder.CreateCopySign(op.getArgOperand(0),
                                builder.CreateBitCast(upper, floats), &op);
}

/// Instructions on bf16 itself.
static bool isNative(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::x86_avx512bf16_dpbf16ps_512:
  case Intrinsic::x86_avx512bf16_cvtneps2bf16_512:
    return true;
  default:
    return false;
  }
}

/// Intrinsics that move numbers and do not compute.
static bool moves(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  case Intrinsic::vector_insert:
  case Intrinsic::vector_extract:
  case Intrinsic::vector_reverse:
  case Intrinsic::vector_interleave2:
  case Intrinsic::vector_deinterleave2:
    return true;
  default:
    return false;
  }
}

Value *HalfFloatLowering::visitIntrinsicInst(IntrinsicInst &op) {
  if (op.getIntrinsicID() == Intrinsic::copysign && !isHalf(&op))
    return copySignOfDouble(op);
  if (!isHalf(&op) &&
      none_of(op.args(), [](Value *arg) { return isHalf(arg); }))
    return nullptr;
  if (isNative(op.getIntrinsicID()))
    return nullptr;
  if (moves(op.getIntrinsicID())) {
    Value *call = callWith(op, getHalfBits, [&](Value *v) { return bits(v); });
    return call && isHalf(&op) ? glue(call, op.getType()) : call;
  }
  // A class of numbers is not that of the wider ones.
  if (op.getIntrinsicID() == Intrinsic::is_fpclass)
    return nullptr;
  Value *call =
      callWith(op, getFloatOfHalf, [&](Value *v) { return widen(v); });
  return call && isHalf(&op) ? narrow(call, op.getType()) : call;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Takes out bitcasts there and back, and those that nobody uses.
static void dropGlue(Function &function) {
  SmallVector<Instruction *> all;
  for (Instruction &op : instructions(function))
    if (isGlue(op))
      all.push_back(&op);
  for (Instruction *op : all) {
    auto *inner = op;
    while ((inner = dyn_cast<Instruction>(inner->getOperand(0))) &&
           isGlue(*inner))
      if (inner->getOperand(0)->getType() == op->getType())
        op->replaceAllUsesWith(inner->getOperand(0));
  }
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Instruction *&op : all)
      if (op && op->use_empty()) {
        op->eraseFromParent();
        op = nullptr;
        isDone = false;
      }
  }
}

/// The processor that a function is for, as ObjectEmitter::annotate() says.
static const TargetCpu &findCpu(const Function &function,
                                ArrayRef<TargetCpu> cpus) {
  StringRef name = function.getFnAttribute("target-cpu").getValueAsString();
  const auto *cpu =
      find_if(cpus, [&](const TargetCpu &known) { return known.name == name; });
  return cpu == cpus.end() ? cpus.back() : *cpu;
}

void clique::lowerHalfFloats(Module &module, ArrayRef<TargetCpu> cpus) {
  passHalvesAsBits(module);
  for (Function &function : module) {
    HalfConverter converter(findCpu(function, cpus));
    splitHalfArrays(function);
    for (Instruction &op : make_early_inc_range(instructions(function))) {
      Value *replacement = HalfFloatLowering(op, converter).visit(op);
      if (!replacement)
        continue;
      if (!op.getType()->isVoidTy())
        op.replaceAllUsesWith(replacement);
      op.eraseFromParent();
    }
    dropArrays(function);
    dropGlue(function);
  }
}
