//===- LayerDescriptor.cpp - What a compiled layer exports ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the structs of runtime/clique.h as LLVM constants.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/LayerDescriptor.h"
#include "runtime/compiled.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace clique;

// The LLVM structs below have C's layout as long as these hold.
static_assert(CLIQUE_ABI_VERSION == 17, "follow the change of the ABI here");
static_assert(sizeof(clique_arg) == 56 && offsetof(clique_arg, param) == 24 &&
              offsetof(clique_arg, dtype) == 36 &&
              offsetof(clique_arg, renumberable) == 44 &&
              offsetof(clique_arg, shape) == 48);
static_assert(sizeof(clique_layer) == 64 &&
              offsetof(clique_layer, name) == 16 &&
              offsetof(clique_layer, device_type) == 48 &&
              offsetof(clique_layer, code) == 56);
static_assert(sizeof(clique_variant) == 16);
static_assert(sizeof(clique_device_image) == 24 &&
              sizeof(clique_device_code) == 24 &&
              offsetof(clique_device_code, images) == 8);

/// What RuntimeCalls calls it.
static constexpr StringLiteral kDeviceCodeSymbol = "clique_device_code";

namespace {
class DescriptorBuilder {
public:
  explicit DescriptorBuilder(Module &module)
      : module(module), builder(module.getContext()) {}

  GlobalVariable *emitLayer(const LayerSignature &signature,
                            ArrayRef<TargetCpu> cpus);
  void emitCode(const DeviceCode &device);
  void emitTable(ArrayRef<Constant *> layers);

private:
  Constant *getInt32(int32_t value) { return builder.getInt32(value); }
  Constant *getNull() { return ConstantPointerNull::get(builder.getPtrTy()); }
  Constant *getStruct(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(module.getContext(), fields);
  }
  Constant *emitString(StringRef text);
  /// A private array; null if there are no elements.
  Constant *emitArray(ArrayRef<Constant *> elements);
  Constant *emitArgument(const LayerArgument &arg);
  Constant *emitArguments(ArrayRef<LayerArgument> args);
  Constant *emitVariant(const LayerSignature &signature, const TargetCpu &cpu);
  GlobalVariable *emitGlobal(Constant *value, const Twine &name,
                             GlobalValue::LinkageTypes linkage);

  Module &module;
  IRBuilder<> builder;
  /// clique_device_code; null without a device.
  GlobalVariable *code = nullptr;
};
} // namespace

GlobalVariable *
DescriptorBuilder::emitGlobal(Constant *value, const Twine &name,
                              GlobalValue::LinkageTypes linkage) {
  return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                            linkage, value, name);
}

Constant *DescriptorBuilder::emitString(StringRef text) {
  return emitGlobal(ConstantDataArray::getString(module.getContext(), text),
                    "clique_name", GlobalValue::PrivateLinkage);
}

Constant *DescriptorBuilder::emitArray(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return getNull();
  auto *type = ArrayType::get(elements.front()->getType(), elements.size());
  return emitGlobal(ConstantArray::get(type, elements), "clique_table",
                    GlobalValue::PrivateLinkage);
}

Constant *DescriptorBuilder::emitArgument(const LayerArgument &arg) {
  SmallVector<Constant *> shape;
  for (int64_t size : arg.shape)
    shape.push_back(builder.getInt64(size));
  Constant *dtype = getStruct({builder.getInt8(arg.dtype.code),
                               builder.getInt8(arg.dtype.bits),
                               builder.getInt16(arg.dtype.lanes)});
  return getStruct(
      {emitString(arg.name), getInt32(arg.kind), getInt32(arg.extent),
       getInt32(arg.graph), getInt32(arg.topology), builder.getInt64(arg.param),
       getInt32(arg.noSelf), dtype, getInt32(int32_t(arg.shape.size())),
       getInt32(arg.kind == CLIQUE_ARG_GRAPH && arg.numberUse.empty()),
       emitArray(shape)});
}

Constant *DescriptorBuilder::emitArguments(ArrayRef<LayerArgument> args) {
  SmallVector<Constant *> constants;
  for (const LayerArgument &arg : args)
    constants.push_back(emitArgument(arg));
  return emitArray(constants);
}

Constant *DescriptorBuilder::emitVariant(const LayerSignature &signature,
                                         const TargetCpu &cpu) {
  auto *type =
      FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  FunctionCallee entry = module.getOrInsertFunction(
      "clique_entry_" + signature.name + cpu.suffix, type);
  return getStruct(
      {emitString(cpu.required), cast<Constant>(entry.getCallee())});
}

GlobalVariable *DescriptorBuilder::emitLayer(const LayerSignature &signature,
                                             ArrayRef<TargetCpu> cpus) {
  SmallVector<Constant *> variants;
  for (const TargetCpu &cpu : cpus)
    variants.push_back(emitVariant(signature, cpu));
  Constant *layer = getStruct(
      {getInt32(CLIQUE_ABI_VERSION), getInt32(int32_t(signature.args.size())),
       getInt32(int32_t(signature.results.size())),
       getInt32(int32_t(variants.size())), emitString(signature.name),
       emitArguments(signature.args), emitArguments(signature.results),
       emitArray(variants), getInt32(code ? kDLCUDA : kDLCPU), getInt32(0),
       code ? code : getNull()});
  return emitGlobal(layer, "clique_layer_" + signature.name,
                    GlobalValue::ExternalLinkage);
}

void DescriptorBuilder::emitCode(const DeviceCode &device) {
  SmallVector<Constant *> images;
  for (const DeviceImage &image : device.images) {
    GlobalVariable *data =
        emitGlobal(ConstantDataArray::getString(module.getContext(), image.data,
                                                /*AddNull=*/false),
                   "clique_image", GlobalValue::PrivateLinkage);
    // An image is an ELF file.
    data->setAlignment(Align(64));
    images.push_back(getStruct({emitString(image.architecture), data,
                                builder.getInt64(image.data.size())}));
  }
  Constant *value = getStruct({getInt32(int32_t(images.size())), getInt32(0),
                               emitArray(images), getNull()});
  // Launches refer to it by this name.
  GlobalVariable *declared = module.getNamedGlobal(kDeviceCodeSymbol);
  code = new GlobalVariable(module, value->getType(), /*isConstant=*/false,
                            GlobalValue::InternalLinkage, value, "");
  if (declared) {
    declared->replaceAllUsesWith(code);
    declared->eraseFromParent();
  }
  code->setName(kDeviceCodeSymbol);
}

void DescriptorBuilder::emitTable(ArrayRef<Constant *> layers) {
  SmallVector<Constant *> entries(layers);
  entries.push_back(getNull());
  auto *type = ArrayType::get(builder.getPtrTy(), entries.size());
  emitGlobal(ConstantArray::get(type, entries), "clique_layers",
             GlobalValue::ExternalLinkage);
}

void clique::emitDescriptors(Module &module,
                             ArrayRef<LayerSignature> signatures,
                             ArrayRef<TargetCpu> cpus,
                             const std::optional<DeviceCode> &device) {
  DescriptorBuilder builder(module);
  if (device)
    builder.emitCode(*device);
  SmallVector<Constant *> layers;
  for (const LayerSignature &signature : signatures)
    layers.push_back(builder.emitLayer(signature, cpus));
  builder.emitTable(layers);
}

bool clique::isExportedSymbol(StringRef name) {
  return name == "clique_layers" || name.starts_with("clique_layer_");
}
