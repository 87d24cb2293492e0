//===- RestrictTiles.cpp - Kernels that are no tiles of a device ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelInfo.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_RESTRICTTILESPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Takes the version in sparse rows.
static void takeRows(scf::IfOp choice) {
  Block &rows = choice.getElseRegion().front();
  SmallVector<Value> results(rows.getTerminator()->getOperands());
  rows.getTerminator()->erase();
  choice->getBlock()->getOperations().splice(choice->getIterator(),
                                             rows.getOperations());
  choice.replaceAllUsesWith(results);
  choice.erase();
}

namespace {
struct RestrictTiles
    : public clique::impl::RestrictTilesPassBase<RestrictTiles> {
  using RestrictTilesPassBase::RestrictTilesPassBase;

  void runOnOperation() override {
    SmallVector<mp::KernelOp> kernels;
    getOperation().walk([&](mp::KernelOp kernel) {
      if (kernel.getLowering() == mp::Lowering::dense &&
          KernelInfo(kernel).getEdgeValueSize() > maxEdgeValue)
        kernels.push_back(kernel);
    });
    for (mp::KernelOp kernel : kernels)
      if (failed(restrict(kernel)))
        return signalPassFailure();
  }

  LogicalResult restrict(mp::KernelOp kernel) {
    mp::ChooseDenseOp choice;
    getOperation().walk([&](mp::ChooseDenseOp op) {
      if (op.getKernel() == kernel.getSym())
        choice = op;
    });
    auto versions = kernel->getParentOfType<scf::IfOp>();
    if (!choice || choice.getVersions() != mp::Versions::both || !versions ||
        versions.getCondition() != choice.getDense())
      return kernel.emitOpError()
             << "'" << kernel.getSym() << "' has edge values of "
             << KernelInfo(kernel).getEdgeValueSize()
             << " numbers, and the threads of a block hold a tile of at most "
             << maxEdgeValue.getValue()
             << ": use lowering=sparse, or lowering=auto on a graph whose "
                "topology is not in its type";
    choice.setVersions(mp::Versions::sparse);
    takeRows(versions);
    return success();
  }
};
} // namespace
