//===- HalfArrays.h - Vectors of several dimensions of halves ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_HALFARRAYS_H
#define CLIQUE_COMPILER_TARGET_HALFARRAYS_H

namespace llvm {
class Function;
} // namespace llvm

namespace clique {

/// An array of vectors of bf16 or f16 that comes from several blocks becomes
/// its vectors, which do.
void splitHalfArrays(llvm::Function &function);

/// Takes out arrays of which no part is taken any more.
void dropArrays(llvm::Function &function);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_HALFARRAYS_H
