//===- HoistInvariants.cpp - What no step of a loop changes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-hoist-invariants.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace clique {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Ops leave in their order, so that a check is still in front of what it
/// guards: it depends on no more values than that.
static bool mayLeave(Operation *op) {
  if (isa<mp::CheckOp>(op))
    return true;
  return !isa<mp::MessageOp>(op) && isMemoryEffectFree(op) &&
         isSpeculatable(op);
}

namespace {
struct HoistInvariantsPass
    : clique::impl::HoistInvariantsPassBase<HoistInvariantsPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones.
    getOperation()->walk([](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [](Operation *op, Region *) { return mayLeave(op); },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace
