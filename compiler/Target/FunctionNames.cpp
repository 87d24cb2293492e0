//===- FunctionNames.cpp - Names that no library has ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/FunctionNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

std::string clique::getCodeName(StringRef name) {
  // Names with a dot are none of C.
  return ("clique." + name).str();
}

void clique::useCodeNames(ModuleOp module) {
  llvm::DenseMap<StringAttr, StringAttr> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names[function.getSymNameAttr()] =
          StringAttr::get(module.getContext(), getCodeName(function.getName()));
  AttrTypeReplacer replacer;
  // The names of kernels are of modules of their own, and stay.
  replacer.addReplacement(
      [&](SymbolRefAttr use) -> AttrTypeReplacer::ReplaceFnResult<Attribute> {
        if (StringAttr name = names.lookup(use.getRootReference()))
          use = SymbolRefAttr::get(name, use.getNestedReferences());
        return std::pair(use, WalkResult::skip());
      });
  for (auto function : module.getOps<func::FuncOp>()) {
    if (StringAttr name = names.lookup(function.getSymNameAttr()))
      function.setSymNameAttr(name);
    replacer.recursivelyReplaceElementsIn(function);
  }
}
