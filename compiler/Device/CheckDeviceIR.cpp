//===- CheckDeviceIR.cpp - What code is made of for GPUs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_CHECKDEVICEIRPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;

static bool isTensor(Type type) { return isa<TensorType>(type); }

static bool isForHost(Operation *op) {
  return !isa<scf::ParallelOp>(op) &&
         llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor);
}

static bool isForDevice(Operation *op) {
  return isForHost(op) &&
         (isa<clique::mp::WarpgroupProductOp>(op) ||
          isa_and_present<
              affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, gpu::GPUDialect, index::IndexDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect,
              ub::UBDialect, vector::VectorDialect>(op->getDialect()));
}

namespace {
struct CheckDeviceIR
    : public clique::impl::CheckDeviceIRPassBase<CheckDeviceIR> {
  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
          bool isFine = op->getParentOfType<gpu::GPUModuleOp>()
                            ? isForDevice(op)
                            : isForHost(op);
          if (isFine)
            return WalkResult::advance();
          op->emitOpError(
              "has no lowering to GPUs; compile it for the processor "
              "with --target=cpu");
          return WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
