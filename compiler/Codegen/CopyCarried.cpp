//===- CopyCarried.cpp - One buffer for what a loop carries ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace clique {
#define GEN_PASS_DEF_COPYCARRIEDPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether a step makes its result where `carried` is, as far as the ops that
/// write to tensors say.
static bool isWrittenOver(Value tensor, Value carried) {
  while (tensor != carried) {
    auto result = dyn_cast<OpResult>(tensor);
    if (!result)
      return false;
    if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
      auto isMadeThere = [&](scf::YieldOp yield) {
        return isWrittenOver(yield.getOperand(result.getResultNumber()),
                             carried);
      };
      return isMadeThere(branch.thenYield()) && isMadeThere(branch.elseYield());
    }
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      tensor = loop.getInitArgs()[result.getResultNumber()];
    else if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
      tensor = op.getTiedOpOperand(result)->get();
    else
      return false;
  }
  return true;
}

namespace {
struct CopyCarriedPass
    : public clique::impl::CopyCarriedPassBase<CopyCarriedPass> {
  void runOnOperation() override {
    // Tensors of the host are large: they come from the runtime's allocator,
    // once for each step.
    if (getOperation().isPublic())
      return;
    getOperation()->walk([](scf::ForOp loop) {
      readFirst(loop);
      OpBuilder b(loop.getBody()->getTerminator());
      for (auto [yielded, carried] : llvm::zip_equal(
               *loop.getYieldedValuesMutable(), loop.getRegionIterArgs()))
        if (isSmall(carried.getType()) &&
            !isWrittenOver(yielded.get(), carried))
          yielded.set(
              linalg::CopyOp::create(b, loop.getLoc(), yielded.get(), carried)
                  ->getResult(0));
    });
  }

  /// Vectors of what the step before left are read before any of this step is
  /// written, where their places are known: bufferization need not know that
  /// it is written elsewhere.
  static void readFirst(scf::ForOp loop) {
    Block *body = loop.getBody();
    for (BlockArgument carried : loop.getRegionIterArgs())
      for (Operation *user : llvm::make_early_inc_range(carried.getUsers())) {
        auto read = dyn_cast<vector::TransferReadOp>(user);
        if (read && read->getBlock() == body && !read.getMask() &&
            llvm::all_of(read.getIndices(), [&](Value index) {
              return loop.isDefinedOutsideOfLoop(index);
            }))
          read->moveBefore(&body->front());
      }
  }

  /// Whether it is a tensor that has its place on the stack.
  static bool isSmall(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() &&
           clique::getBytes(tensor) <= clique::tuning::stackBufferBytes;
  }
};
} // namespace
