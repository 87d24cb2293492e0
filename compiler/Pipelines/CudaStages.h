//===- CudaStages.h - The stages that only GPUs have ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_PIPELINES_CUDASTAGES_H
#define CLIQUE_COMPILER_PIPELINES_CUDASTAGES_H

#include "compiler/Pipelines/Pipelines.h"

namespace clique {

/// Tensors of block functions spread over the threads of a block.
void buildThreads(mlir::OpPassManager &pm,
                  const CliquePipelineOptions &options);

/// Block functions in a gpu.module, buffers instead of tensors; loops over
/// blocks are launches.
void buildKernels(mlir::OpPassManager &pm,
                  const CliquePipelineOptions &options);

/// What `kernels` leaves: the gpu.module and the host's functions in the LLVM
/// dialect, one beside the other.
void buildCudaLLVM(mlir::OpPassManager &pm,
                   const CliquePipelineOptions &options);

/// Sums over many features in kernels, block by block.
void addProductSums(mlir::OpPassManager &pm, TargetDevice target);

/// Graphs as calls of the runtime, and tensors written where they become a part
/// of others: what either target does ahead of bufferization.
void addTensorsInPlace(mlir::OpPassManager &pm);

/// Functions of the host on buffers to the LLVM dialect.
void buildHostLLVM(mlir::OpPassManager &pm,
                   const CliquePipelineOptions &options);

} // namespace clique
#endif // CLIQUE_COMPILER_PIPELINES_CUDASTAGES_H
