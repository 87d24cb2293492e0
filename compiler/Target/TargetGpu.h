//===- TargetGpu.h - The GPUs that code is made for -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves the names of architectures that users give.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_TARGETGPU_H
#define CLIQUE_COMPILER_TARGET_TARGETGPU_H

#include "dialect/IR/MPDialect.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace clique {

/// An architecture of GPUs, or the emulated driver's, which is this processor.
struct TargetGpu {
  std::string name;     ///< "sm_90a", "emulated"
  std::string features; ///< the oldest PTX that knows it: "+ptx80"
  /// Shared memory that a block may ask for (CUDA C++ Programming Guide, table
  /// of technical specifications per compute capability).
  int64_t sharedBytes = 227 * 1024;
  int64_t multiprocessorSharedBytes = 228 * 1024; ///< for all of its blocks
  mp::MatrixUnit matrix = mp::MatrixUnit::mma;

  /// What passes know of it.
  mp::GpuAttr describe(mlir::MLIRContext *context) const;

  bool isEmulated() const { return features.empty(); }
  /// The name of an image that holds PTX: "compute_90a".
  std::string getPtxName() const { return "compute" + name.substr(2); }
};

/// Resolves `--gpu-arch`: names with commas between them, or `multi`. The
/// result is in the order of the architectures' ages, without repetitions.
llvm::Expected<llvm::SmallVector<TargetGpu>>
selectTargetGpus(llvm::StringRef names);

/// What is best for a device that the runtime names: its architecture, or the
/// latest one whose code it can run.
llvm::Expected<TargetGpu> selectTargetGpuOf(llvm::StringRef device);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_TARGETGPU_H
