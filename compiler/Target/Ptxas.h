//===- Ptxas.h - The assembler of the CUDA Toolkit --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_PTXAS_H
#define CLIQUE_COMPILER_TARGET_PTXAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace clique {

/// What a kernel takes of a multiprocessor: registers of a thread, bytes.
struct KernelUsage {
  std::string kernel;
  int64_t registers = 0, spillStores = 0, spillLoads = 0;
  int64_t sharedBytes = 0; ///< without what a launch asks for
};

/// Machine code for one architecture.
struct Cubin {
  std::string code;
  std::vector<KernelUsage> usage;
};

/// The path of ptxas: in PATH, or in the folder that CUDA_HOME or CUDA_PATH
/// names; without either, in /usr/local/cuda.
std::optional<std::string> findPtxas();

/// Assembles PTX. Nothing if this ptxas is too old for the architecture.
llvm::Expected<std::optional<Cubin>> assemblePtx(llvm::StringRef ptxas,
                                                 llvm::StringRef ptx,
                                                 llvm::StringRef architecture);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_PTXAS_H
