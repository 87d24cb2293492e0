//===- Versions.cpp - The versions of a kernel that are left --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Versions.h"

using namespace mlir;
using namespace clique;

static mp::ChooseDenseOp getChoice(scf::IfOp branch) {
  return branch.getCondition().getDefiningOp<mp::ChooseDenseOp>();
}

scf::IfOp clique::findVersions(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>())
    if (mp::ChooseDenseOp choice = getChoice(branch);
        choice && choice.getVersions() == mp::Versions::both &&
        branch.elseBlock() &&
        branch.getThenRegion().isAncestor(op->getParentRegion()))
      return branch;
  return {};
}

void clique::keepRows(scf::IfOp versions) {
  getChoice(versions).setVersions(mp::Versions::sparse);
  Block &rows = *versions.elseBlock();
  SmallVector<Value> results(rows.getTerminator()->getOperands());
  rows.getTerminator()->erase();
  versions->getBlock()->getOperations().splice(versions->getIterator(),
                                               rows.getOperations());
  versions.replaceAllUsesWith(results);
  versions.erase();
}
