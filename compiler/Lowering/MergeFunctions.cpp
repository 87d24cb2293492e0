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

namespace {
struct MergeFunctions
    : public clique::impl::MergeFunctionsPassBase<MergeFunctions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::MapVector<Attribute, SmallVector<func::FuncOp>> kept;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
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
      if (failed(SymbolTable::replaceAllSymbolUses(
              function, same->getSymNameAttr(), module)))
        return signalPassFailure();
      function.erase();
    }
  }
};
} // namespace
