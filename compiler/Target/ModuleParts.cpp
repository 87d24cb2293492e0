//===- ModuleParts.cpp - A module, to be compiled in parts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As SplitModule does, but for parts of the same size, and written once: each
// thread reads of the bitcode what it needs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ModuleParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>

using namespace llvm;
using namespace clique;

/// Instructions of a part, at least: to read it and to have a code generator
/// takes as long as to compile some hundred of them.
static constexpr unsigned kLeastInstructions = 2000;
static constexpr unsigned kMostParts = 16;

/// Whether each part that uses it can have a copy.
static bool isCopied(const GlobalValue &value) {
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->hasLocalLinkage() && variable->isConstant() &&
         variable->hasGlobalUnnamedAddr();
}

ModuleParts::ModuleParts(Module &module) {
  choose(module);
  if (numParts == 1)
    return;
  for (GlobalValue &value : module.global_values()) {
    if (value.isDeclaration() || !value.hasLocalLinkage() || isCopied(value) ||
        !isUsedElsewhere(value))
      continue;
    if (!value.hasName())
      value.setName("clique.shared");
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
  }
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
}

/// The largest functions first, each to what is the smallest part so far.
void ModuleParts::choose(const Module &module) {
  SmallVector<std::pair<unsigned, StringRef>> functions;
  unsigned all = 0;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    functions.push_back({function.getInstructionCount(), function.getName()});
    all += functions.back().first;
  }
  numParts = std::clamp<unsigned>(
      all / kLeastInstructions, 1,
      std::clamp<unsigned>(functions.size(), 1, kMostParts));
  sort(functions, std::greater<>());
  SmallVector<unsigned> sizes(numParts);
  for (auto [size, name] : functions) {
    auto *least = min_element(sizes);
    parts[name] = least - sizes.begin();
    *least += size;
  }
}

unsigned ModuleParts::getPart(const GlobalValue &value) const {
  return isa<Function>(value) ? parts.lookup(value.getName()) : 0;
}

bool ModuleParts::isUsedElsewhere(const GlobalValue &value) const {
  // Constants have no part: what they use is looked for among their users.
  SmallVector<const User *> users(value.users());
  while (!users.empty()) {
    const User *user = users.pop_back_val();
    if (const auto *op = dyn_cast<Instruction>(user)) {
      if (getPart(*op->getFunction()) != getPart(value))
        return true;
    } else if (isa<GlobalValue>(user)) {
      return true;
    } else {
      append_range(users, user->users());
    }
  }
  return false;
}

Expected<std::unique_ptr<Module>>
ModuleParts::load(unsigned part, LLVMContext &context) const {
  Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(
      MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "clique"),
      context);
  if (!module)
    return module;
  for (Function &function : **module)
    if (parts.contains(function.getName()) && getPart(function) != part)
      function.deleteBody();
  if (Error error = (*module)->materializeAll())
    return std::move(error);
  for (GlobalVariable &variable : (*module)->globals())
    if (part != 0 && !variable.isDeclaration() && !isCopied(variable)) {
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
    }
  for (GlobalVariable &variable : make_early_inc_range((*module)->globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty() &&
        (variable.isDeclaration() || variable.hasLocalLinkage()))
      variable.eraseFromParent();
  }
  for (Function &function : make_early_inc_range(**module)) {
    function.removeDeadConstantUsers();
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  }
  return module;
}
