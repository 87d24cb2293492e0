//===- ThreadPasses.h - Block functions for threads of a device -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_THREADPASSES_H
#define CLIQUE_COMPILER_THREADS_THREADPASSES_H

#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#include "compiler/Threads/ThreadPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/Threads/ThreadPasses.h.inc"

using mp::kRowsAttr;
using mp::kThreadsAttr;
/// The attribute of a block function that says how much shared memory its
/// threads take.
constexpr llvm::StringLiteral kSharedBytesAttr = "mp.shared_bytes";
/// The GPU that the op's module is for, the usual one if it does not say.
inline mp::GpuAttr getGpuOrDefault(mlir::Operation *op) {
  mp::GpuAttr gpu = mp::getGpu(op);
  return gpu ? gpu : mp::getDefaultGpu(op->getContext());
}
/// The gpu.module of all kernels.
constexpr llvm::StringLiteral kDeviceModule = "clique_device";
} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_THREADPASSES_H
