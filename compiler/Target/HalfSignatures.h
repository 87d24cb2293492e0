//===- HalfSignatures.h - Functions that take bf16 and f16 ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_HALFSIGNATURES_H
#define CLIQUE_COMPILER_TARGET_HALFSIGNATURES_H

namespace llvm {
class Module;
} // namespace llvm

namespace clique {

/// The module's own functions take and return numbers of bf16 and f16 as i16:
/// LLVM hands over a number of bf16 through a conversion, which is a call.
void passHalvesAsBits(llvm::Module &module);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_HALFSIGNATURES_H
