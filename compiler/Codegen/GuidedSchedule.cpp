//===- GuidedSchedule.cpp - OpenMP loops hand out blocks as they go -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace clique {
#define GEN_PASS_DEF_GUIDEDSCHEDULEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct GuidedSchedule
    : public clique::impl::GuidedSchedulePassBase<GuidedSchedule> {
  void runOnOperation() override {
    getOperation()->walk([](omp::WsloopOp loop) {
      loop.setScheduleKind(omp::ClauseScheduleKind::Guided);
      // Threads wait for each other where the region ends, next.
      auto region = dyn_cast<omp::ParallelOp>(loop->getParentOp());
      if (region && loop->getNextNode() == loop->getBlock()->getTerminator())
        loop.setNowait(true);
    });
  }
};
} // namespace
