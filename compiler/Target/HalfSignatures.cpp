//===- HalfSignatures.cpp - Functions that take bf16 and f16 --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/HalfSignatures.h"
#include "compiler/Target/HalfConversion.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace clique;

static Type *toBits(Type *type) {
  return isHalfFloat(type) ? getHalfBits(type) : type;
}

static FunctionType *toBits(FunctionType *type) {
  return FunctionType::get(
      toBits(type->getReturnType()),
      map_to_vector(type->params(), [](Type *param) { return toBits(param); }),
      type->isVarArg());
}

/// Whether all that calls a function is known, and could be changed.
static bool isOwn(const Function &function) {
  return !function.isDeclaration() && function.hasLocalLinkage() &&
         all_of(function.users(), [&](const User *user) {
           auto *call = dyn_cast<CallInst>(user);
           return call && call->getCalledFunction() == &function &&
                  !call->isMustTailCall() &&
                  !is_contained(call->args(), &function);
         });
}

/// `value` in `type`, which differs in how halves are spelled alone.
static Value *spell(IRBuilder<> &builder, Value *value, Type *type) {
  return value->getType() == type ? value : builder.CreateBitCast(value, type);
}

/// What a type of numbers may say that one of integers may not.
template <typename T>
static void dropAttributes(T &changed, FunctionType *type) {
  AttributeList attributes = changed.getAttributes();
  changed.removeRetAttrs(AttributeFuncs::typeIncompatible(
      type->getReturnType(), attributes.getRetAttrs()));
  for (unsigned k = 0; k < type->getNumParams(); ++k)
    changed.removeParamAttrs(
        k, AttributeFuncs::typeIncompatible(type->getParamType(k),
                                            attributes.getParamAttrs(k)));
}

static void replaceCall(CallInst &call, Function &function) {
  FunctionType *type = function.getFunctionType();
  IRBuilder<> builder(&call);
  SmallVector<Value *> args;
  for (auto [arg, param] : zip_equal(call.args(), type->params()))
    args.push_back(spell(builder, arg, param));
  CallInst *changed = builder.CreateCall(&function, args);
  changed->setCallingConv(call.getCallingConv());
  changed->setAttributes(call.getAttributes());
  changed->setTailCallKind(call.getTailCallKind());
  dropAttributes(*changed, type);
  changed->copyMetadata(call);
  call.replaceAllUsesWith(spell(builder, changed, call.getType()));
  call.eraseFromParent();
}

static void replaceFunction(Function &function) {
  FunctionType *type = toBits(function.getFunctionType());
  Function *changed =
      Function::Create(type, function.getLinkage(), function.getAddressSpace(),
                       "", function.getParent());
  changed->takeName(&function);
  changed->copyAttributesFrom(&function);
  dropAttributes(*changed, type);
  changed->copyMetadata(&function, 0);
  changed->splice(changed->begin(), &function);

  IRBuilder<> builder(&changed->getEntryBlock(),
                      changed->getEntryBlock().begin());
  for (auto [from, to] : zip_equal(function.args(), changed->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(spell(builder, &to, from.getType()));
  }
  for (BasicBlock &block : *changed)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator());
        end && end->getReturnValue()) {
      builder.SetInsertPoint(end);
      end->setOperand(
          0, spell(builder, end->getReturnValue(), type->getReturnType()));
    }
  for (User *user : make_early_inc_range(function.users()))
    replaceCall(*cast<CallInst>(user), *changed);
  function.eraseFromParent();
}

void clique::passHalvesAsBits(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (toBits(function.getFunctionType()) != function.getFunctionType() &&
        isOwn(function))
      replaceFunction(function);
}
