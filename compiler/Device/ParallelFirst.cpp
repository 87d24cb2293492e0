//===- ParallelFirst.cpp - Structured ops as kernels of their own ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/SingleStep.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace clique {
#define GEN_PASS_DEF_PARALLELFIRSTPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct ParallelFirst
    : public clique::impl::ParallelFirstPassBase<ParallelFirst> {
  void runOnOperation() override {
    if (getOperation()->hasAttr(mp::kThreadsAttr))
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() &&
          !op->getParentOfType<scf::ParallelOp>())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      if (op.getNumParallelLoops() == 0)
        moveIntoSingleStep(op);
      else if (failed(interchange(op)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult interchange(linalg::LinalgOp op) {
    SmallVector<unsigned> order, reductions;
    op.getParallelDims(order);
    op.getReductionDims(reductions);
    llvm::append_range(order, reductions);
    if (llvm::is_sorted(order))
      return success();
    IRRewriter rewriter(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      assert(succeeded(made) && "a structured op with one region");
      generic = *made;
    }
    return linalg::interchangeGenericOp(rewriter, generic, order);
  }
};
} // namespace
