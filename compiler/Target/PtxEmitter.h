//===- PtxEmitter.h - LLVM IR to PTX ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's optimiser and code generator for one architecture of GPUs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_PTXEMITTER_H
#define CLIQUE_COMPILER_TARGET_PTXEMITTER_H

#include "compiler/Target/TargetGpu.h"

namespace llvm {
class Module;
} // namespace llvm

namespace clique {

/// The module, optimised, as PTX; all but its kernels becomes internal.
llvm::Expected<std::string> emitPtx(llvm::Module &module, const TargetGpu &gpu,
                                    bool verifyEach);

/// How the GPU lays out data, as LLVM spells it.
std::string getDataLayout(const TargetGpu &gpu);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_PTXEMITTER_H
