//===- BFloat.cpp - bf16 on processors that do not know it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From bf16 to f32 is a shift, which LLVM emits itself.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/BFloat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The bits of an f32, rounded to 16.
static Value *roundToBFloat(IRBuilder<> &builder, Value *value) {
  Type *words = value->getType()->getWithNewType(builder.getInt32Ty());
  auto constant = [&](uint32_t bits) { return ConstantInt::get(words, bits); };
  Value *bits = builder.CreateBitCast(value, words);
  Value *high = builder.CreateLShr(bits, constant(16));
  // Half a unit of the last place, less one where that is even already.
  Value *isOdd = builder.CreateAnd(high, constant(1));
  Value *half = builder.CreateAdd(isOdd, constant(0x7fff));
  Value *rounded =
      builder.CreateLShr(builder.CreateAdd(bits, half), constant(16));
  Value *quietNaN = builder.CreateOr(high, constant(0x40));
  Value *result = builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                                       quietNaN, rounded);
  Type *shorts = words->getWithNewType(builder.getInt16Ty());
  return builder.CreateBitCast(builder.CreateTrunc(result, shorts),
                               words->getWithNewType(builder.getBFloatTy()));
}

static Type *getFloats(IRBuilder<> &builder, Type *type) {
  return type->getWithNewType(builder.getFloatTy());
}

static bool isBFloat(const Value *value) {
  return value->getType()->getScalarType()->isBFloatTy();
}

/// The value to take the place of `op`, computed in f32; null if `op` needs
/// none.
static Value *computeInFloat(IRBuilder<> &builder, Instruction &op) {
  auto widen = [&](unsigned operand) {
    Value *value = op.getOperand(operand);
    return builder.CreateFPExt(value, getFloats(builder, value->getType()));
  };
  if (auto *compare = dyn_cast<FCmpInst>(&op))
    return isBFloat(op.getOperand(0))
               ? builder.CreateFCmp(compare->getPredicate(), widen(0), widen(1))
               : nullptr;
  if (!isBFloat(&op))
    return nullptr;
  Type *floats = getFloats(builder, op.getType());
  if (isa<FPTruncInst, SIToFPInst, UIToFPInst>(op)) {
    Value *operand = op.getOperand(0);
    if (operand->getType() != floats)
      operand =
          builder.CreateCast(cast<CastInst>(op).getOpcode(), operand, floats);
    return roundToBFloat(builder, operand);
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&op))
    return roundToBFloat(
        builder, builder.CreateBinOp(binary->getOpcode(), widen(0), widen(1)));
  auto *call = dyn_cast<IntrinsicInst>(&op);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return roundToBFloat(builder,
                         builder.CreateBinaryIntrinsic(call->getIntrinsicID(),
                                                       widen(0), widen(1)));
  default:
    return nullptr;
  }
}

void clique::expandBFloat(Module &module) {
  for (Function &function : module)
    for (Instruction &op : make_early_inc_range(instructions(function))) {
      IRBuilder<> builder(&op);
      Value *replacement = computeInFloat(builder, op);
      if (!replacement)
        continue;
      op.replaceAllUsesWith(replacement);
      op.eraseFromParent();
    }
}
