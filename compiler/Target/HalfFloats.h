//===- HalfFloats.h - bf16 and f16 as integers of 16 bits -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision as processors have it: numbers in memory, converted for every
// computation.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_HALFFLOATS_H
#define CLIQUE_COMPILER_TARGET_HALFFLOATS_H

namespace llvm {
class Module;
} // namespace llvm

namespace clique {
struct TargetCpu;

/// Holds numbers of bf16 and f16 as integers of 16 bits and computes with them
/// in f32, to the nearest, ties to even, after each operation. Conversions are
/// instructions of a function's processor, which is one of `cpus`, where it
/// has them (F16C, AVX512-BF16), in vectors of 8
/// and 16, and integer arithmetic where not; f64 and wide integers are rounded
/// once.
///
/// LLVM's own lowering calls a function for each number that is converted,
/// which many C libraries lack; it does so too for a vector that lives from one
/// block of code to the next; and it knows no bf16 vectors of some lengths.
/// Needed before LLVM's optimisation, and after it, which moves conversions.
void lowerHalfFloats(llvm::Module &module, llvm::ArrayRef<TargetCpu> cpus);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_HALFFLOATS_H
