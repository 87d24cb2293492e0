//===- RestrictTiles.cpp - Kernels that are no tiles of a GPU -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/RestrictTiles.h"
#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Analysis/Versions.h"
#include "dialect/IR/MPTargets.h"

using namespace mlir;
using namespace clique;

static LogicalResult restrictKernel(mp::KernelOp kernel) {
  scf::IfOp versions = findVersions(kernel);
  if (!versions)
    return kernel.emitOpError()
           << "'" << kernel.getSym() << "' has edge values of "
           << KernelInfo(kernel).getEdgeValueSize()
           << " elements, and the threads of a block hold a tile of at most "
           << tuning::gpuEdgeElements
           << ": use lowering=auto or lowering=sparse";
  keepRows(versions);
  return success();
}

/// A kernel without a schedule whose tiles are too large; null if there is
/// none.
static mp::KernelOp findTooLarge(ModuleOp module) {
  mp::KernelOp found;
  module.walk([&](mp::KernelOp kernel) {
    if (kernel.getLowering() != mp::Lowering::dense || kernel.getSchedule() ||
        !mp::getGpu(kernel) ||
        KernelInfo(kernel).getEdgeValueSize() <= tuning::gpuEdgeElements)
      return WalkResult::advance();
    found = kernel;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult clique::restrictTiles(ModuleOp module) {
  // What is not taken goes, with any other kernels in it.
  while (mp::KernelOp kernel = findTooLarge(module))
    if (failed(restrictKernel(kernel)))
      return failure();
  return success();
}
