//===- HalfConversion.h - From and to numbers of 16 bits --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between bf16 or f16, held as integers, and f32 or f64.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_HALFCONVERSION_H
#define CLIQUE_COMPILER_TARGET_HALFCONVERSION_H

#include "llvm/IR/IRBuilder.h"

namespace clique {
struct TargetCpu;

/// Whether the type is bf16 or f16, or vectors of them.
bool isHalfFloat(const llvm::Type *type);

/// The type in another element type, a vector if it is one.
llvm::Type *getHalfBits(llvm::Type *half);    ///< i16
llvm::Type *getFloatOfHalf(llvm::Type *half); ///< f32

/// Emits conversions for one class of processors.
class HalfConverter {
public:
  explicit HalfConverter(const TargetCpu &cpu);

  /// The bits of a number, as i16.
  llvm::Value *getBits(llvm::IRBuilder<> &builder, llvm::Value *half) const;
  /// The number in f32, which is exact.
  llvm::Value *widen(llvm::IRBuilder<> &builder, llvm::Value *half) const;
  /// The bits of a number of f32 or f64 in the type `half`, rounded once: to
  /// the nearest, ties to even. NaN stays NaN.
  llvm::Value *narrow(llvm::IRBuilder<> &builder, llvm::Value *value,
                      llvm::Type *half) const;

  /// Whether the conversion is an instruction of the processor.
  bool isNative(const llvm::CastInst &op) const;

private:
  bool hasConversion(unsigned opcode, const llvm::Type *half) const;
  using Convert = llvm::function_ref<llvm::Value *(llvm::Value *)>;
  llvm::Value *convertNatively(llvm::IRBuilder<> &builder, llvm::Value *value,
                               Convert convert) const;

  bool hasF16C, hasBFloat;
  unsigned lanes; ///< of the widest vectors that are converted at once
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_HALFCONVERSION_H
