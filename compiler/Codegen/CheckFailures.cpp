//===- CheckFailures.cpp - Functions return where the runtime failed ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime functions that fail leave their status with the invocation. Compiled
// code asks for it after each of them and returns, up to the layer's entry.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/RuntimeCalls.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

namespace clique {
#define GEN_PASS_DEF_CHECKFAILURESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct CheckFailures
    : public clique::impl::CheckFailuresPassBase<CheckFailures> {
  void runOnOperation() override;

private:
  /// Functions of the module with a call that may fail.
  void findFailing();
  bool mayFail(LLVM::CallOp call);
  void check(LLVM::LLVMFuncOp function);

  llvm::SetVector<Operation *> failing;
  /// Of the module, while the pass runs.
  SymbolTableCollection *symbols = nullptr;
};
} // namespace

/// The body that MLIR gives to the declaration of a function with a C
/// interface. Its caller asks.
static bool isWrapper(LLVM::LLVMFuncOp function) {
  return RuntimeCalls::mayFail(function.getName());
}

bool CheckFailures::mayFail(LLVM::CallOp call) {
  std::optional<StringRef> name = call.getCallee();
  if (!name)
    return false;
  return RuntimeCalls::mayFail(*name) ||
         failing.contains(
             symbols->lookupSymbolIn(getOperation(), call.getCalleeAttr()));
}

void CheckFailures::findFailing() {
  SmallVector<LLVM::LLVMFuncOp> pending;
  auto reach = [&](LLVM::LLVMFuncOp function) {
    if (function && !isWrapper(function) && failing.insert(function))
      pending.push_back(function);
  };
  // A SymbolUserMap would read the attributes of every op.
  llvm::DenseMap<StringAttr, SmallVector<LLVM::LLVMFuncOp>> callers;
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
    for (auto call : function.getBody().getOps<LLVM::CallOp>()) {
      if (FlatSymbolRefAttr callee = call.getCalleeAttr())
        callers[callee.getAttr()].push_back(function);
      if (mayFail(call))
        reach(function);
    }
  while (!pending.empty())
    for (LLVM::LLVMFuncOp caller :
         callers.lookup(pending.pop_back_val().getSymNameAttr()))
      reach(caller);
}

void CheckFailures::check(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::CallOp> calls;
  for (LLVM::CallOp call : function.getBody().getOps<LLVM::CallOp>())
    if (mayFail(call))
      calls.push_back(call);
  OpBuilder b(&getContext());
  LLVM::LLVMFuncOp ask = *LLVM::lookupOrCreateFn(
      b, getOperation(), "clique_rt_has_failed", {}, b.getI1Type());
  ask.setResultAttr(0, LLVM::LLVMDialect::getZExtAttrName(), b.getUnitAttr());

  Location loc = function.getLoc();
  Block *end = b.createBlock(&function.getBody(), function.getBody().end());
  Type result = function.getFunctionType().getReturnType();
  // No caller looks at the result. Of zeros for some buffers LLVM would make
  // copies behind each call, and spend half of its time on joining these.
  SmallVector<Value, 1> unused;
  if (!isa<LLVM::LLVMVoidType>(result))
    unused.push_back(LLVM::PoisonOp::create(b, loc, result));
  LLVM::ReturnOp::create(b, loc, unused);
  for (LLVM::CallOp call : calls) {
    Block *here = call->getBlock();
    Block *next = here->splitBlock(std::next(call->getIterator()));
    b.setInsertionPointToEnd(here);
    Value hasFailed =
        LLVM::CallOp::create(b, call.getLoc(), ask, ValueRange()).getResult();
    LLVM::CondBrOp::create(b, call.getLoc(), hasFailed, end, next);
  }
}

void CheckFailures::runOnOperation() {
  failing.clear();
  SymbolTableCollection tables;
  symbols = &tables;
  findFailing();
  for (Operation *function : failing)
    check(cast<LLVM::LLVMFuncOp>(function));
}
