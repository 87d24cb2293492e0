//===- BoundRegisters.cpp - Blocks on a multiprocessor --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Device/DevicePasses.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace clique {
#define GEN_PASS_DEF_BOUNDREGISTERSPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Registers of a fragment of an instruction's left operand, or of its sums.
constexpr int64_t kFragmentRegisters = 4;

/// Registers that the products of a block of code take, and the code between
/// them, which holds the results of one for the next.
static int64_t countRegisters(Block &block) {
  int64_t sums = 0;
  llvm::SmallPtrSet<Value, 16> fragments;
  for (auto product : block.getOps<mp::WarpgroupProductOp>()) {
    sums += product.getType().getNumElements();
    fragments.insert_range(product.getLeft());
  }
  for (auto product : block.getOps<nvgpu::MmaSyncOp>()) {
    fragments.insert(product.getMatrixA());
    // Those that go on with the sums of another take no others.
    if (!product.getMatrixC().getDefiningOp<nvgpu::MmaSyncOp>())
      sums += kFragmentRegisters;
  }
  return sums + int64_t(fragments.size()) * kFragmentRegisters;
}

/// Shared memory up to the end of the last buffer.
static int64_t countSharedBytes(gpu::GPUFuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](memref::ViewOp view) {
    MemRefType type = view.getType();
    if (std::optional<int64_t> begin = getConstantIntValue(view.getByteShift()))
      most =
          std::max(most, *begin + getBytes(RankedTensorType::get(
                                      type.getShape(), type.getElementType())));
  });
  return most;
}

static void bound(gpu::GPUFuncOp kernel) {
  DenseI32ArrayAttr size = kernel.getKnownBlockSizeAttr();
  if (!kernel.isKernel() || !size)
    return;
  // Outside of loops, one is done with before the next one begins.
  int64_t products = 0;
  kernel.walk([&](LoopLikeOpInterface loop) {
    loop->walk([&](Block *block) {
      products = std::max(products, countRegisters(*block));
    });
  });
  if (products < tuning::gpuManyRegisters)
    return;
  mp::GpuAttr gpu = mp::getGpuOrDefault(kernel);
  // Of all architectures from sm_80 on (CUDA C++ Programming Guide).
  constexpr int64_t multiprocessorRegisters = 65536, step = 8;
  int64_t registers = std::min(
      int64_t(llvm::alignTo(products + tuning::gpuOtherRegisters, step)),
      gpu.getThreadRegisters() + 1);
  int64_t threads = llvm::product_of(size.asArrayRef(), int64_t(1));
  int64_t blocks = multiprocessorRegisters / (threads * registers);
  blocks =
      std::min(blocks, gpu.getMultiprocessorSharedBytes() /
                           (countSharedBytes(kernel) + tuning::gpuBlockShare));
  if (blocks > 1)
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    Builder(kernel).getI32IntegerAttr(int32_t(blocks)));
}

namespace {
struct BoundRegisters
    : public clique::impl::BoundRegistersPassBase<BoundRegisters> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      bound(kernel);
  }
};
} // namespace
