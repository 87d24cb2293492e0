//===- MergeFunctions.cpp - Block functions that are the same -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-merge-functions. MLIR's duplicate-function-elimination takes
// public functions, too: two layers that are the same, as a layer and its
// forward function may be, would be one.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/LoweringPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace clique {
#define GEN_PASS_DEF_MERGEFUNCTIONSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;

/// What functions have that are the same, but for their bodies.
static Attribute getSignature(func::FuncOp function) {
  NamedAttrList attributes(function->getAttrs());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(function.getContext());
}

static bool haveSameBody(func::FuncOp a, func::FuncOp b) {
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// Lets calls of each function that is like an earlier one call that. Whether
/// there were any.
static bool mergeAlike(ModuleOp module) {
  llvm::MapVector<Attribute, SmallVector<func::FuncOp>> kept;
  llvm::DenseMap<StringAttr, StringAttr> names;
  SmallVector<func::FuncOp> merged;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPrivate() || function.isExternal())
      continue;
    SmallVector<func::FuncOp> &alike = kept[getSignature(function)];
    auto same = llvm::find_if(alike, [&](func::FuncOp other) {
      return haveSameBody(other, function);
    });
    if (same == alike.end()) {
      alike.push_back(function);
      continue;
    }
    names[function.getSymNameAttr()] = same->getSymNameAttr();
    merged.push_back(function);
  }
  for (func::FuncOp function : merged)
    function.erase();
  // All at once: there may be hundreds in a deep network.
  module.walk([&](func::CallOp call) {
    if (StringAttr name = names.lookup(call.getCalleeAttr().getRootReference()))
      call.setCalleeAttr(FlatSymbolRefAttr::get(name));
  });
  return !merged.empty();
}

namespace {
struct MergeFunctions
    : public clique::impl::MergeFunctionsPassBase<MergeFunctions> {
  void runOnOperation() override {
    // Callers may be alike when what they call is one.
    while (mergeAlike(getOperation()))
      ;
  }
};
} // namespace
