//===- SplitEmpties.cpp - Each use of an empty tensor has its own ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_SPLITEMPTIESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct SplitEmpties : public clique::impl::SplitEmptiesPassBase<SplitEmpties> {
  using SplitEmptiesPassBase::SplitEmptiesPassBase;

  void runOnOperation() override {
    // In the order of the function: that of a use list depends on what other
    // passes did.
    OpBuilder builder(&getContext());
    llvm::SmallPtrSet<Operation *, 8> used;
    getOperation().walk([&](Operation *user) {
      for (OpOperand &use : user->getOpOperands()) {
        auto empty = use.get().getDefiningOp<tensor::EmptyOp>();
        if (!empty || used.insert(empty).second)
          continue;
        builder.setInsertionPointAfter(empty);
        use.set(builder.clone(*empty)->getResult(0));
      }
    });
  }
};
} // namespace
