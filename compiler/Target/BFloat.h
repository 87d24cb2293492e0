//===- BFloat.h - bf16 on processors that do not know it --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions that LLVM would leave to a function of the C library.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_BFLOAT_H
#define CLIQUE_COMPILER_TARGET_BFLOAT_H

namespace llvm {
class Module;
} // namespace llvm

namespace clique {

/// Replaces conversions to bf16 by integer arithmetic (to the nearest, ties to
/// even), and arithmetic and comparisons in bf16 by those in f32. Without it
/// LLVM calls a function for each number, which many C libraries lack. Needed
/// before LLVM's optimisation and after it, which narrows operations.
void expandBFloat(llvm::Module &module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_BFLOAT_H
