//===- CheckAllocations.cpp - Out of memory in a parallel region ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's allocator tells the invocation when there is no memory, which a
// thread of a parallel region does not know. There, functions return the size
// that was not to be had, and the invoking thread tells it after the region.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

namespace clique {
#define GEN_PASS_DEF_CHECKALLOCATIONSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static constexpr StringLiteral kAllocate = "_mlir_memref_to_llvm_aligned_alloc",
                               kFree = "_mlir_memref_to_llvm_free",
                               kTryAllocate = "clique_rt_try_alloc",
                               kReport = "clique_rt_out_of_memory";

static bool calls(LLVM::CallOp call, StringRef name) {
  return call.getCallee() == name;
}

namespace {
/// A call that may fail, in a function that returns what failed.
struct Site {
  LLVM::CallOp call;
  /// Memory of the function, which it gives back then.
  SmallVector<Value> live;
};

struct CheckAllocations
    : public clique::impl::CheckAllocationsPassBase<CheckAllocations> {
  void runOnOperation() override;

private:
  /// The function of the module that is called; null for another one.
  LLVM::LLVMFuncOp getCalled(LLVM::CallOp call);
  void findFailing();
  bool canReturnSize(LLVM::LLVMFuncOp function);
  SmallVector<Site> findSites(LLVM::LLVMFuncOp function);
  void returnSize(LLVM::LLVMFuncOp function);
  void checkCall(LLVM::CallOp call);
  LLVM::LLVMFuncOp getRuntimeFunction(StringRef name, ArrayRef<Type> types,
                                      Type result);
  Value compare(OpBuilder &b, Location loc, LLVM::ICmpPredicate predicate,
                Value value);
  void reportIf(OpBuilder &b, Location loc, Value size);
  Value getSizeOfRegion(omp::ParallelOp region);

  /// Functions that parallel regions call, and that may fail.
  llvm::SetVector<Operation *> failing;
  llvm::DenseMap<Operation *, Value> sizes;
  /// Of the module, while the pass runs.
  SymbolTableCollection *symbols = nullptr;
  /// Functions that are more than called.
  llvm::DenseSet<StringAttr> addressed;
  Type i64, pointer;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which functions may fail
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp CheckAllocations::getCalled(LLVM::CallOp call) {
  FlatSymbolRefAttr name = call.getCalleeAttr();
  return name ? symbols->lookupSymbolIn<LLVM::LLVMFuncOp>(getOperation(),
                                                          name.getAttr())
              : nullptr;
}

bool CheckAllocations::canReturnSize(LLVM::LLVMFuncOp function) {
  if (function.isExternal() || function.isPublic() ||
      !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()))
    return false;
  return !addressed.contains(function.getSymNameAttr());
}

void CheckAllocations::findFailing() {
  ModuleOp module = getOperation();
  llvm::SetVector<Operation *> reached;
  SmallVector<Operation *> pending;
  auto reach = [&](LLVM::CallOp call) {
    if (LLVM::LLVMFuncOp callee = getCalled(call))
      if (canReturnSize(callee) && reached.insert(callee))
        pending.push_back(callee);
  };
  module.walk([&](omp::ParallelOp region) { region.walk(reach); });
  while (!pending.empty())
    pending.pop_back_val()->walk(reach);
  for (size_t before = 1; before != failing.size();) {
    before = failing.size();
    for (Operation *function : reached)
      function->walk([&](LLVM::CallOp call) {
        if (calls(call, kAllocate) || failing.contains(getCalled(call)))
          failing.insert(function);
      });
    if (failing.empty())
      return;
  }
}

SmallVector<Site> CheckAllocations::findSites(LLVM::LLVMFuncOp function) {
  DominanceInfo dominance(function);
  SmallVector<LLVM::CallOp> allocations, frees;
  SmallVector<Site> sites;
  for (Block &block : function.getBody())
    for (auto call : block.getOps<LLVM::CallOp>()) {
      if (calls(call, kFree))
        frees.push_back(call);
      if (calls(call, kAllocate))
        allocations.push_back(call);
      if (calls(call, kAllocate) || failing.contains(getCalled(call)))
        sites.push_back({call, {}});
    }
  for (Site &site : sites)
    for (LLVM::CallOp allocation : allocations) {
      Value block = allocation.getResult();
      bool isFreed = llvm::any_of(frees, [&](LLVM::CallOp free) {
        return free.getOperand(0) == block &&
               dominance.properlyDominates(free, site.call);
      });
      if (!isFreed && dominance.properlyDominates(allocation, site.call))
        site.live.push_back(block);
    }
  return sites;
}

//===----------------------------------------------------------------------===//
// What they return, and who asks
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp CheckAllocations::getRuntimeFunction(StringRef name,
                                                      ArrayRef<Type> types,
                                                      Type result) {
  OpBuilder builder(&getContext());
  return *LLVM::lookupOrCreateFn(builder, getOperation(), name, types, result);
}

Value CheckAllocations::compare(OpBuilder &b, Location loc,
                                LLVM::ICmpPredicate predicate, Value value) {
  Value zero = LLVM::ZeroOp::create(b, loc, value.getType());
  return LLVM::ICmpOp::create(b, loc, predicate, value, zero);
}

/// The call again, with the size that failed as its result.
static LLVM::CallOp callForSize(OpBuilder &b, LLVM::CallOp call, Type i64) {
  auto next = LLVM::CallOp::create(b, call.getLoc(), TypeRange(i64),
                                   call.getCalleeAttr(), call.getArgOperands());
  call.erase();
  return next;
}

void CheckAllocations::returnSize(LLVM::LLVMFuncOp function) {
  const SmallVector<Site> sites = findSites(function);
  auto type = function.getFunctionType();
  function.setFunctionType(LLVM::LLVMFunctionType::get(i64, type.getParams()));
  function.walk([&](LLVM::ReturnOp op) {
    OpBuilder b(op);
    Value none = LLVM::ZeroOp::create(b, op.getLoc(), i64);
    op->setOperands(none);
  });
  for (const Site &site : sites) {
    LLVM::CallOp call = site.call;
    Location loc = call.getLoc();
    OpBuilder b(call);
    b.setInsertionPointAfter(call);
    Value hasFailed, size;
    if (calls(call, kAllocate)) {
      call.setCallee(
          getRuntimeFunction(kTryAllocate, {i64, i64}, pointer).getName());
      hasFailed = compare(b, loc, LLVM::ICmpPredicate::eq, call.getResult());
      Value one = LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(1));
      size = LLVM::UMaxOp::create(b, loc, call.getOperand(1), one);
    } else {
      size = callForSize(b, call, i64).getResult();
      hasFailed = compare(b, loc, LLVM::ICmpPredicate::ne, size);
    }
    Block *here = b.getInsertionBlock();
    Block *next = here->splitBlock(b.getInsertionPoint());
    Block *fail = b.createBlock(next);
    for (Value block : site.live)
      LLVM::CallOp::create(b, loc, TypeRange(), kFree, block);
    LLVM::ReturnOp::create(b, loc, size);
    b.setInsertionPointToEnd(here);
    LLVM::CondBrOp::create(b, loc, hasFailed, fail, next);
  }
}

/// The invocation fails where a size is not 0.
void CheckAllocations::reportIf(OpBuilder &b, Location loc, Value size) {
  Value hasFailed = compare(b, loc, LLVM::ICmpPredicate::ne, size);
  Block *here = b.getInsertionBlock();
  Block *next = here->splitBlock(b.getInsertionPoint());
  Block *report = b.createBlock(next);
  LLVM::CallOp::create(
      b, loc,
      getRuntimeFunction(kReport, i64, LLVM::LLVMVoidType::get(&getContext())),
      size);
  LLVM::BrOp::create(b, loc, next);
  b.setInsertionPointToEnd(here);
  LLVM::CondBrOp::create(b, loc, hasFailed, report, next);
}

/// Where the threads of a region leave the size that failed, which is looked at
/// after the region.
Value CheckAllocations::getSizeOfRegion(omp::ParallelOp region) {
  Value &place = sizes[region];
  if (place)
    return place;
  Location loc = region.getLoc();
  auto function = region->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(1));
  place = LLVM::AllocaOp::create(b, loc, pointer, i64, one, /*alignment=*/8);
  b.setInsertionPoint(region);
  LLVM::StoreOp::create(b, loc, LLVM::ZeroOp::create(b, loc, i64), place);
  b.setInsertionPointAfter(region);
  reportIf(b, loc, LLVM::LoadOp::create(b, loc, i64, place));
  return place;
}

/// A call from a function that goes on.
void CheckAllocations::checkCall(LLVM::CallOp call) {
  Location loc = call.getLoc();
  auto region = call->getParentOfType<omp::ParallelOp>();
  Value place = region ? getSizeOfRegion(region) : Value();
  OpBuilder b(call->getContext());
  b.setInsertionPointAfter(call);
  Value size = callForSize(b, call, i64).getResult();
  if (!region) {
    reportIf(b, loc, size);
    return;
  }
  Value hasFailed = compare(b, loc, LLVM::ICmpPredicate::ne, size);
  Block *here = b.getInsertionBlock();
  Block *next = here->splitBlock(b.getInsertionPoint());
  Block *fail = b.createBlock(next);
  LLVM::StoreOp::create(b, loc, size, place, /*alignment=*/8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic);
  LLVM::BrOp::create(b, loc, next);
  b.setInsertionPointToEnd(here);
  LLVM::CondBrOp::create(b, loc, hasFailed, fail, next);
}

void CheckAllocations::runOnOperation() {
  failing.clear();
  sizes.clear();
  addressed.clear();
  SymbolTableCollection tables;
  if (!tables.lookupSymbolIn(getOperation(),
                             StringAttr::get(&getContext(), kAllocate)))
    return;
  symbols = &tables;
  getOperation().walk([&](LLVM::AddressOfOp op) {
    addressed.insert(op.getGlobalNameAttr().getAttr());
  });
  i64 = IntegerType::get(&getContext(), 64);
  pointer = LLVM::LLVMPointerType::get(&getContext());
  findFailing();
  SmallVector<LLVM::CallOp> others;
  getOperation().walk([&](LLVM::CallOp call) {
    auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
    const bool isOfFunction = call->getParentOp() == caller;
    if (failing.contains(getCalled(call)) &&
        !(isOfFunction && failing.contains(caller)))
      others.push_back(call);
  });
  for (Operation *function : failing)
    returnSize(cast<LLVM::LLVMFuncOp>(function));
  for (LLVM::CallOp call : others)
    checkCall(call);
}
