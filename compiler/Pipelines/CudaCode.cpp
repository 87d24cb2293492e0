//===- CudaCode.cpp - Kernels and their host to the LLVM dialect ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Pipelines/CudaStages.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace clique;

/// The kernels to the LLVM dialect and NVVM.
static void buildDeviceLLVM(OpPassManager &pm) {
  pm.addPass(createBoundRegistersPass());
  pm.addPass(createApproximateMathPass());
  math::MathExpandOpsPassOptions expansions;
  // What is left is made of exp and log, which are polynomials.
  expansions.opMnemonics = {"sinh",  "cosh", "asinh", "acosh",
                            "atanh", "tan",  "powf",  "fpowi"};
  pm.addPass(math::createMathExpandOpsPass(expansions));
  pm.addPass(createApproximateMathPass());
  pm.addPass(createGuardDivisionPass());
  pm.addPass(createSaturateConversionsPass());
  pm.addPass(createConvertWarpgroupsToPTXPass());
  pm.addPass(createConvertMmaToNVVMPass());
  pm.addPass(createConvertNVGPUToNVVMPass());
  pm.addPass(createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addCleanUp(pm);
  // Behind the canonicaliser, which gives vectors shapes again.
  pm.addPass(createLowerDeviceVectorsPass());
  pm.addPass(createConvertDeviceMathToLLVMPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertGpuOpsToNVVMOps());
  pm.addPass(createAlignSharedMemoryPass());
  pm.addPass(createUBToLLVMConversionPass());
  addCleanUp(pm);
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// The host's part: no kernels, and so neither threads nor large stores.
static void buildCallerLLVM(OpPassManager &pm) {
  CliquePipelineOptions options;
  options.target = TargetDevice::cuda;
  options.openmp = false;
  buildHostLLVM(pm, options);
}

void clique::buildCudaLLVM(OpPassManager &pm,
                           const CliquePipelineOptions &options) {
  pm.addPass(createCheckDeviceIRPass());
  buildDeviceLLVM(pm.nest<gpu::GPUModuleOp>());
  pm.addPass(createAccessDeviceMemoryPass());
  pm.addPass(createConvertGPULaunchToRuntimePass());
  buildCallerLLVM(pm);
}

void clique::buildEmulatedLLVM(OpPassManager &pm) {
  pm.addPass(createEmulateDevicePass());
  buildCallerLLVM(pm);
}
