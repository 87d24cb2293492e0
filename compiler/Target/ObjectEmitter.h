//===- ObjectEmitter.h - LLVM IR to machine code ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's optimiser and code generator for one class of processors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_OBJECTEMITTER_H
#define CLIQUE_COMPILER_TARGET_OBJECTEMITTER_H

#include "compiler/Target/TargetCpu.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace clique {

/// What a module is written as.
enum class CodeFormat { object, assembly, llvmIR, bitcode };

/// Optimises and emits modules for one class of processors.
class ObjectEmitter {
public:
  /// `quick`: code in half of the time, for tests. Not LLVM's quickest: without
  /// any optimisation its code generator for AVX-512 moves elements of long
  /// shuffles (45 of i64, transposed) to wrong places.
  static llvm::Expected<ObjectEmitter> create(const TargetCpu &cpu,
                                              bool quick = false);
  ObjectEmitter(ObjectEmitter &&);
  ~ObjectEmitter();

  /// Sets triple and data layout, and the processor of each function, which
  /// holds wherever the function is emitted.
  void annotate(llvm::Module &module) const;
  /// What looks at more than one function comes first; then functions are
  /// optimised, all of them or those of a part (ModuleParts.h).
  void inlineCalls(llvm::Module &module, bool verifyEach) const;
  void optimise(llvm::Module &module, bool verifyEach) const;
  /// Writes the module. An error, and nothing written, if its machine code
  /// calls what no library has (LinkedLibraries.h).
  llvm::Error emit(llvm::Module &module, CodeFormat format,
                   llvm::raw_pwrite_stream &out) const;
  /// Writes the object of a part of a module, which may call the others.
  llvm::Error emitPart(llvm::Module &module,
                       llvm::raw_pwrite_stream &out) const;
  /// An error if the object of all of `module` calls what no library has.
  static llvm::Error checkCalls(const llvm::Module &module,
                                llvm::StringRef object);

private:
  ObjectEmitter(const TargetCpu &cpu,
                std::unique_ptr<llvm::TargetMachine> machine);
  bool isQuick() const;
  llvm::Error generate(llvm::Module &module, llvm::CodeGenFileType type,
                       llvm::raw_pwrite_stream &out) const;

  TargetCpu cpu;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_OBJECTEMITTER_H
