//===- LimitSharedMemory.cpp - Tiles that no block has the memory for -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/ThreadPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace clique {
#define GEN_PASS_DEF_LIMITSHAREDMEMORYPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// The operand of the runtime's choice that names the versions, and what it
/// says where there are rows alone (runtime/compiled.h).
static constexpr unsigned kVersionsOperand = 2;
static constexpr auto kRowsOnly = int64_t(mp::Versions::sparse);

/// The choice whose dense version holds `op`; null if there is none.
static scf::IfOp findChoice(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>()) {
    auto choice = branch.getCondition().getDefiningOp<func::CallOp>();
    if (choice && choice.getCallee() == "clique_rt_choose_dense" &&
        branch.elseBlock() &&
        branch.getThenRegion().isAncestor(op->getParentRegion()))
      return branch;
  }
  return nullptr;
}

static void takeRows(scf::IfOp branch) {
  auto choice = branch.getCondition().getDefiningOp<func::CallOp>();
  OpBuilder b(choice);
  choice.setOperand(kVersionsOperand, arith::ConstantIndexOp::create(
                                          b, choice.getLoc(), kRowsOnly));
  Block &rows = *branch.elseBlock();
  SmallVector<Value> results(rows.getTerminator()->getOperands());
  rows.getTerminator()->erase();
  branch->getBlock()->getOperations().splice(branch->getIterator(),
                                             rows.getOperations());
  branch.replaceAllUsesWith(results);
  branch.erase();
}

namespace {
struct LimitSharedMemory
    : public clique::impl::LimitSharedMemoryPassBase<LimitSharedMemory> {
  void runOnOperation() override {
    mostBytes = mp::getGpuOrDefault(getOperation()).getSharedBytes();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto bytes = function->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
      if (bytes && bytes.getInt() > mostBytes &&
          failed(avoid(function, bytes.getInt())))
        return signalPassFailure();
    }
  }

  LogicalResult avoid(func::FuncOp function, int64_t bytes) {
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) {
      if (call.getCallee() == function.getName())
        calls.push_back(call);
    });
    for (func::CallOp call : calls) {
      scf::IfOp branch = findChoice(call);
      if (!branch)
        return emitError(call.getLoc())
               << "a block of threads needs " << bytes
               << " bytes of shared memory here, and has " << mostBytes
               << ": compile with lowering=sparse if they are for tiles of "
                  "edges, or split what is computed for a node";
      takeRows(branch);
    }
    return success();
  }

  int64_t mostBytes = 0;
};
} // namespace
