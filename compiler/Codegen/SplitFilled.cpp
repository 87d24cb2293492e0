//===- SplitFilled.cpp - Each loop has its own tensor to write to ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace clique {
#define GEN_PASS_DEF_SPLITFILLEDPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Whether a tensor is made of an empty one by ops that write to parts of it
/// what is no tensor: the rows behind the last one of a chunk, for example.
static bool isFilledEmpty(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto loop = dyn_cast<scf::ForOp>(op);
      loop && loop.getNumRegionIterArgs() == 1) {
    SetVector<Value> captures;
    getUsedValuesDefinedAbove(loop.getRegion(), captures);
    return isFilledEmpty(loop.getInits().front()) &&
           llvm::none_of(captures.getArrayRef(), [](Value capture) {
             return isa<RankedTensorType>(capture.getType());
           });
  }
  if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, linalg::FillOp,
           vector::TransferWriteOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isFilledEmpty(operand);
  });
}

/// Another tensor like that, made right behind it.
static Value cloneFilled(OpBuilder &builder, Value tensor, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      cloneFilled(builder, operand, mapping);
  return builder.clone(*op, mapping)
      ->getResult(cast<OpResult>(tensor).getResultNumber());
}

namespace {
struct SplitFilled : public clique::impl::SplitFilledPassBase<SplitFilled> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    llvm::SmallPtrSet<Operation *, 8> used;
    getOperation().walk([&](scf::ForOp loop) {
      for (OpOperand &init : loop.getInitArgsMutable()) {
        Operation *op = init.get().getDefiningOp();
        if (!isa_and_nonnull<tensor::InsertSliceOp>(op) ||
            !isFilledEmpty(init.get()) || used.insert(op).second)
          continue;
        builder.setInsertionPointAfter(op);
        IRMapping mapping;
        init.set(cloneFilled(builder, init.get(), mapping));
      }
    });
  }
};
} // namespace
