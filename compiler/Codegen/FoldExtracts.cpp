//===- FoldExtracts.cpp - Parts of aggregates that were just built --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"

namespace clique {
#define GEN_PASS_DEF_FOLDEXTRACTSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// What `extract` takes out of an aggregate, if that is known; else it takes it
/// out of the first aggregate of a chain that has the part.
static Value findPart(LLVM::ExtractValueOp extract) {
  SmallVector<OpFoldResult> part;
  while (part.empty())
    if (failed(extract->fold(part)))
      return nullptr;
  return dyn_cast<Value>(part.front());
}

namespace {
struct FoldExtracts : public clique::impl::FoldExtractsPassBase<FoldExtracts> {
  void runOnOperation() override {
    getOperation()->walk([](LLVM::ExtractValueOp extract) {
      if (Value part = findPart(extract)) {
        extract.replaceAllUsesWith(part);
        extract.erase();
      }
    });
    // An aggregate of many parts is a chain of ops, the last of which is not
    // used any more.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isa<LLVM::InsertValueOp, LLVM::ExtractValueOp, LLVM::PoisonOp>(
                  op) &&
              op->use_empty())
            op->erase();
        });
  }
};
} // namespace
