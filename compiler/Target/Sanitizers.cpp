//===- Sanitizers.cpp - Layers that a sanitizer checks --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own instrumentation. Layers get no constructors: the JIT runs none,
// and the program that loads a layer has started the sanitizer long before.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Sanitizers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace llvm;
using namespace clique;

std::optional<Sanitizer> clique::parseSanitizer(StringRef name) {
  return StringSwitch<std::optional<Sanitizer>>(name)
      .Case("none", Sanitizer::none)
      .Case("address", Sanitizer::address)
      .Case("thread", Sanitizer::thread)
      .Default(std::nullopt);
}

Sanitizer clique::getOwnSanitizer() {
#ifdef CLIQUE_OWN_SANITIZER
  return Sanitizer::CLIQUE_OWN_SANITIZER;
#else
  return Sanitizer::none;
#endif
}

void clique::markForSanitizer(Module &module, Sanitizer sanitizer) {
  if (sanitizer == Sanitizer::none)
    return;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(sanitizer == Sanitizer::address
                           ? Attribute::SanitizeAddress
                           : Attribute::SanitizeThread);
    // Nothing throws; for what might, the thread sanitizer catches and resumes
    // with functions that the layer's libraries lack.
    function.setDoesNotThrow();
  }
  // Red zones around variables would need a constructor.
  for (GlobalVariable &variable : module.globals()) {
    GlobalValue::SanitizerMetadata metadata;
    metadata.NoAddress = true;
    variable.setSanitizerMetadata(metadata);
  }
}

static bool isMarked(const Module &module, Attribute::AttrKind mark) {
  return any_of(module, [&](const Function &function) {
    return function.hasFnAttribute(mark);
  });
}

StringRef clique::getSanitizerPrefix(const Module &module) {
  if (isMarked(module, Attribute::SanitizeAddress))
    return "__asan_";
  return isMarked(module, Attribute::SanitizeThread) ? "__tsan_" : "";
}

void clique::addSanitizer(ModulePassManager &passes, const Module &module) {
  if (isMarked(module, Attribute::SanitizeAddress))
    passes.addPass(AddressSanitizerPass(
        AddressSanitizerOptions(), /*UseGlobalGC=*/false,
        /*UseOdrIndicator=*/false, AsanDtorKind::None, AsanCtorKind::None));
  if (isMarked(module, Attribute::SanitizeThread))
    passes.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
}
