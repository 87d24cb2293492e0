//===- UnrollLoops.cpp - Loops of a few steps are unrolled ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

namespace clique {
#define GEN_PASS_DEF_UNROLLLOOPSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether an innermost loop has so few steps and ops that it is unrolled.
static bool isShort(scf::ForOp loop) {
  std::optional<APInt> steps = loop.getStaticTripCount();
  if (!steps || steps->isZero() || steps->ugt(clique::tuning::unrolledSteps))
    return false;
  uint64_t ops = 0;
  for (Operation &op : *loop.getBody()) {
    if (op.getNumRegions() != 0)
      return false;
    ++ops;
  }
  return ops * steps->getZExtValue() <= clique::tuning::unrolledOps;
}

namespace {
struct UnrollLoops : public clique::impl::UnrollLoopsPassBase<UnrollLoops> {
  void runOnOperation() override {
    // Inner ones first, after which outer ones may be innermost.
    getOperation()->walk([&](scf::ForOp loop) {
      if (isShort(loop))
        (void)loopUnrollFull(loop);
    });
  }
};
} // namespace
