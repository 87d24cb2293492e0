//===- EntryFunction.cpp - From packed arguments to a function ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of a variant. MLIR's C interface of a function takes first, if
// there is a memref among the results or more than one, a pointer to the struct
// of the results, then a pointer to each memref's descriptor, and scalars and
// graphs as they are.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/FunctionNames.h"
#include "compiler/Target/LayerDescriptor.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace clique;

namespace {
class EntryBuilder {
public:
  EntryBuilder(Module &module, const LayerSignature &signature,
               StringRef suffix, bool isForDevice)
      : signature(signature), module(module), builder(module.getContext()),
        suffix(suffix), isForDevice(isForDevice) {}

  Error build();

private:
  bool isScalar(const LayerArgument &arg) const {
    return arg.kind == CLIQUE_ARG_SCALAR;
  }
  Type *getScalarType(const LayerArgument &arg);
  /// The type that stands for a result in the struct of results.
  Type *getResultType(const LayerArgument &result);
  /// The only result is a scalar and returned as such.
  bool returnsScalar() const {
    return signature.results.size() == 1 && isScalar(signature.results[0]);
  }
  Error checkInterface(const Function *callee) const;
  /// The pointer args[k].
  Value *loadPointer(unsigned k);
  Value *loadScalar(const LayerArgument &arg, Value *memory);
  void storeNumber(Value *value, Value *memory, Value *bytes);
  void storeResult(unsigned k, Value *value);
  void returnIfFailed();

  const LayerSignature &signature;
  Module &module;
  IRBuilder<> builder;
  StringRef suffix;
  bool isForDevice;
  Value *packed = nullptr;
};
} // namespace

/// A truth value is one bit in registers and a byte in memory.
static bool isBool(const LayerArgument &arg) {
  return arg.dtype.code == CLIQUE_DL_BOOL;
}

Value *EntryBuilder::loadScalar(const LayerArgument &arg, Value *memory) {
  if (!isBool(arg))
    return builder.CreateLoad(getScalarType(arg), memory);
  return builder.CreateIsNotNull(
      builder.CreateLoad(builder.getInt8Ty(), memory));
}

Type *EntryBuilder::getScalarType(const LayerArgument &arg) {
  LLVMContext &context = module.getContext();
  if (arg.dtype.code == kDLBfloat)
    return Type::getBFloatTy(context);
  if (isBool(arg))
    return Type::getInt1Ty(context);
  if (arg.dtype.code == kDLInt)
    return IntegerType::get(context, arg.dtype.bits);
  return arg.dtype.bits == 16   ? Type::getHalfTy(context)
         : arg.dtype.bits == 32 ? Type::getFloatTy(context)
                                : Type::getDoubleTy(context);
}

Type *EntryBuilder::getResultType(const LayerArgument &result) {
  if (isScalar(result))
    return getScalarType(result);
  Type *pointer = builder.getPtrTy();
  Type *word = builder.getInt64Ty();
  SmallVector<Type *> fields = {pointer, pointer, word};
  if (unsigned rank = result.shape.size())
    fields.append(2, ArrayType::get(word, rank));
  return StructType::get(module.getContext(), fields);
}

Error EntryBuilder::checkInterface(const Function *callee) const {
  bool hasStruct = !signature.results.empty() && !returnsScalar();
  if (callee && !callee->isDeclaration() &&
      callee->arg_size() == signature.args.size() + hasStruct &&
      callee->getReturnType()->isVoidTy() != returnsScalar())
    return Error::success();
  return createStringError(
      std::errc::invalid_argument,
      "function '%s': its lowered form has no C interface with %zu arguments "
      "and %zu results; this is a defect of the compiler's pipeline",
      signature.name.c_str(), signature.args.size(), signature.results.size());
}

Value *EntryBuilder::loadPointer(unsigned k) {
  Type *pointer = builder.getPtrTy();
  return builder.CreateLoad(
      pointer, builder.CreateConstInBoundsGEP1_64(pointer, packed, k));
}

/// Memory of the runtime is the device's, if there is one.
void EntryBuilder::storeNumber(Value *value, Value *memory, Value *bytes) {
  if (!isForDevice) {
    builder.CreateStore(value, memory);
    return;
  }
  Value *slot = builder.CreateAlloca(value->getType());
  builder.CreateStore(value, slot);
  FunctionCallee write = module.getOrInsertFunction(
      "clique_rt_write", builder.getVoidTy(), builder.getPtrTy(),
      builder.getPtrTy(), builder.getInt64Ty());
  builder.CreateCall(write, {memory, slot, bytes});
}

void EntryBuilder::storeResult(unsigned k, Value *value) {
  Value *slot = loadPointer(signature.args.size() + k);
  if (!isScalar(signature.results[k])) {
    builder.CreateStore(value, slot);
    return;
  }
  // A scalar is handed out as a tensor of rank 0, in memory of the runtime.
  Type *pointer = builder.getPtrTy();
  FunctionCallee allocate = module.getOrInsertFunction(
      "_mlir_memref_to_llvm_alloc", pointer, builder.getInt64Ty());
  Value *bytes = builder.getInt64(signature.results[k].dtype.bits / 8);
  Value *memory = builder.CreateCall(allocate, bytes);
  returnIfFailed();
  if (isBool(signature.results[k]))
    value = builder.CreateZExt(value, builder.getInt8Ty());
  storeNumber(value, memory, bytes);
  builder.CreateStore(memory, slot);
  builder.CreateStore(memory,
                      builder.CreateConstInBoundsGEP1_64(pointer, slot, 1));
  builder.CreateStore(builder.getInt64(0),
                      builder.CreateConstInBoundsGEP1_64(pointer, slot, 2));
}

void EntryBuilder::returnIfFailed() {
  FunctionCallee ask =
      module.getOrInsertFunction("clique_rt_has_failed", builder.getInt1Ty());
  Value *hasFailed = builder.CreateCall(ask);
  Function *entry = builder.GetInsertBlock()->getParent();
  auto *end = BasicBlock::Create(module.getContext(), "failed", entry);
  auto *next = BasicBlock::Create(module.getContext(), "", entry);
  builder.CreateCondBr(hasFailed, end, next);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  builder.SetInsertPoint(next);
}

Error EntryBuilder::build() {
  Function *callee =
      module.getFunction("_mlir_ciface_" + getCodeName(signature.name));
  if (Error error = checkInterface(callee))
    return error;
  auto *type =
      FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *entry =
      Function::Create(type, GlobalValue::ExternalLinkage,
                       "clique_entry_" + signature.name + suffix, module);
  entry->setVisibility(GlobalValue::HiddenVisibility);
  packed = entry->getArg(0);
  builder.SetInsertPoint(
      BasicBlock::Create(module.getContext(), "entry", entry));

  SmallVector<Value *> operands;
  StructType *resultStruct = nullptr;
  if (signature.results.size() == 1 && !returnsScalar()) {
    operands.push_back(loadPointer(signature.args.size()));
  } else if (signature.results.size() > 1) {
    SmallVector<Type *> types;
    for (const LayerArgument &result : signature.results)
      types.push_back(getResultType(result));
    resultStruct = StructType::get(module.getContext(), types);
    operands.push_back(builder.CreateAlloca(resultStruct));
  }
  for (auto [k, arg] : enumerate(signature.args)) {
    Value *value = loadPointer(k);
    if (arg.kind == CLIQUE_ARG_GRAPH)
      value = builder.CreateLoad(builder.getPtrTy(), value);
    else if (isScalar(arg))
      value = loadScalar(arg, value);
    operands.push_back(value);
  }
  Value *returned = builder.CreateCall(callee, operands);
  if (returnsScalar() || resultStruct)
    returnIfFailed();
  if (returnsScalar())
    storeResult(0, returned);
  if (resultStruct)
    for (unsigned k = 0; k < signature.results.size(); ++k)
      storeResult(k, builder.CreateLoad(resultStruct->getElementType(k),
                                        builder.CreateStructGEP(
                                            resultStruct, operands[0], k)));
  builder.CreateRetVoid();
  return Error::success();
}

Error clique::emitEntry(Module &module, const LayerSignature &signature,
                        StringRef suffix, bool isForDevice) {
  return EntryBuilder(module, signature, suffix, isForDevice).build();
}
