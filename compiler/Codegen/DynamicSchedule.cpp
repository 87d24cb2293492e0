//===- DynamicSchedule.cpp - OpenMP loops hand out blocks one by one ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace clique {
#define GEN_PASS_DEF_DYNAMICSCHEDULEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct DynamicSchedule
    : public clique::impl::DynamicSchedulePassBase<DynamicSchedule> {
  void runOnOperation() override {
    getOperation()->walk([](omp::WsloopOp loop) {
      loop.setScheduleKind(omp::ClauseScheduleKind::Dynamic);
    });
  }
};
} // namespace
