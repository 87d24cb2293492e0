//===- AttachTarget.cpp - The machine of a module -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/AnalysisPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/AsmParser/AsmParser.h"

namespace clique {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "compiler/Analysis/AnalysisPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

LogicalResult clique::attachTarget(ModuleOp module, Attribute target) {
  Attribute own = module->getDiscardableAttr(mp::kTargetAttr);
  if (!own) {
    module->setDiscardableAttr(mp::kTargetAttr, target);
    return success();
  }
  if (isa<mp::GpuAttr>(own) == isa<mp::GpuAttr>(target))
    return success();
  return emitError(module.getLoc())
         << "the module is for " << own << ", but is compiled for " << target
         << ": take '" << mp::kTargetAttr
         << "' out, or compile for such a machine";
}

namespace {
struct AttachTarget : public clique::impl::AttachTargetPassBase<AttachTarget> {
  using AttachTargetPassBase::AttachTargetPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    Attribute attr = target == "cpu"   ? mp::getDefaultCpu(context)
                     : target == "gpu" ? Attribute(mp::getDefaultGpu(context))
                                       : parseAttribute(target, context);
    if (attr && !isa<mp::CpuAttr, mp::GpuAttr>(attr)) {
      emitError(getOperation().getLoc())
          << "mp-attach-target: " << attr
          << " describes no machine: expected #mp.cpu<...> or #mp.gpu<...>";
      attr = {};
    }
    if (!attr || failed(attachTarget(getOperation(), attr)))
      signalPassFailure();
  }
};
} // namespace
