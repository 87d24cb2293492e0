//===- Optimiser.h - LLVM's passes over a layer -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of LLVM's passes run between MLIR's LLVM dialect and machine code.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_OPTIMISER_H
#define CLIQUE_COMPILER_TARGET_OPTIMISER_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace clique {

/// Who compiles: code for processors comes tiled, vectorised and mostly
/// unrolled, and needs some passes; code for GPUs takes all of -O3. Tests of
/// what comes before LLVM need code soon: few passes.
enum class OptimiserPasses { few, tiled, all };

/// Inlines calls, and merges functions that are equal. The other passes for
/// code that comes tiled look at one function at a time: parts of a module can
/// take them apart.
void inlineCalls(llvm::Module &module, llvm::TargetMachine &machine,
                 bool verifyEach);

/// Optimises a module, and inserts the checks of its sanitizer
/// (Sanitizers.h). `verifyEach`: verifies it after each pass.
void optimise(llvm::Module &module, llvm::TargetMachine &machine,
              OptimiserPasses passes, bool verifyEach);

/// An error if the module is not valid.
llvm::Error verifyCode(llvm::Module &module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_OPTIMISER_H
