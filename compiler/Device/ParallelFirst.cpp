//===- ParallelFirst.cpp - Structured ops as kernels of their own ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
        launchAlone(op);
      else if (failed(interchange(op)))
        return signalPassFailure();
    }
  }

private:
  /// In a parallel loop of one step.
  static void launchAlone(linalg::LinalgOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto loop = scf::ParallelOp::create(b, loc, zero, one, one);
    op->moveBefore(loop.getBody()->getTerminator());
  }

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
