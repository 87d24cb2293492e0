//===- CudaStages.cpp - The stages that only GPUs have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CudaStages.h"

using namespace mlir;
using namespace clique;

// TODO: spread block functions over threads.
void clique::buildThreads(OpPassManager &, const CliquePipelineOptions &) {}

// TODO: bufferize, make gpu.func and gpu.launch_func.
void clique::buildKernels(OpPassManager &, const CliquePipelineOptions &) {}

void clique::buildCudaLLVM(OpPassManager &pm,
                           const CliquePipelineOptions &options) {
  buildHostLLVM(pm, options);
}
