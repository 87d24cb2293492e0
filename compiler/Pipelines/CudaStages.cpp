//===- CudaStages.cpp - The stages that only GPUs have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CudaStages.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Threads/ThreadPasses.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace clique;

void clique::buildThreads(OpPassManager &pm,
                          const CliquePipelineOptions &options) {
  bool tf32 = options.f32Products == F32Products::tf32;
  TileProductsPassOptions tiling;
  tiling.tf32 = tf32;
  pm.addNestedPass<func::FuncOp>(createTileProductsPass(tiling));
  addProductSums(pm, TargetDevice::cuda);
  addFunctionCleanUp(pm);
  DistributeToThreadsPassOptions distribution;
  distribution.tf32 = tf32;
  pm.addPass(createDistributeToThreadsPass(distribution));
  pm.addPass(createLimitSharedMemoryPass());
  pm.addPass(createSymbolDCEPass());
  addFunctionCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createPipelineCopiesPass());
  pm.addNestedPass<func::FuncOp>(createSwizzleSharedPass());
  addFunctionCleanUp(pm);
}

void clique::buildKernels(OpPassManager &pm, const CliquePipelineOptions &) {
  addTensorsInPlace(pm);
  BufferizePassOptions bufferize;
  bufferize.copySmallInVectors = false;
  pm.addPass(createBufferizePass(bufferize));
  addFunctionCleanUp(pm);
  pm.addPass(createDeallocateHostBuffersPass());
  addCanonicalizer(pm.nest<func::FuncOp>());
  pm.addNestedPass<func::FuncOp>(
      bufferization::createBufferDeallocationSimplificationPass());
  pm.addNestedPass<func::FuncOp>(createSplitDeallocationsPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  addFunctionCleanUp(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addNestedPass<func::FuncOp>(createFreeEarlyPass());
  pm.addNestedPass<func::FuncOp>(createCopyByLoopsPass());
  pm.addNestedPass<func::FuncOp>(createParallelFirstPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  // Launches take in the bodies of other functions. Only behind a pass over the
  // whole module is no other thread still rewriting those.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createLaunchBlocksPass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createSymbolDCEPass());
  // Which takes floors and ceilings apart.
  GuardDivisionPassOptions floors;
  floors.floors = true;
  pm.nest<gpu::GPUModuleOp>().addPass(createGuardDivisionPass(floors));
  pm.nest<gpu::GPUModuleOp>().addPass(createSimplifyDeviceArithPass());
  addCleanUp(pm);
}
